import {
  packReason,
  type FindBoosterReply,
  type FindBoosterRequest,
  type GetRatingsReply,
  type GetRatingsRequest,
  type NoteNamesReply,
  type NoteNamesRequest,
  type SeedRatingReply,
  type SeedRatingRequest,
} from '@muster/contracts';
import {
  Batcher,
  BoosterRefused,
  grouped,
  RatingUnavailable,
  UnknownPool,
  Unsolvable,
  type Clock,
  type PlayerRating,
  type Explanation,
  type SkillBelief,
  type UsableBooster,
} from '@muster/domain';
import { RpcMany, RpcNotFound, RpcUnavailable, type RpcAnswer, type RpcCaller } from '@muster/platform';
import { LRUCache } from 'lru-cache';
import { setTimeout as pause } from 'node:timers/promises';

/** For a lost peer: a busy one answers within it. */
const deadlineMs = 5_000;
const seedDeadlineMs = 3_000;
/** gRPC's INVALID_ARGUMENT and UNIMPLEMENTED. */
const invalid = 3;
const unimplemented = 12;
/** Maximum age of a cached rating while the rating service is down. */
const staleMs = 60_000;
const remembered = 100_000;
/** Time window in which requests are batched into one call. */
const gatherMs = 8;

/** Requests that one batch answers. */
const atOnce = 250;

/** The players of one ticket. */
interface Request {
  readonly pool: string;
  readonly playerIds: readonly string[];
  /** Whether the last known ratings serve while the service is down. */
  readonly lastServes: boolean;
}

type Found = readonly PlayerRating[] | Error;

/**
 * Reads ratings from the rating service and sends seeds to it. Requests of the same few milliseconds, and those that
 * arrive while a call is under way, share one call.
 *
 * While the service is down, the last known rating serves for a minute; after that the read fails instead of returning a
 * wrong rating. A busy service is waited for: `Enqueue` limits how many tickets wait.
 */
export class RatingClient {
  private readonly last = new LRUCache<string, { rating: PlayerRating; at: number }>({ max: remembered });
  private readonly requests: Batcher<Request, Found>;
  private readonly questions: RpcMany<GetRatingsRequest, GetRatingsReply>;

  constructor(
    private readonly client: RpcCaller,
    private readonly clock: Clock,
  ) {
    const methods = { one: 'getRatings', many: 'getManyRatings' };
    this.questions = new RpcMany(this.client, methods, deadlineMs);
    this.requests = new Batcher(
      atOnce,
      (requests) => this.answer(requests),
      () => false,
      () => pause(gatherMs),
    );
  }

  /**
   * One rating per player, in the order asked; newcomers get the pool's start value.
   *
   * @throws RatingUnavailable when the rating service cannot answer in time; UnknownPool
   */
  ratingsOf(pool: string, playerIds: readonly string[]): Promise<PlayerRating[]> {
    return this.read({ pool, playerIds, lastServes: true });
  }

  /** As {@link ratingsOf}, but fails while the service is down. @throws RatingUnavailable, UnknownPool */
  currentRatingsOf(pool: string, playerIds: readonly string[]): Promise<PlayerRating[]> {
    return this.read({ pool, playerIds, lastServes: false });
  }

  private async read(request: Request): Promise<PlayerRating[]> {
    if (request.playerIds.length === 0) return [];
    const found = await this.requests.submit('', request);
    if (found instanceof Error) throw found;
    return [...found];
  }

  /**
   * Sets the rating that a calibration found.
   *
   * @param eventId identifies the seed: a repeated one has no effect
   * @throws MusterError when a retry cannot succeed; any other error may succeed when retried
   */
  async seed(
    pool: string,
    playerId: string,
    { mu, sigma }: SkillBelief,
    eventId: string,
    reason: Explanation,
  ): Promise<void> {
    try {
      await this.client.call<SeedRatingRequest, SeedRatingReply>(
        'seedRating',
        { pool, playerId, mu, sigma, eventId, ...packReason(reason) },
        seedDeadlineMs,
      );
    } catch (error) {
      const code = codeOf(error);
      if (error instanceof RpcNotFound) throw unknownPool(pool);
      if (code === invalid)
        throw new Unsolvable(`The pool "${pool}" cannot hold a rating of ${mu} ± ${sigma}.`, { pool });
      throw error;
    }
  }

