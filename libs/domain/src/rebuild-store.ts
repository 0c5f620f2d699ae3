import type { Applied, PlayerEvent, RatingEvent } from './ledger-store.js';
import type { Message, Explanation } from './messages/message.js';
import type { Calibration, RatingPool } from './rating-pool.js';
import type { PoolRules } from './schemas/pool-rules.js';
import type { StoredRating } from './ledger-store.js';

export interface RebuildRequest {
  readonly rebuildId: string;
  readonly pool: string;
  /** The rules to rate under; null for those that each event was rated under. */
  readonly rules: PoolRules | null;
  /** Fit all ratings at once to the whole history instead of folding it. */
  readonly refit: boolean;
  readonly reason: string;
}

export interface Rebuild extends RebuildRequest {
  /** The messages of `reason`; absent where it is an operator's text, or the previous release wrote it. */
  readonly messages?: readonly Message[] | undefined;
  /** The model of the pool when it was requested; absent: the pool's present one. */
  readonly model?: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly generation: number;
  readonly done: number;
  readonly total: number;
  readonly skipped: number;
  readonly error: string | null;
  readonly startedAt: number;
  readonly finishedAt: number | null;
}

/** An event with its place in the order in which events took effect, and the version it was rated under. */
export interface SequencedEvent {
  readonly sequence: number;
  readonly event: RatingEvent;
  readonly version: number | null;
}

/** An event as a rebuild rated it. */
export interface FoldedEvent {
  readonly sequence: number;
  readonly event: PlayerEvent;
  readonly version: number;
  readonly applied: Applied;
  /** The rebuild created this event itself: it has to be written as an input, too. */
  readonly isNew?: boolean | undefined;
}

/** Queries of a rebuild inside its last step: by its own connection, since all others may be waiting for the step. */
export interface LastStep {
  version(version: number): Promise<RatingPool>;
  addVersion(rules: PoolRules, calibration: Calibration, why: Explanation): Promise<number>;
  /** Numbers for events of the rebuild's own, after all others. */
  sequences(count: number): Promise<number[]>;
}

/** How a rebuild finished: it is in force, or a match was voided that it had folded already and it must start again. */
export type Finished = 'in-force' | 'again' | 'lease-lost';

/** A rebuild's access to the database. Results keep arriving while it works; only the last step blocks them. */
export interface RebuildStore {
  /** @returns the running rebuild: this one, or null when another of the pool runs already */
  request(request: RebuildRequest, now: number): Promise<Rebuild | null>;
  rebuilds(pool: string, limit: number): Promise<Rebuild[]>;
  /** Claims a running rebuild that nobody holds, with a new generation, and deletes the rows of an earlier holder. */
  claim(holder: string, leaseMs: number, now: number): Promise<Rebuild | null>;
  /** Extends the claim. @returns false when another holder has taken over */
  renew(
    rebuild: Rebuild,
    holder: string,
    progress: { done: number; total: number; skipped: number },
    leaseMs: number,
    now: number,
  ): Promise<boolean>;
  /** A sequence up to which every event is committed, and the number of events up to it. Waits for results in progress. */
  boundary(pool: string): Promise<{ sequence: number; events: number }>;
  /** Ids of the matches that were voided. */
  voided(pool: string): Promise<Set<string>>;
  /**
   * Events in the order they took effect: after one sequence, up to another. Without their versions if the rebuild has
   * rules of its own.
   */
  events(rebuild: Rebuild, after: number, upTo: number, limit: number): Promise<SequencedEvent[]>;
  /** Versions of the pool's rules and calibrations that have been in force. */
  version(pool: string, version: number): Promise<RatingPool>;
  /** Stores rules and calibration under a new version, not in force yet. @returns its number */
  addVersion(pool: string, rules: PoolRules, calibration: Calibration, why: Explanation): Promise<number>;
  /**
   * Writes rated events of the new generation.
   *
   * @param after what it waits for; until then it only prepares. It throws the error of that
   */
  write(rebuild: Rebuild, folded: readonly FoldedEvent[], after?: Promise<void>): Promise<void>;
  writeRatings(rebuild: Rebuild, ratings: ReadonlyMap<string, StoredRating>): Promise<void>;
  /**
   * With the pool's results blocked: folds the events since `after`, and puts the new generation in force.
   *
   * @param voided the voided matches that the rebuild left out; if another one was folded, it must start again
   * @param fold rates the last events; its result is written before the change
   */
  finish(
    rebuild: Rebuild,
    holder: string,
    after: number,
    voided: ReadonlySet<string>,
    fold: (
      events: readonly SequencedEvent[],
      step: LastStep,
    ) => Promise<{
      folded: readonly FoldedEvent[];
      ratings: ReadonlyMap<string, StoredRating>;
      /** The version to put in force with it; null keeps the present one. */
      version: number | null;
      skipped: number;
    }>,
    done: number,
    now: number,
  ): Promise<Finished>;
  /** Releases a rebuild, so that the next holder starts it again. */
  release(rebuild: Rebuild, holder: string): Promise<void>;
  fail(rebuild: Rebuild, holder: string, error: string, now: number): Promise<void>;
}
