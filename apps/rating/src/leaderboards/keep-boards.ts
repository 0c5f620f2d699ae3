import { UnknownPool, type Clock, type Ids, type RatingPool } from '@muster/domain';
import type { PostgresRatings } from '../core/ratings.store.js';
import { boardEntry, entryAt, madeForOf } from './board-entry.js';
import type { BoardBuild, BoardProgress } from './board.js';
import type { RedisBoards } from './board.store.js';
import type { ChangedPlayers, LedgerEnd, PostgresLedgerFeed } from './ledger-feed.store.js';

const dayMs = 86_400_000;
/** A board that nobody asked for during this time is removed. It is made again when somebody asks. */
const unaskedMs = 7 * dayMs;
/** Ratings in one page of a board that is being made. */
const pageSize = 2_000;
/** Events whose players are read at once. */
const eventsAtOnce = 1_000;
/** How long one turn works at one board before it renews its right to it. */
const turnMs = 2_000;

/**
 * Keeps the boards that are asked for: makes a board from the ratings, then follows the ledger. A board that Redis lost, or
 * that was made for other rules, another season or another generation of ratings, is made anew beside the one that is read.
 */
export class KeepBoards {
  constructor(
    private readonly boards: RedisBoards,
    private readonly feed: PostgresLedgerFeed,
    private readonly ratings: Pick<PostgresRatings, 'pool' | 'page' | 'of'>,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Is told of pools whose board was removed because nobody asked for it. */
    private readonly dropped: (pool: string) => void,
  ) {}

  /** A board that cannot be kept leaves the others alone. @returns whether more can be done at once */
  async turn(): Promise<boolean> {
    let more = false;
    const failures: unknown[] = [];
    for (const { pool, at } of await this.boards.asked())
      try {
        more = (await this.keep(pool, at)) || more;
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
    return more;
  }

  private async keep(name: string, askedAt: number): Promise<boolean> {
    const kept = await this.boards.keep(name);
    if (!kept) return false;
    const unaskedSince = this.clock.now() - unaskedMs;
    if (askedAt < unaskedSince && (await this.boards.drop(name, unaskedSince))) {
      this.dropped(name);
      return false;
    }
    const pool = await this.poolOf(name);
    if (!pool) return this.remove(name);
    const wanted = madeForOf(pool);
    const { live, next } = kept;
    if (live?.madeFor === wanted) return this.follow(name, live);
    if (next?.madeFor === wanted) return this.fill(name, next);
    const build = { id: this.ids.make('brd'), madeFor: wanted, awaited: await this.feed.end() };
    return this.boards.begin(name, build, pool.seasons?.length ?? 0);
  }

  /** null for a pool that Postgres does not have, for example after it was restored. */
  private async poolOf(name: string): Promise<RatingPool | null> {
    try {
      return await this.ratings.pool(name);
    } catch (error) {
      if (error instanceof UnknownPool) return null;
      throw error;
    }
  }

  /** Removes a board, whoever asked for it. */
  private async remove(name: string): Promise<boolean> {
    await this.boards.drop(name, Number.MAX_SAFE_INTEGER);
    return false;
  }

  /** Reads the next ratings into a board that is being made, once all events before its begin are final. */
  private async fill(name: string, start: BoardBuild): Promise<boolean> {
    if (start.awaited && !(await this.feed.over(start.awaited.fence))) return false;
    const safe = start.awaited ? String(start.awaited.last) : start.safe;
    const until = performance.now() + turnMs;
    let build = { ...start, safe, seen: safe, awaited: null };
    do {
      const pool = await this.ratings.pool(name);
      if (madeForOf(pool) !== build.madeFor) return true;
      const page = await this.ratings.page(pool, build.through, pageSize);
      const now = this.clock.now();
      const ranked = page
        .map(({ playerId, ...rating }) => entryAt(boardEntry(pool, playerId, rating), now))
        .filter(({ mu }) => mu !== null);
      const done = { ...build, through: page.at(-1)?.playerId ?? build.through };
      if (!(await this.boards.write(name, build, ranked, done))) return true;
      if (page.length < pageSize) {
        await this.boards.finish(name, build.id);
        return true;
      }
      build = done;
    } while (performance.now() < until);
    return true;
  }

  /**
   * Brings a board up to the ledger's end:
   *
   * 1. New events are read at once, in the order of their numbers.
   * 2. When all transactions that could commit lower numbers are over, the events since `safe` are read again: they are final.
   */
  private async follow(name: string, board: BoardBuild): Promise<boolean> {
    const left = await this.boards.sweep(name, board.id, this.clock.now());
    const last = await this.feed.last();
    const safe = BigInt(board.safe);
    // Postgres lost events that the board has followed, so their numbers may come again.
    if (last < safe) return this.remove(name);
    if (last === safe) return left;
    const awaited = board.awaited ?? (await this.feed.end());
    const isFinal = await this.feed.over(awaited.fence);
    const pool = await this.ratings.pool(name);
    const changed = await this.feed.after(pool, isFinal ? safe : BigInt(board.seen), eventsAtOnce);
    const { pool: current, ratings } = await this.ratings.of(name, changed.playerIds);
    if (madeForOf(current) !== board.madeFor) return true;
    const now = this.clock.now();
    const entries = [...ratings].map(([playerId, rating]) =>
      entryAt(boardEntry(current, playerId, rating), now),
    );
    const done = isFinal ? reachedBy(board, awaited, changed) : { ...seenBy(board, changed), awaited };
    const kept = await this.boards.write(name, board, entries, done);
    return kept && (changed.more || left);
  }
}

/**
 * How far a board is after it read final events. Numbers are of all pools: without more events of its own, a board is up to
 * date with the last of them.
 */
function reachedBy(board: BoardBuild, awaited: LedgerEnd, changed: ChangedPlayers): BoardProgress {
  const { last, more } = changed;
  const isBehind = more && last !== null && last < awaited.last;
  return {
    ...seenBy({ ...board, seen: String(later(BigInt(board.seen), awaited.last)) }, changed),
    ...(isBehind ? { safe: String(last), awaited } : { safe: String(awaited.last), awaited: null }),
  };
}

function seenBy({ seen }: BoardBuild, { last }: ChangedPlayers): BoardProgress {
  return { seen: String(later(BigInt(seen), last ?? 0n)) };
}

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);