  /**
   * The booster that a player can use now. Always asked anew: one that was used up a moment ago must not serve.
   *
   * @throws BoosterRefused, RatingUnavailable, UnknownPool
   */
  async usableBooster(pool: string, playerId: string): Promise<UsableBooster> {
    let reply: FindBoosterReply;
    try {
      reply = await this.client.call<FindBoosterRequest, FindBoosterReply>(
        'findBooster',
        { pool, playerId },
        deadlineMs,
      );
    } catch (error) {
      if (error instanceof RpcNotFound) throw unknownPool(pool);
      // A replica of the release before does not know the question.
      if (error instanceof RpcUnavailable || codeOf(error) === unimplemented)
        throw new RatingUnavailable('Boosters cannot be read right now. Try again in a moment.');
      throw error;
    }
    const { refusal, boosterId, division, higher, level } = reply;
    if (refusal !== '') throw new BoosterRefused(refusal, { pool });
    return { boosterId, division, higher, level };
  }

  async noteNames(names: readonly { readonly playerId: string; readonly name: string }[]): Promise<void> {
    await this.client.call<NoteNamesRequest, NoteNamesReply>(
      'noteNames',
      { names: names.map(({ playerId, name }) => ({ playerId, name })) },
      deadlineMs,
    );
  }

  /** Resolves when the rating service can be reached. */
  reachable(withinMs: number): Promise<void> {
    return this.client.reachable(withinMs);
  }

  close(): void {
    this.client.close();
  }

  /** One question for each pool: requests of one pool share it. */
  private async answer(requests: readonly Request[]): Promise<Found[]> {
    const questions = [...grouped(requests, ({ pool }) => pool)].map(([pool, some]) => ({
      pool,
      playerIds: [...new Set(some.flatMap(({ playerIds }) => playerIds))],
    }));
    const askedAt = this.clock.now();
    const answers = await this.questions.ask(questions);
    const read = new Map(
      questions.map(({ pool }, i) => [pool, this.noted(pool, answers[i], askedAt)] as const),
    );
    return requests.map((request) => {
      const ratings = read.get(request.pool);
      if (ratings instanceof UnknownPool) return ratings;
      return ratings ? pick(request, ratings) : this.lastKnown(request);
    });
  }

  /** The ratings in an answer, by player, which are the last known ones from now on; undefined when there is none. */
  private noted(
    pool: string,
    answer: RpcAnswer<GetRatingsReply> | undefined,
    at: number,
  ): ReadonlyMap<string, PlayerRating> | UnknownPool | undefined {
    if (!answer || 'error' in answer)
      return answer?.error instanceof RpcNotFound ? unknownPool(pool) : undefined;
    const { ratings, startMu, startSigma } = answer.reply;
    const start = { mu: startMu, sigma: startSigma };
    const found = new Map(ratings.map((rating) => [rating.playerId, { ...rating, start }]));
    for (const [playerId, rating] of found) this.last.set(`${pool} ${playerId}`, { rating, at });
    return found;
  }

  private lastKnown({ pool, playerIds, lastServes }: Request): Found {
    const now = this.clock.now();
    const known = (lastServes ? playerIds : []).flatMap((playerId) => {
      const last = this.last.get(`${pool} ${playerId}`);
      return last && now - last.at <= staleMs ? [last.rating] : [];
    });
    if (known.length === playerIds.length) return known;
    return new RatingUnavailable(
      'Ratings cannot be read right now, and a ticket without one would be matched wrongly. Try again in a moment.',
    );
  }
}

function pick({ playerIds }: Request, ratings: ReadonlyMap<string, PlayerRating>): Found {
  const found = playerIds.flatMap((playerId) => ratings.get(playerId) ?? []);
  return found.length === playerIds.length
    ? found
    : new RatingUnavailable('The rating service left a player out.');
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function unknownPool(pool: string): UnknownPool {
  return new UnknownPool(`The queue’s rating pool "${pool}" does not exist.`, { pool });
}
