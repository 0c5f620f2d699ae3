import {
  viewsOf,
  type MyRatingHistory,
  type MyRatingView,
  type RatingHistory,
  type RatingView,
} from '@muster/contracts';
import type {
  Clock,
  MatchAspects,
  PlayerRating,
  RatingPool,
  SkillBelief,
  StoredRating,
  TimeRange,
} from '@muster/domain';
import { aspectWorths, isStale, type AspectSkills } from '@muster/skill';
import { opened, type OpenPool } from '../core/open-pool.js';
import { withComputedChanges, withCorrections } from './computed-rows.js';
import { afterTime, currentOf, hiddenFor, standingAt, unrated } from '../core/current.js';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { PostgresRatingHistory } from './history.store.js';
import { ownHistory } from './own-history.js';

const dayMs = 86_400_000;
/** Changes of one player read at most. */
const historyRead = 1_000;

/** Reads ratings; a player without one has the pool's start value. */
export class ReadRatings {
  constructor(
    private readonly ratings: Pick<PostgresRatings, 'of' | 'page' | 'pool'>,
    private readonly past: Pick<PostgresRatingHistory, 'of' | 'corrections'>,
    private readonly clock: Clock,
  ) {}

  /**
   * The ratings of players, in order.
   *
   * @param match asks what the players count in it, where the pool rates aspects or the match has sides
   * @throws UnknownPool
   */
  async of(
    poolName: string,
    playerIds: readonly string[],
    match?: MatchAspects,
  ): Promise<{ pool: RatingPool; start: SkillBelief; ratings: PlayerRating[] }> {
    const { pool, ratings } = await this.ratings.of(poolName, playerIds);
    const open = opened(pool);
    const now = this.clock.now();
    const stored = playerIds.map((playerId) => ratings.get(playerId) ?? unrated);
    const current = stored.map((rating) => currentOf(open, pool.seasons, rating));
    const worths =
      match && (open.rules.aspects || match.sides.length > 0)
        ? aspectWorths(
            open.model,
            pool.calibration,
            match,
            current.map(({ aspects }) => aspects ?? []),
          )
        : [];
    return {
      pool,
      start: open.start,
      ratings: playerIds.map((playerId, i) => {
        const { state, since } = current[i] ?? currentOf(open, pool.seasons, unrated);
        const belief = open.model.model.belief(afterTime(open, state, since, now));
        const worth = worths[i];
        return { playerId, ...belief, matches: stored[i]?.matches ?? 0, ...(worth ? { worth } : {}) };
      }),
    };
  }

  /** A rating as operators see it. */
  async show(poolName: string, playerId: string): Promise<RatingView> {
    const { pool, ratings } = await this.ratings.of(poolName, [playerId]);
    return view(pool, playerId, ratings.get(playerId) ?? unrated, this.clock.now());
  }

  /** Ratings as operators see them, in order. */
  async showAll(poolName: string, playerIds: readonly string[]): Promise<RatingView[]> {
    const { pool, ratings } = await this.ratings.of(poolName, playerIds);
    const now = this.clock.now();
    return playerIds.map((playerId) => view(pool, playerId, ratings.get(playerId) ?? unrated, now));
  }

  async page(poolName: string, after: string, limit: number): Promise<RatingView[]> {
    const pool = await this.ratings.pool(poolName);
    const now = this.clock.now();
    return (await this.ratings.page(pool, after, limit)).map(({ playerId, ...rating }) =>
      view(pool, playerId, rating, now),
    );
  }

  /** A rating as its player sees it: a division, or none before the shadow ends. */
  async mine(poolName: string, playerId: string): Promise<MyRatingView> {
    const { matches, seasonMatches, division, shadow, stale, inactiveFrom } = await this.show(
      poolName,
      playerId,
    );
    return {
      pool: poolName,
      playerId,
      matches,
      ...(seasonMatches === undefined ? {} : { seasonMatches }),
      division: shadow.hidden ? null : division,
      matchesUntilShown: shadow.matchesLeft,
      stale,
      inactiveFrom,
    };
  }

  /** A player's latest changes as they see them. */
  async myHistory(
    poolName: string,
    playerId: string,
    limit: number,
    { from = -Infinity, to = Infinity }: TimeRange,
  ): Promise<MyRatingHistory> {
    const { pool, ratings } = await this.ratings.of(poolName, [playerId]);
    const open = opened(pool);
    const { divisions } = open;
    const seasons = pool.seasons ?? [];
    const { matches } = ratings.get(playerId) ?? unrated;
    // From the latest on, whatever is asked for: its place among the player's matches decides whether a change is hidden.
    const rows = withComputedChanges(await this.past.of(pool, playerId, historyRead), seasons);
    const changes = ownHistory(rows, matches, open, seasons);
    const named = (name: string | null) => (name === null ? null : stepOf(divisions, name));
    return {
      pool: poolName,
      playerId,
      changes: changes
        .filter(({ at }) => at >= from && at < to)
        .slice(0, limit)
        .map(({ before, after, ...change }) => ({ ...change, before: named(before), after: named(after) })),
    };
  }

  async history(poolName: string, playerId: string, limit: number, range: TimeRange): Promise<RatingHistory> {
    const pool = await this.ratings.pool(poolName);
    const [changes, corrections] = await Promise.all([
      this.past.of(pool, playerId, limit, range),
      this.past.corrections(pool, playerId),
    ]);
    const rows = withCorrections(withComputedChanges(changes, pool.seasons), corrections, limit, range);
    return {
      changes: rows.map(({ messages, ...change }) => {
        const reasonMessages = viewsOf(messages);
        return { ...change, ...(reasonMessages ? { reasonMessages } : {}) };
      }),
    };
  }
}

function view(pool: RatingPool, playerId: string, rating: StoredRating, now: number): RatingView {
  const open = opened(pool);
  const current = standingAt(open, pool.seasons, rating, now);
  const { hidden, left } = hiddenFor(open, pool.seasons, rating.matches, current.seasonMatches);
  return {
    pool: pool.name,
    playerId,
    mu: current.mu,
    sigma: current.sigma,
    display: open.model.model.display(current.state),
    matches: rating.matches,
    ...(pool.seasons?.length ? { seasonMatches: current.seasonMatches } : {}),
    division: stepOf(open.divisions, current.division),
    shadow: { hidden, matchesLeft: left },
    stale: isStale(rating.lastRatedAt, now, pool.rules.staleAfterDays),
    lastRatedAt: rating.lastRatedAt,
    inactiveFrom: changesFrom(open, current.since),
    ...(open.rules.aspects ? { aspects: aspectsView(current.aspects ?? []) } : {}),
  };
}

/** Skills by aspect, sorted by name. */
function aspectsView(aspects: AspectSkills): NonNullable<RatingView['aspects']> {
  return aspects
    .map(({ name, mean, variance, matches }) => ({ name, mean, sd: Math.sqrt(variance), matches }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** When time without a match begins to change the rating; null: never. */
function changesFrom({ inactivity }: OpenPool, since: number | null): number | null {
  return inactivity && since !== null ? Math.round(since + inactivity.afterDays * dayMs) : null;
}

/** A division with its place among those of the pool. */
function stepOf(divisions: OpenPool['divisions'], name: string): NonNullable<MyRatingView['division']> {
  return { name, step: divisions.findIndex((division) => division.name === name) + 1, of: divisions.length };
}
