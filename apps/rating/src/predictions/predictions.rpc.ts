import {
  rpc,
  type PredictManyReply,
  type PredictManyRequest,
  type PredictReply,
  type PredictRequest,
} from '@muster/contracts';
import { answerMany, RpcMethod, RpcStatusFilter } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { Predict } from './predict.js';

@Controller()
export class PredictionsRpc {
  constructor(
    @Inject(Predict) private readonly predictions: Predict,
    @Inject(RpcStatusFilter) private readonly status: RpcStatusFilter,
  ) {}

  @RpcMethod(rpc.rating, 'Predict')
  async predict({ pool, teams, map, sides = [] }: PredictRequest): Promise<PredictReply> {
    const roles = teams.flatMap(({ playerIds, roles: played = [] }) =>
      playerIds.flatMap((id, p) => (played[p] ? [[id, played[p]] as const] : [])),
    );
    const { prediction, isShortHanded } = await this.predictions.run(pool, {
      teams: teams.map(({ playerIds }) => playerIds),
      // Proto3 omits an empty list, so absent means none.
      parties: teams.map(({ parties }) => parties ?? []),
      ...(map ? { map } : {}),
      ...(sides.length > 0 ? { sides } : {}),
      ...(roles.length > 0 ? { roles: Object.fromEntries(roles) } : {}),
    });
    return { chances: prediction.chances, draw: prediction.draw, shortHanded: isShortHanded };
  }

  @RpcMethod(rpc.rating, 'PredictMany')
  async predictMany({ questions }: PredictManyRequest): Promise<PredictManyReply> {
    return {
      answers: await answerMany(
        'RatingService.Predict',
        questions,
        (each) => this.predict(each),
        this.status.tell,
      ),
    };
  }
}
