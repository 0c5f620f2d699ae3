import type { LeaderboardRow, LeaderboardView, ReadLeaderboard } from '@muster/contracts';
import { LeaderboardUnavailable, type Clock, type RatingPool, type StoredRating } from '@muster/domain';
import { divisionAfter } from '@muster/skill';
import { currentOf, unrated } from '../core/current.js';
import { opened } from '../core/open-pool.js';
import type { Unranked } from '../core/ranked.js';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { Names } from '../names/names.js';
import { unrankedFor } from './board-entry.js';
import type { BoardName, BoardPage, BoardQuestion } from './board.js';
import type { RedisBoards } from './board.store.js';

/** How long a call waits for a board that is being made, in milliseconds. A small one is made at once. */
const longestWaitMs = 2_000;
const pauseMs = 25;

/** Who asks: figures are for operators and servers, and a player learns why only they are not ranked. */
export interface BoardReader {
  readonly playerId: string | null;
}

/** What waits and wakes; passed in like time. */
export interface Waiting {
  /** Makes the boards that were asked for now. */
  wake(): void;
  pause(ms: number): Promise<void>;
}

/** Reads leaderboards: ranks from the board, divisions and names beside them. */
export class Leaderboards {
  /** Pools that exist; they are never deleted. */
  private readonly known = new Set<string>();
  private readonly waits = new Map<string, Promise<void>>();

  constructor(
    private readonly boards: Pick<RedisBoards, 'read'>,
    private readonly ratings: Pick<PostgresRatings, 'pool' | 'of'>,
    private readonly names: Pick<Names, 'of'>,
    private readonly clock: Clock,
    private readonly waiting: Waiting,
  ) {}

  /** @throws UnknownPool, LeaderboardUnavailable while the board is being made */
  async read(pool: string, query: ReadLeaderboard, reader: BoardReader): Promise<LeaderboardView> {
    await this.refuseUnknown(pool);
    const { region = null, around } = query;
    const page = await this.page({ pool, region }, questionOf(query));
    const ids = page.places.map(({ playerId }) => playerId);
    const isAbsent = around !== undefined && !ids.includes(around);
    const [found, names] = await Promise.all([
      this.ratings.of(pool, isAbsent ? [...ids, around] : ids),
      this.names.of(ids),
    ]);
    return {
      pool,
      region,
      season: page.season === 0 ? null : page.season,
      players: page.players,
      rows: rowsOf(page, found, names, reader, this.clock.now()),
      notRanked: isAbsent
        ? this.reasonFor(around, found.pool, found.ratings.get(around) ?? unrated, region, reader)
        : null,
    };
  }

  private async refuseUnknown(pool: string): Promise<void> {
    if (this.known.has(pool)) return;
    await this.ratings.pool(pool);
    this.known.add(pool);
  }

  private async page(name: BoardName, question: BoardQuestion): Promise<BoardPage> {
    const page = await this.boards.read(name, question, this.clock.now());
    if (page) return page;
    await this.made(name.pool);
    const later = await this.boards.read(name, question, this.clock.now());
    if (later) return later;
    throw new LeaderboardUnavailable(
      `The leaderboard of "${name.pool}" is being made from its ratings; ask again in a moment.`,
      { pool: name.pool },
    );
  }

  /** Resolves when the board of a pool is made, or after `longestWaitMs`. Calls that wait for one board share the wait. */
  private made(pool: string): Promise<void> {
    const known = this.waits.get(pool);
    if (known) return known;
    const wait = this.untilMade(pool).finally(() => this.waits.delete(pool));
    this.waits.set(pool, wait);
    return wait;
  }

  private async untilMade(pool: string): Promise<void> {
    this.waiting.wake();
    // By the clock, not by the number of reads: each may take long while Redis is being filled.
    const until = this.clock.now() + longestWaitMs;
    while (this.clock.now() < until) {
      await this.waiting.pause(pauseMs);
      const nobody: BoardQuestion = { kind: 'players', playerIds: [] };
      if (await this.boards.read({ pool, region: null }, nobody, this.clock.now())) return;
    }
  }

  private reasonFor(
    playerId: string,
    pool: RatingPool,
    rating: StoredRating,
    region: string | null,
    reader: BoardReader,
  ): string {
    if (reader.playerId !== null && reader.playerId !== playerId)
      return `${playerId} is not on this leaderboard.`;
    const unranked = unrankedFor(pool, rating, this.clock.now());
    if (unranked) return reasonText(playerId, unranked);
    return region !== null && rating.region !== region
      ? `${playerId} played last in ${rating.region ?? 'no region'}, not in ${region}.`
      : `${playerId} is not ranked, or the leaderboard has not followed the last match yet.`;
  }
}

/** The places that a query asks for. */
export function questionOf({ from = 1, limit, around, players }: ReadLeaderboard): BoardQuestion {
  if (players) return { kind: 'players', playerIds: players };
  return around === undefined ? { kind: 'top', from, limit } : { kind: 'around', playerId: around, limit };
}

/**
 * The rows of a page. A board follows ratings within a second, so those of a player who was erased, reset or hidden meanwhile are
 * left out. After the start of a season the board of the last one is read until the new one is made.
 */
function rowsOf(
  { places, season }: BoardPage,
  { pool, ratings }: { readonly pool: RatingPool; readonly ratings: ReadonlyMap<string, StoredRating> },
  names: ReadonlyMap<string, string>,
  { playerId: player }: BoardReader,
  now: number,
): LeaderboardRow[] {
  const open = opened(pool);
  const isCurrent = season === (pool.seasons?.length ?? 0);
  return places.flatMap(({ playerId, rank, mu }) => {
    const rating = ratings.get(playerId);
    if (!rating || (isCurrent && unrankedFor(pool, rating, now))) return [];
    const { division } = currentOf(open, pool.seasons, rating);
    return [
      {
        rank,
        playerId,
        name: names.get(playerId) ?? null,
        division: divisionAfter(open.divisions, division, mu, open.margin).name,
        matches: rating.matches,
        ...(player === null ? { mu } : {}),
      },
    ];
  });
}

function reasonText(playerId: string, unranked: Unranked): string {
  switch (unranked.why) {
    case 'no-match':
      return `${playerId} has no rated match in this pool.`;
    case 'no-match-in-season':
      return `${playerId} has no rated match in this season.`;
    case 'hidden':
      return `The rating of ${playerId} is shown after ${unranked.left === 1 ? 'one more match' : `${unranked.left} more matches`}.`;
    case 'away':
      return `${playerId} has not been ranked since ${new Date(unranked.since).toISOString().slice(0, 10)}, after too long without a match; the next match brings them back.`;
  }
}
