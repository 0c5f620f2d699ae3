import {
  MatchUnratable,
  message,
  Unsolvable,
  type Calibration,
  type PoolRules,
  type RatingPool,
  type Season,
  type Explanation,
  type StoredRating,
} from '@muster/domain';
import { leastToCalibrate, mostToCalibrate, recalibrated, uncalibrated, type Sample } from '@muster/skill';
import { rateEvent } from '../core/rater.js';
import { seasonOf } from '../core/season.js';
import type { FoldedEvent, SequencedEvent } from './rebuild.js';

/** A calibration is fitted again each time the history has grown by this factor. */
const growth = 1.1;

export interface Versions {
  /** The rules and calibration of a version. */
  of(version: number): Promise<RatingPool>;
  /** Stores rules and calibration as a new version. */
  add(rules: PoolRules, calibration: Calibration, why: Explanation): Promise<number>;
}

/**
 * A fold over a pool's history. Without new rules, each event is rated under its original version, so the result equals
 * live operation bit for bit. With new rules, the calibration is fitted from the events folded so far, at lengths of
 * the history that depend on nothing else, so the same history gives the same ratings.
 */
export class Fold {
  readonly ratings = new Map<string, StoredRating>();
  /** Players whose ratings changed since the last write. */
  readonly changed = new Set<string>();
  skipped = 0;
  private samples: Sample[] = [];
  private matches = 0;
  private learnAt = leastToCalibrate;
  /** Those that have begun by the last event; the pool's own list may be longer. */
  private seasons: readonly Season[] = [];

  private constructor(
    private pool: RatingPool,
    private readonly rules: PoolRules | null,
  ) {}

  /** @param current the pool as it is now */
  static async begin(current: RatingPool, rules: PoolRules | null, versions: Versions): Promise<Fold> {
    if (rules === null) return new Fold(current, null);
    const version = await versions.add(rules, uncalibrated, `A rebuild under ${rules.model}.`);
    return new Fold({ ...current, rules, calibration: uncalibrated, version }, rules);
  }

  /** An independent copy of this fold's state. */
  copy(): Fold {
    const copy = new Fold(this.pool, this.rules);
    for (const [playerId, rating] of this.ratings) copy.ratings.set(playerId, rating);
    for (const playerId of this.changed) copy.changed.add(playerId);
    copy.skipped = this.skipped;
    copy.samples = [...this.samples];
    copy.matches = this.matches;
    copy.learnAt = this.learnAt;
    copy.seasons = this.seasons;
    return copy;
  }

  /** The version that takes effect after the last event; null if each event has its own. */
  get version(): number | null {
    return this.rules === null ? null : this.pool.version;
  }

  /** The pool after the last event. */
  get current(): RatingPool {
    return this.pool;
  }

  /** Rates the next event. @returns null if the pool's model cannot rate it, or could not when it was in force */
  async step({ sequence, event, version }: SequencedEvent, versions: Versions): Promise<FoldedEvent | null> {
    if (event.kind === 'season') {
      this.seasons = [...this.seasons, seasonOf(event, sequence)];
      return null;
    }
    if (this.rules === null && version === null) {
      this.skipped++;
      return null;
    }
    const pool =
      this.rules === null && version !== null && version !== this.pool.version
        ? await versions.of(version)
        : this.pool;
    try {
      const applied = rateEvent({ ...pool, seasons: this.seasons }, event, this.ratings);
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
      // Another model may be unable to represent a rating that was set.
      const unfit = event.kind === 'match' ? error instanceof MatchUnratable : error instanceof Unsolvable;
      if (!unfit) throw error;
      this.skipped++;
      return null;
    }
  }

  /** Ratings that changed since the last call. */
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
