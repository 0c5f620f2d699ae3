import { PoolParams, PredictMatch, type MatchPrediction } from '@muster/contracts';
import { Endpoint } from '@muster/platform';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { Predict } from './predict.js';

@Controller()
export class PredictionsController {
  constructor(@Inject(Predict) private readonly predictions: Predict) {}

  @Endpoint('predictMatch')
  async predict(
    @Param({ schema: PoolParams }) { pool }: z.infer<typeof PoolParams>,
    @Body({ schema: PredictMatch }) body: PredictMatch,
  ): Promise<MatchPrediction> {
    return (await this.predictions.run(pool, body)).prediction;
  }
}
