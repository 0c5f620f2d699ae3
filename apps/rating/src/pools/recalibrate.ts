import { message, type RatingPool } from '@muster/domain';
import { leastToCalibrate, mostToCalibrate, recalibrated } from '@muster/skill';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { PostgresPools } from './pools.store.js';
import type { PostgresRatedMatches } from './rated-matches.store.js';

/** A calibration is evaluated again after this many rated matches, or this share of all. */
const maxInterval = 1_000;
const growth = 0.1;

/** Refits the calibration of each pool from its own history. A better one takes effect. */
export class Recalibrate {
  /** The number of rated matches at a pool's last evaluation. */
  private readonly evaluatedAt = new Map<string, number>();
  /** The number of reported matches until a pool is evaluated out of turn. */
  private readonly matchesUntilDue = new Map<string, number>();

  constructor(
    private readonly ratings: Pick<PostgresRatings, 'pool' | 'pools'>,
    private readonly pools: Pick<PostgresPools, 'change'>,
    private readonly rated: Pick<PostgresRatedMatches, 'count' | 'latest'>,
    private readonly onChange: (pool: RatingPool) => void,
  ) {}

  /**
   * Called after a reported match was rated. A replayed history grows by thousands of matches between two runs of the
   * loop. Evaluating by length as well makes the result independent of the speed of the replay.
   */
  async reported(name: string): Promise<void> {
    const left = (this.matchesUntilDue.get(name) ?? leastToCalibrate) - 1;
    this.matchesUntilDue.set(name, left > 0 ? left : leastToCalibrate);
    if (left <= 0)
      this.matchesUntilDue.set(name, Math.ceil(await this.evaluate(await this.ratings.pool(name))));
  }

  async run(): Promise<void> {
    for (const pool of await this.ratings.pools()) await this.evaluate(pool);
  }

  /** @returns the number of matches until the next evaluation is useful */
  private async evaluate(pool: RatingPool): Promise<number> {
    const { matches, underVersion } = await this.rated.count(pool);
    const due = Math.max(leastToCalibrate, Math.min(maxInterval, growth * matches));
    const key = `${pool.name} ${pool.generation} ${pool.version}`;
    if (underVersion - (this.evaluatedAt.get(key) ?? 0) < due) return due;
    this.evaluatedAt.set(key, underVersion);
    const history = await this.rated.latest(pool, mostToCalibrate);
    const better = recalibrated(pool.calibration, history.matches);
    if (!better) return due;
    const why = [message('pool.learned', { matches: better.matches })];
    const changed = await this.pools.change(pool, pool.rules, better, why);
    if (changed) this.onChange(changed);
    return due;
  }
}
