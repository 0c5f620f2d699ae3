import {
  rpc,
  unpackReason,
  type GetChangesReply,
  type GetChangesRequest,
  type GetManyRatingsReply,
  type GetManyRatingsRequest,
  type GetRatingsReply,
  type GetRatingsRequest,
  type MatchAspectsMessage,
  type SeedRatingReply,
  type SeedRatingRequest,
} from '@muster/contracts';
import type { MatchAspects } from '@muster/domain';
import { answerMany, RpcMethod, RpcStatusFilter } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { PostgresRatingHistory } from './history.store.js';
import { RatingOverrides } from './rating-overrides.js';
import { ReadRatings } from './read-ratings.js';

/** Of teams that the coordinator forms, and that models rate. */
const mostTeamSize = 100;

@Controller()
export class RatingsRpc {
  constructor(
    @Inject(ReadRatings) private readonly ratings: ReadRatings,
    @Inject(PostgresRatingHistory) private readonly history: PostgresRatingHistory,
    @Inject(RatingOverrides) private readonly overrides: RatingOverrides,
    @Inject(RpcStatusFilter) private readonly status: RpcStatusFilter,
  ) {}

  @RpcMethod(rpc.rating, 'GetRatings')
  async getRatings({ pool, playerIds, aspects }: GetRatingsRequest): Promise<GetRatingsReply> {
    const { ratings, start } = await this.ratings.of(pool, playerIds, aspects ? matchOf(aspects) : undefined);
    return {
      ratings: ratings.map(({ worth, ...rating }) => ({
        ...rating,
        ...(worth ? { worth: { ...worth, sides: [...worth.sides], roles: [...worth.roles] } } : {}),
      })),
      startMu: start.mu,
      startSigma: start.sigma,
    };
  }

  @RpcMethod(rpc.rating, 'GetManyRatings')
  async getManyRatings({ questions }: GetManyRatingsRequest): Promise<GetManyRatingsReply> {
    return {
      answers: await answerMany(
        'RatingService.GetRatings',
        questions,
        (each) => this.getRatings(each),
        this.status.tell,
      ),
    };
  }

  @RpcMethod(rpc.rating, 'GetChanges')
  async getChanges({ matchIds }: GetChangesRequest): Promise<GetChangesReply> {
    const changes = await this.history.changes(matchIds);
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

  @RpcMethod(rpc.rating, 'SeedRating')
  async seedRating(request: SeedRatingRequest): Promise<SeedRatingReply> {
    const { pool, playerId, mu, sigma, eventId, ...given } = request;
    const reason = unpackReason(given);
    return { counted: await this.overrides.seed(pool, playerId, mu, sigma, eventId, reason) };
  }
}

/** A match that is to be formed, as a caller names it. Proto3 omits what is empty. */
function matchOf({ teamSize, map, sides, roles }: Partial<MatchAspectsMessage>): MatchAspects {
  return {
    teamSize: Math.min(mostTeamSize, Math.max(1, teamSize ?? 1)),
    ...(map ? { map } : {}),
    sides: sides ?? [],
    roles: roles ?? [],
  };
}
