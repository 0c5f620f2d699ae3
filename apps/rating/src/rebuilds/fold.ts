import {
  MatchUnratable,
  message,
  Unsolvable,
  type Calibration,
  type FoldedEvent,
  type PoolRules,
  type RatingPool,
  type Explanation,
  type SequencedEvent,
  type StoredRating,
} from '@muster/domain';
import { leastToCalibrate, mostToCalibrate, recalibrated, uncalibrated, type Sample } from '@muster/skill';
import { poolRater } from '../ledger/rater.js';

/** A calibration is learned anew whenever the history has grown by this much. */
const growth = 1.1;

export interface Versions {
  /** Rules and calibration as they were at a version. */
  of(version: number): Promise<RatingPool>;
  /** Keeps rules and calibration under a new version. */
  add(rules: PoolRules, calibration: Calibration, why: Explanation): Promise<number>;
}

/**
 * A pool's history, rated from nothing. Without rules of its own each event is rated under the version that it was rated under
 * before, so the result is what is in force, to the bit. With rules, the calibration is learned on the way, from what was
 * already folded and at lengths of the history that depend on nothing else: the same history gives the same ratings.
 */
export class Fold {
  readonly ratings = new Map<string, StoredRating>();
  /** Players whose ratings changed since they were last written. */
  readonly changed = new Set<string>();
  skipped = 0;
  private samples: Sample[] = [];
  private matches = 0;
  private learnAt = leastToCalibrate;

  private constructor(
    private pool: RatingPool,
    private readonly rules: PoolRules | null,
  ) {}

  /** @param current the pool as it is */
  static async begin(current: RatingPool, rules: PoolRules | null, versions: Versions): Promise<Fold> {
    if (rules === null) return new Fold(current, null);
    const version = await versions.add(rules, uncalibrated, `A rebuild under ${rules.model}.`);
    return new Fold({ ...current, rules, calibration: uncalibrated, version }, rules);
  }

  /** As far as this one is, to go on from there without it. */
  copy(): Fold {
    const copy = new Fold(this.pool, this.rules);
    for (const [playerId, rating] of this.ratings) copy.ratings.set(playerId, rating);
    for (const playerId of this.changed) copy.changed.add(playerId);
    copy.skipped = this.skipped;
    copy.samples = [...this.samples];
    copy.matches = this.matches;
    copy.learnAt = this.learnAt;
    return copy;
  }

  /** The version to put in force after the last event; null where each event has its own. */
  get version(): number | null {
    return this.rules === null ? null : this.pool.version;
  }

  /** The pool as it stands after the last event. */
  get current(): RatingPool {
    return this.pool;
  }

  /** Rates one event after those before. @returns null when the pool's model cannot take it, or did not when it was in force */
  async step({ sequence, event, version }: SequencedEvent, versions: Versions): Promise<FoldedEvent | null> {
    if (this.rules === null && version === null) {
      this.skipped++;
      return null;
    }
    const pool =
      this.rules === null && version !== null && version !== this.pool.version
        ? await versions.of(version)
        : this.pool;
    try {
      const applied = poolRater.apply(pool, event, this.ratings);
      for (const { playerId, rating } of applied.players) {
        this.ratings.set(playerId, rating);
        this.changed.add(playerId);
      }
      if (this.rules !== null && event.kind === 'match' && applied.forecast) {
        const { raw, features } = applied.forecast;
        await this.learn({ raw, features, ranks: event.ranks }, this.rules, versions);
      }
      return { sequence, event, version: pool.version, applied };
    } catch (error) {
      // A rating that was given may be one that another model cannot hold.
      const unfit = event.kind === 'match' ? error instanceof MatchUnratable : error instanceof Unsolvable;
      if (!unfit) throw error;
      this.skipped++;
      return null;
    }
  }

  /** Ratings that changed since this was last asked. */
  takeChanged(): Map<string, StoredRating> {
    const changed = new Map<string, StoredRating>();
    for (const playerId of this.changed) {
      const rating = this.ratings.get(playerId);
      if (rating) changed.set(playerId, rating);
    }
    this.changed.clear();
    return changed;
  }

  private async learn(sample: Sample, rules: PoolRules, versions: Versions): Promise<void> {
    this.samples.push(sample);
    if (this.samples.length > 2 * mostToCalibrate) this.samples = this.samples.slice(-mostToCalibrate);
    if (++this.matches < this.learnAt) return;
    this.learnAt = Math.ceil(this.matches * growth);
    const calibration = recalibrated(this.pool.calibration, this.samples);
    if (!calibration) return;
    const why = [message('pool.learned-in-rebuild', { matches: calibration.matches })];
    const version = await versions.add(rules, calibration, why);
    this.pool = { ...this.pool, calibration, version };
  }
}
