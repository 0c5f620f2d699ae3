import {
  rpc,
  type GetChangesReply,
  type GetChangesRequest,
  type GetRatingsReply,
  type GetRatingsRequest,
} from '@muster/contracts';
import { UnknownPool, type LedgerStore } from '@muster/domain';
import { Controller, Inject } from '@nestjs/common';
import { GrpcMethod, RpcException } from '@nestjs/microservices';
import { LEDGER } from '../http/ratings.controller.js';
import { ReadRatings } from '../use-cases/read-ratings.js';

/** gRPC's NOT_FOUND. */
const notFound = 5;

@Controller()
export class RatingRpc {
  constructor(
    @Inject(ReadRatings) private readonly ratings: ReadRatings,
    @Inject(LEDGER) private readonly ledger: LedgerStore,
  ) {}

  @GrpcMethod(rpc.rating.service, 'GetRatings')
  async getRatings({ pool: name, playerIds }: GetRatingsRequest): Promise<GetRatingsReply> {
    try {
      const { pool, ratings } = await this.ratings.of(name, playerIds);
      return { ratings, model: pool.model, parameters: { ...pool.parameters } };
    } catch (error) {
      if (error instanceof UnknownPool) throw new RpcException({ code: notFound, message: error.message });
      throw error;
    }
  }

  @GrpcMethod(rpc.rating.service, 'GetChanges')
  async getChanges({ matchIds }: GetChangesRequest): Promise<GetChangesReply> {
    const rows = await this.ledger.changes(matchIds);
    return {
      changes: rows.map(({ matchId, playerId, before, after }) => ({
        matchId,
        playerId,
        muBefore: before.mu,
        sigmaBefore: before.sigma,
        muAfter: after.mu,
        sigmaAfter: after.sigma,
      })),
    };
  }
}
