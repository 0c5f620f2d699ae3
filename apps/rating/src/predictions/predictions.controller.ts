import type { MatchPrediction } from '@muster/contracts';
import { Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { Predict } from './predict.js';

@Controller()
export class PredictionsController {
  constructor(@Inject(Predict) private readonly predictions: Predict) {}

  @Endpoint('predictMatch')
  async predict(@Sent() { params: { pool }, body }: Sent<'predictMatch'>): Promise<MatchPrediction> {
    return (await this.predictions.run(pool, body)).prediction;
  }
}
