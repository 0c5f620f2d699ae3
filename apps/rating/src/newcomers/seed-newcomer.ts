import {
  message,
  type Clock,
  type Ids,
  type Message,
  type RatingPool,
  type SkillBelief,
  type StoredRating,
} from '@muster/domain';
import { beliefAfter, explainedBy, measuredBy, rangeFlaw, readPoolFit, type PoolFit } from '@muster/skill';
import { stateAt, unrated } from '../core/current.js';
import { givenEvent, opened } from '../core/open-pool.js';
import type { PostgresRatings } from '../core/ratings.store.js';
import { sameRules } from './fit-pools.js';
import type { PostgresStatsFits } from './stats-fits.store.js';
import { statsOf } from './stats-rows.js';

/** Attempts for a player whose matches are rated meanwhile. */
const attempts = 5;

/** A match of the player was rated between the read of the rating and its lock. */
class RatingMoved extends Error {}

/** A newcomer's rating from results and stats, and what says so. */
export interface Measured {
  readonly belief: SkillBelief;
  readonly message: Message;
}

/**
 * Seeds newcomers by their stats, where the pool's fit is good enough.
 *
 * Results and stats are two measurements of one skill. What results say is a normal belief that has the pool's prior in it;
 * what stats say is a value and its error without the prior, and without what the stats owe to the results. They are combined
 * by precision, and recorded as one `seed` in the ledger, so a rebuild needs no fit.
 */
export class SeedNewcomer {
  constructor(
    private readonly ratings: Pick<PostgresRatings, 'of' | 'record'>,
    private readonly fits: PostgresStatsFits,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /**
   * A newcomer's rating by results, after the stats of their latest matches.
   *
   * @returns null where the pool does not seed by stats, or the player has none
   */
  async combine(pool: RatingPool, playerId: string, byResults: SkillBelief): Promise<Measured | null> {
    const fit = await this.inUse(pool);
    const window = pool.rules.placement?.window ?? 0;
    if (!fit) return null;
    const matches = await this.fits.matchesOf(pool.name, pool.generation, playerId, window);
    const rows = matches.flatMap((match) => statsOf(match, playerId) ?? []);
    const measured = measuredBy(fit, rows);
    if (!measured) return null;
    const belief = beliefAfter(byResults, measured);
    if (rangeFlaw(belief, opened(pool).model.model.range, pool.rules.model)) return null;
    return {
      belief,
      message: message('rating.measured', {
        matches: rows.length,
        value: measured.mu,
        error: measured.sigma,
        share: explainedBy(fit),
        byResults: byResults.mu,
        doubt: byResults.sigma,
        ...belief,
      }),
    };
  }

  /**
   * Seeds a player who has played enough matches of a pool whose queues do not calibrate. A repeated call has no effect.
   *
   * @returns whether the player was seeded now
   */
  async seed(pool: string, playerId: string): Promise<boolean> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.attempt(pool, playerId);
      } catch (error) {
        if (!(error instanceof RatingMoved) || attempt === attempts) throw error;
      }
  }

  private async attempt(name: string, playerId: string): Promise<boolean> {
    const { pool, ratings } = await this.ratings.of(name, [playerId]);
    const rating = ratings.get(playerId) ?? unrated;
    if (!pool.rules.placement || !isUnset(rating) || (await this.fits.isCalibrated(name))) return false;
    const open = opened(pool);
    const at = this.clock.now();
    const before = open.model.model.belief(stateAt(open, pool.seasons, rating, at));
    const measured = await this.combine(pool, playerId, { mu: before.mu, sigma: before.sigma });
    if (!measured) return false;
    const event = givenEvent(pool, {
      kind: 'seed',
      eventId: this.ids.derive('plc', JSON.stringify([name, playerId])),
      at,
      playerId,
      ...measured.belief,
      by: 'placement',
      reason: [measured.message],
    });
    return this.ratings.record(name, event, at, (held) => checkSame(held, rating, name));
  }

  /** The pool's fit, if newcomers are seeded by it. */
  private async inUse({ name, generation, rules }: RatingPool): Promise<PoolFit | null> {
    if (!rules.placement) return null;
    const record = await this.fits.fit(name);
    const isCurrent = record?.generation === generation && sameRules(record.rules, rules.placement);
    return isCurrent && record.refusal === null && record.fit !== null ? readPoolFit(record.fit) : null;
  }
}

/** A rating that only matches have changed. */
function isUnset({ matches, setAt }: StoredRating): boolean {
  return matches > 0 && !setAt;
}

/** @throws RatingMoved if the rating is no longer the one that was read */
function checkSame(held: ReadonlyMap<string, StoredRating>, read: StoredRating, pool: string): void {
  for (const { matches, setAt } of held.values())
    if (matches !== read.matches || setAt)
      throw new RatingMoved(`A match was rated while its player was seeded in "${pool}".`);
}
