import type {
  Applied,
  Calibration,
  Explanation,
  Message,
  PlayerEvent,
  PoolRules,
  RatingEvent,
  RatingPool,
} from '@muster/domain';

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
