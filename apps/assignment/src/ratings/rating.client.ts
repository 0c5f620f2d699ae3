import type {
  AspectWorthMessage,
  GetChangesReply,
  GetChangesRequest,
  GetNamesReply,
  GetNamesRequest,
  GetRatingsReply,
  GetRatingsRequest,
  PredictReply,
  PredictRequest,
} from '@muster/contracts';
import {
  Batcher,
  RatingUnavailable,
  UnknownPool,
  type AspectWorth,
  type LedgerRow,
  type MatchAspects,
  type PlayerRating,
} from '@muster/domain';
import { RpcMany, RpcNotFound, RpcUnavailable, type RpcAnswer, type RpcCaller } from '@muster/platform';
import { setImmediate as nextPoll } from 'node:timers/promises';

/** A team whose chance is requested. */
export interface TeamRequest {
  readonly playerIds: readonly string[];
  /** Sizes of its parties, solos left out. */
  readonly parties: readonly number[];
  /** The role of each player, in the order of `playerIds`; null for none. */
  readonly roles?: readonly (string | null)[] | undefined;
}

/** Where and how teams meet; absent parts are unknown. */
interface MatchPlace {
  readonly map?: string | undefined;
  /** The side of each team. */
  readonly sides?: readonly string[] | undefined;
}

/** The pool's calibrated chance of each team, and whether it has a rule for teams with fewer players. */
interface Foresight {
  readonly chances: readonly number[];
  readonly isShortHanded: boolean;
}

/** For a lost peer: a busy one answers within it. */
const deadlineMs = 5_000;
/** Names are for people: a match is shown without them rather than late. */
const namesDeadlineMs = 1_000;
/** Questions in one call; the others follow in the next one. */
const atOnce = 128;

/**
 * Client of the rating service. Nothing is cached: a split needs current ratings. Questions of one turn, and those that
 * arrive while a call is under way, share a call.
 */
export class RatingClient {
  private readonly ratings: Batcher<GetRatingsRequest, RpcAnswer<GetRatingsReply>>;
  private readonly predictions: Batcher<PredictRequest, RpcAnswer<PredictReply>>;

  constructor(private readonly client: RpcCaller) {
    this.ratings = questionsOf({ one: 'getRatings', many: 'getManyRatings' }, this.client);
    this.predictions = questionsOf({ one: 'predict', many: 'predictMany' }, this.client);
  }

  /**
   * Ratings in the order asked.
   *
   * @param match asks what the players count in it beside their ratings, where the pool knows
   * @throws RatingUnavailable when they cannot be read in time; UnknownPool
   */
  async read(pool: string, playerIds: readonly string[], match?: MatchAspects): Promise<PlayerRating[]> {
    const aspects = match && {
      teamSize: match.teamSize,
      map: match.map ?? '',
      sides: [...match.sides],
      roles: [...match.roles],
    };
    const asked = this.ratings.submit('', {
      pool,
      playerIds: [...playerIds],
      ...(aspects ? { aspects } : {}),
    });
    const { ratings } = await replyOf(asked);
    return ratings.map(({ worth, ...rating }) => (worth ? { ...rating, worth: worthOf(worth) } : rating));
  }

  /** The pool's calibrated chance of each team. @throws RatingUnavailable when it does not answer in time; UnknownPool */
  async predict(pool: string, teams: readonly TeamRequest[], place?: MatchPlace): Promise<readonly number[]> {
    return (await this.foresee(pool, teams, place)).chances;
  }

  /** What a pool expects of teams of any sizes. @throws as `predict` */
  async foresee(
    pool: string,
    teams: readonly TeamRequest[],
    { map = '', sides = [] }: MatchPlace = {},
  ): Promise<Foresight> {
    const asked = this.predictions.submit('', {
      pool,
      teams: teams.map(({ playerIds, parties, roles = [] }) => ({
        playerIds: [...playerIds],
        parties: [...parties],
        roles: roles.map((role) => role ?? ''),
      })),
      map,
      sides: [...sides],
    });
    const { chances, shortHanded } = await replyOf(asked);
    return { chances, isShortHanded: shortHanded === true };
  }

  /** The rating changes of matches. @throws RatingUnavailable when they cannot be read in time */
  async changes(matchIds: readonly string[]): Promise<LedgerRow[]> {
    const request = { matchIds: [...matchIds] };
    const { changes } = await this.client
      .call<GetChangesRequest, GetChangesReply>('getChanges', request, deadlineMs)
      .catch(fail);
    return changes.map(({ matchId, playerId, muBefore, sigmaBefore, muAfter, sigmaAfter }) => ({
      matchId,
      playerId,
      before: { mu: muBefore, sigma: sigmaBefore },
      after: { mu: muAfter, sigma: sigmaAfter },
    }));
  }

  /** @returns the known display names by player; none while they cannot be read */
  async names(playerIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    try {
      const { names } = await this.client.call<GetNamesRequest, GetNamesReply>(
        'getNames',
        { playerIds: [...playerIds] },
        namesDeadlineMs,
      );
      return new Map((names ?? []).map(({ playerId, name }) => [playerId, name]));
    } catch {
      // The service is down, or of the release before.
      return new Map();
    }
  }

  /** Resolves when the rating service can be reached. */
  reachable(withinMs: number): Promise<void> {
    return this.client.reachable(withinMs);
  }

  close(): void {
    this.client.close();
  }
}

/** @throws the error in the form for users of the client */
function fail(error: unknown): never {
  if (error instanceof RpcUnavailable)
    throw new RatingUnavailable('The rating service did not answer in time.');
  if (error instanceof RpcNotFound) throw new UnknownPool(error.message);
  throw error;
}

/** Proto3 omits lists that are empty, and numbers that are 0. */
function worthOf({ map, sides, roles }: Partial<AspectWorthMessage>): AspectWorth {
  return { map: map ?? 0, sides: sides ?? [], roles: roles ?? [] };
}

function questionsOf<Question, Reply>(
  methods: { one: string; many: string },
  client: RpcCaller,
): Batcher<Question, RpcAnswer<Reply>> {
  const many = new RpcMany<Question, Reply>(client, methods, deadlineMs);
  return new Batcher(
    atOnce,
    (questions) => many.ask(questions),
    () => false,
    () => nextPoll(),
  );
}

async function replyOf<Reply>(asked: Promise<RpcAnswer<Reply>>): Promise<Reply> {
  const answer = await asked.catch(fail);
  return 'error' in answer ? fail(answer.error) : answer.reply;
}
