import { viewsOf, type MyRatingView, type RatingHistory, type RatingView } from '@muster/contracts';
import type {
  Clock,
  LedgerStore,
  PlayerRating,
  RatingPool,
  SkillBelief,
  StoredRating,
  TimeRange,
} from '@muster/domain';
import { divisionAfter, isStale, shadowOf } from '@muster/skill';
import { opened, type OpenPool } from '../pools/open-pool.js';
import { stateOf, unrated } from './rater.js';

/** Reads ratings; a player without one has the pool's start value. */
export class Standings {
  constructor(
    private readonly ledger: LedgerStore,
    private readonly clock: Clock,
  ) {}

  /** The rating changes of matches. */
  changes(matchIds: readonly string[]): ReturnType<LedgerStore['changes']> {
    return this.ledger.changes(matchIds);
  }

  /** The ratings of players, in order. @throws UnknownPool */
  async of(
    poolName: string,
    playerIds: readonly string[],
  ): Promise<{ pool: RatingPool; start: SkillBelief; ratings: PlayerRating[] }> {
    const { pool, ratings } = await this.ledger.ratings(poolName, playerIds);
    const { model, start } = opened(pool);
    return {
      pool,
      start,
      ratings: playerIds.map((playerId) => {
        const rating = ratings.get(playerId) ?? unrated;
        return { playerId, ...model.model.belief(stateOf(model, rating)), matches: rating.matches };
      }),
    };
  }

  /** A rating as operators see it. */
  async show(poolName: string, playerId: string): Promise<RatingView> {
    const { pool, ratings } = await this.ledger.ratings(poolName, [playerId]);
    return view(pool, playerId, ratings.get(playerId) ?? unrated, this.clock.now());
  }

  /** Ratings as operators see them, in order. */
  async showAll(poolName: string, playerIds: readonly string[]): Promise<RatingView[]> {
    const { pool, ratings } = await this.ledger.ratings(poolName, playerIds);
    const now = this.clock.now();
    return playerIds.map((playerId) => view(pool, playerId, ratings.get(playerId) ?? unrated, now));
  }

  async page(poolName: string, after: string, limit: number): Promise<RatingView[]> {
    const pool = await this.ledger.pool(poolName);
    const now = this.clock.now();
    return (await this.ledger.page(pool, after, limit)).map(({ playerId, ...rating }) =>
      view(pool, playerId, rating, now),
    );
  }

  /** A rating as its player sees it: a division, or none before the shadow ends. */
  async mine(poolName: string, playerId: string): Promise<MyRatingView> {
    const { matches, division, shadow, stale } = await this.show(poolName, playerId);
    return {
      pool: poolName,
      playerId,
      matches,
      division: shadow.hidden ? null : division,
      matchesUntilShown: shadow.matchesLeft,
      stale,
    };
  }

  async history(poolName: string, playerId: string, limit: number, range: TimeRange): Promise<RatingHistory> {
    const pool = await this.ledger.pool(poolName);
    const changes = await this.ledger.history(pool, playerId, limit, range);
    return {
      changes: changes.map(({ messages, ...change }) => {
        const reasonMessages = viewsOf(messages);
        return { ...change, ...(reasonMessages ? { reasonMessages } : {}) };
      }),
    };
  }
}

function view(pool: RatingPool, playerId: string, rating: StoredRating, now: number): RatingView {
  const open = opened(pool);
  const state = stateOf(open.model, rating);
  const { mu, sigma } = open.model.model.belief(state);
  const { hidden, left } = shadowOf({
    matches: rating.matches,
    shadowMatches: pool.rules.shadowMatches,
  });
  return {
    pool: pool.name,
    playerId,
    mu,
    sigma,
    display: open.model.model.display(state),
    matches: rating.matches,
    division: stepOf(open, rating.division, mu),
    shadow: { hidden, matchesLeft: left },
    stale: isStale(rating.lastRatedAt, now, pool.rules.staleAfterDays),
    lastRatedAt: rating.lastRatedAt,
  };
}

function stepOf({ divisions, margin }: OpenPool, current: string | null, mu: number): RatingView['division'] {
  const { name } = divisionAfter(divisions, current, mu, margin);
  return { name, step: divisions.findIndex((division) => division.name === name) + 1, of: divisions.length };
}
