import {
  rpc,
  unpackReason,
  type GetChangesReply,
  type GetChangesRequest,
  type GetRatingsReply,
  type GetRatingsRequest,
  type PredictReply,
  type PredictRequest,
  type SeedRatingReply,
  type SeedRatingRequest,
} from '@muster/contracts';
import { MusterError, UnknownPool } from '@muster/domain';
import { Controller, Inject } from '@nestjs/common';
import { GrpcMethod, RpcException } from '@nestjs/microservices';
import { RatingOverrides } from './rating-overrides.js';
import { Predict } from '../predictions/predict.js';
import { Standings } from './standings.js';

/** gRPC's INVALID_ARGUMENT and NOT_FOUND. */
const invalid = 3;
const notFound = 5;

@Controller()
export class RatingRpc {
  constructor(
    @Inject(Standings) private readonly standings: Standings,
    @Inject(Predict) private readonly predictions: Predict,
    @Inject(RatingOverrides) private readonly overrides: RatingOverrides,
  ) {}

  @GrpcMethod(rpc.rating.service, 'GetRatings')
  getRatings({ pool, playerIds }: GetRatingsRequest): Promise<GetRatingsReply> {
    return answer(async () => {
      const { ratings, start } = await this.standings.of(pool, playerIds);
      return { ratings, startMu: start.mu, startSigma: start.sigma };
    });
  }

  @GrpcMethod(rpc.rating.service, 'GetChanges')
  async getChanges({ matchIds }: GetChangesRequest): Promise<GetChangesReply> {
    const changes = await this.standings.changes(matchIds);
    return {
      changes: changes.map(({ matchId, playerId, before, after }) => ({
        matchId,
        playerId,
        muBefore: before.mu,
        sigmaBefore: before.sigma,
        muAfter: after.mu,
        sigmaAfter: after.sigma,
      })),
    };
  }

  @GrpcMethod(rpc.rating.service, 'Predict')
  predict({ pool, teams }: PredictRequest): Promise<PredictReply> {
    return answer(async () => {
      const { chances, draw } = await this.predictions.run(pool, {
        teams: teams.map(({ playerIds }) => playerIds),
        // Proto3 omits an empty list, so absent means none.
        parties: teams.map(({ parties }) => parties ?? []),
      });
      return { chances, draw };
    });
  }

  @GrpcMethod(rpc.rating.service, 'SeedRating')
  seedRating({ pool, playerId, mu, sigma, eventId, ...given }: SeedRatingRequest): Promise<SeedRatingReply> {
    return answer(async () => ({
      counted: await this.overrides.seed(pool, playerId, mu, sigma, eventId, unpackReason(given)),
    }));
  }
}

/** Converts errors that a caller can act on to gRPC status errors. */
async function answer<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof UnknownPool) throw new RpcException({ code: notFound, message: error.message });
    if (error instanceof MusterError) throw new RpcException({ code: invalid, message: error.message });
    throw error;
  }
}
