import { message, type LedgerStore, type RatingPool } from '@muster/domain';
import { leastToCalibrate, mostToCalibrate, recalibrated } from '@muster/skill';

/** A calibration is thought over when so many matches, or this share of all, were rated since the last. */
const mostBetween = 1_000;
const growth = 0.1;

/** Refits the calibration of each pool from its own history, and puts it in force where it predicts better. */
export class Recalibrate {
  /** Matches there were when a pool was last thought over. */
  private readonly considered = new Map<string, number>();
  /** Reported matches that a pool still waits for before it is thought over out of turn. */
  private readonly waitsFor = new Map<string, number>();

  constructor(
    private readonly ledger: LedgerStore,
    private readonly onChange: (pool: RatingPool) => void,
  ) {}

  /**
   * Told of a match that was just reported and rated. A history that is replayed grows by thousands of matches between two
   * rounds of the clock; so it is thought over by its length too, and the figures do not depend on how fast it came.
   */
  async reported(name: string): Promise<void> {
    const left = (this.waitsFor.get(name) ?? leastToCalibrate) - 1;
    this.waitsFor.set(name, left > 0 ? left : leastToCalibrate);
    if (left <= 0) this.waitsFor.set(name, Math.ceil(await this.consider(await this.ledger.pool(name))));
  }

  async run(): Promise<void> {
    for (const pool of await this.ledger.pools()) await this.consider(pool);
  }

  /** @returns how many matches later it is worth doing again */
  private async consider(pool: RatingPool): Promise<number> {
    const { matches, underVersion } = await this.ledger.ratedCount(pool);
    const due = Math.max(leastToCalibrate, Math.min(mostBetween, growth * matches));
    const key = `${pool.name} ${pool.generation} ${pool.version}`;
    if (underVersion - (this.considered.get(key) ?? 0) < due) return due;
    this.considered.set(key, underVersion);
    const history = await this.ledger.rated(pool, mostToCalibrate);
    const better = recalibrated(pool.calibration, history.matches);
    if (!better) return due;
    const why = [message('pool.learned', { matches: better.matches })];
    const changed = await this.ledger.changePool(pool, pool.rules, better, why);
    if (changed) this.onChange(changed);
    return due;
  }
}
