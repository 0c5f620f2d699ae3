import type { Applied, RatingEvent } from './ledger-store.js';
import type { Message, Said } from './messages/message.js';
import type { Calibration, PoolRules, RatingPool } from './rating-pool.js';
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
  /** The messages of `reason`; absent where it is an operator's text, or a release before wrote it. */
  readonly messages?: readonly Message[] | undefined;
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
  readonly event: RatingEvent;
  readonly version: number;
  readonly applied: Applied;
  /** The rebuild made this event itself: it is to be written as an input too. */
  readonly isNew?: boolean | undefined;
}

/** What a rebuild may ask for inside its last step: by its own connection, since all others may be waiting for the step. */
export interface LastStep {
  version(version: number): Promise<RatingPool>;
  addVersion(rules: PoolRules, calibration: Calibration, why: Said): Promise<number>;
  /** Numbers for events of the rebuild's own, after all others. */
  sequences(count: number): Promise<number[]>;
}

/** How a rebuild finished: it is in force, or a match was voided that it had folded already and it must start again. */
export type Finished = 'in-force' | 'again' | 'lease-lost';

/** What a rebuild needs of the database. Results keep coming while it works; only the last step keeps them waiting. */
export interface RebuildStore {
  /** @returns the running rebuild: this one, or null when another of the pool runs already */
  request(request: RebuildRequest, now: number): Promise<Rebuild | null>;
  rebuilds(pool: string, limit: number): Promise<Rebuild[]>;
  /** Takes a running rebuild that nobody holds, with a generation of its own and whatever an earlier holder left swept away. */
  claim(holder: string, leaseMs: number, now: number): Promise<Rebuild | null>;
  /** Says that the work goes on. @returns false when another has taken over */
  renew(
    rebuild: Rebuild,
    holder: string,
    progress: { done: number; total: number; skipped: number },
    leaseMs: number,
    now: number,
  ): Promise<boolean>;
  /** A sequence up to which every event is committed, and how many there are up to it. Waits for results on their way. */
  boundary(pool: string): Promise<{ sequence: number; events: number }>;
  /** Ids of the matches that were voided. */
  voided(pool: string): Promise<Set<string>>;
  /** Events in the order they took effect: after one sequence, up to another. */
  events(pool: string, after: number, upTo: number, limit: number): Promise<SequencedEvent[]>;
  /** Versions of the pool's rules and calibrations that have been in force. */
  version(pool: string, version: number): Promise<RatingPool>;
  /** Keeps rules and calibration under a new version, not in force yet. @returns its number */
  addVersion(pool: string, rules: PoolRules, calibration: Calibration, why: Said): Promise<number>;
  /** Writes what events became in the new generation. */
  write(rebuild: Rebuild, folded: readonly FoldedEvent[]): Promise<void>;
  writeRatings(rebuild: Rebuild, ratings: ReadonlyMap<string, StoredRating>): Promise<void>;
  /**
   * With the pool's results held back: folds what came since `after`, and puts the new generation in force.
   *
   * @param voided the voided matches that the rebuild left out; if another one was folded, it must start again
   * @param fold rates the last events; what it returns is written before the change
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
      /** The version to put in force with it; null leaves the one that is. */
      version: number | null;
      skipped: number;
    }>,
    done: number,
    now: number,
  ): Promise<Finished>;
  /** Gives a rebuild back, for whoever claims it next to begin anew. */
  release(rebuild: Rebuild, holder: string): Promise<void>;
  fail(rebuild: Rebuild, holder: string, error: string, now: number): Promise<void>;
}
