import {
  rpc,
  unpackReason,
  type GetChangesReply,
  type GetChangesRequest,
  type GetRatingsReply,
  type GetRatingsRequest,
  type MatchAspectsMessage,
  type ManyReply,
  type ManyRequest,
  type PredictReply,
  type PredictRequest,
  type SeedRatingReply,
  type SeedRatingRequest,
} from '@muster/contracts';
import { MusterError, UnknownPool, type MatchAspects } from '@muster/domain';
import { answerMany, LOG, type Log } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { GrpcMethod, RpcException } from '@nestjs/microservices';
import { RatingOverrides } from './rating-overrides.js';
import { Predict } from '../predictions/predict.js';
import { Standings } from './standings.js';

/** gRPC's INVALID_ARGUMENT and NOT_FOUND. */
const invalid = 3;
const notFound = 5;
/** Of teams that the coordinator forms, and that models rate. */
const mostTeamSize = 100;

@Controller()
export class RatingRpc {
  constructor(
    @Inject(Standings) private readonly standings: Standings,
    @Inject(Predict) private readonly predictions: Predict,
    @Inject(RatingOverrides) private readonly overrides: RatingOverrides,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @GrpcMethod(rpc.rating.service, 'GetRatings')
  getRatings(question: GetRatingsRequest): Promise<GetRatingsReply> {
    return answer(() => this.ratingsOf(question));
  }

  @GrpcMethod(rpc.rating.service, 'GetManyRatings')
  async getManyRatings({ questions }: ManyRequest<GetRatingsRequest>): Promise<ManyReply<GetRatingsReply>> {
    return { answers: await answerMany(questions, (each) => this.ratingsOf(each), this.statusOf) };
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
  predict(question: PredictRequest): Promise<PredictReply> {
    return answer(() => this.chancesOf(question));
  }

  @GrpcMethod(rpc.rating.service, 'PredictMany')
  async predictMany({ questions }: ManyRequest<PredictRequest>): Promise<ManyReply<PredictReply>> {
    return { answers: await answerMany(questions, (each) => this.chancesOf(each), this.statusOf) };
  }

  @GrpcMethod(rpc.rating.service, 'SeedRating')
  seedRating({ pool, playerId, mu, sigma, eventId, ...given }: SeedRatingRequest): Promise<SeedRatingReply> {
    return answer(async () => ({
      counted: await this.overrides.seed(pool, playerId, mu, sigma, eventId, unpackReason(given)),
    }));
  }

  private async ratingsOf({ pool, playerIds, aspects }: GetRatingsRequest): Promise<GetRatingsReply> {
    const { ratings, start } = await this.standings.of(
      pool,
      playerIds,
      aspects ? matchOf(aspects) : undefined,
    );
    return {
      ratings: ratings.map(({ worth, ...rating }) => ({
        ...rating,
        ...(worth ? { worth: { ...worth, sides: [...worth.sides], roles: [...worth.roles] } } : {}),
      })),
      startMu: start.mu,
      startSigma: start.sigma,
    };
  }

  private async chancesOf({ pool, teams, map, sides = [] }: PredictRequest): Promise<PredictReply> {
    const roles = teams.flatMap(({ playerIds, roles: played = [] }) =>
      playerIds.flatMap((id, p) => (played[p] ? [[id, played[p]] as const] : [])),
    );
    const { chances, draw } = await this.predictions.run(pool, {
      teams: teams.map(({ playerIds }) => playerIds),
      // Proto3 omits an empty list, so absent means none.
      parties: teams.map(({ parties }) => parties ?? []),
      ...(map ? { map } : {}),
      ...(sides.length > 0 ? { sides } : {}),
      ...(roles.length > 0 ? { roles: Object.fromEntries(roles) } : {}),
    });
    return { chances, draw };
  }

  /** The status of one of many questions. */
  private readonly statusOf = (error: unknown): Status | undefined => {
    const known = statusOf(error);
    if (!known) this.log.error({ err: error }, 'a question could not be answered');
    return known;
  };
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

interface Status {
  readonly code: number;
  readonly message: string;
}

/** The status of an error that a caller can act on. */
function statusOf(error: unknown): Status | undefined {
  if (error instanceof UnknownPool) return { code: notFound, message: error.message };
  if (error instanceof MusterError) return { code: invalid, message: error.message };
  return undefined;
}

/** Converts errors that a caller can act on to gRPC status errors. */
async function answer<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const known = statusOf(error);
    throw known ? new RpcException({ ...known }) : error;
  }
}
