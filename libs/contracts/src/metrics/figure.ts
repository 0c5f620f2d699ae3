/** Who states a figure. */
export type Scope =
  /** The process that answers: add up replicas with `sum`. */
  | 'process'
  /** The whole system, read from a store: every replica states the same, so combine them with `max`. */
  | 'system';

/** A service or process, as documentation names it. */
export type StatedBy =
  'queue' | 'assignment' | 'allocator' | 'rating' | 'each' | 'services' | 'edge and services';

/** A figure that a process exports, with what its page says of it. */
export interface Figure {
  readonly kind: 'gauge' | 'counter' | 'histogram';
  /** In base units. A counter ends in `_total`, a time in `_seconds`. */
  readonly name: `muster_${string}`;
  /** Its meaning. */
  readonly help: string;
  /** Names of a closed list, or those that operators give. Never ids of players, tickets or matches. */
  readonly labels: readonly string[];
  readonly scope: Scope;
  readonly from: StatedBy;
  /** What an operator does when it is high, or what it is for. */
  readonly advice: string;
  /** Of a histogram: the upper bounds. */
  readonly buckets?: readonly number[];
  /** Of a counter: sets of labels that are there from the start, at 0, so that `increase` sees the first event. */
  readonly begins?: readonly Readonly<Record<string, string>>[];
  /** The most sets of labels that a process keeps; further ones are merged into one whose labels are `other`. */
  readonly most?: number;
}

/** The outcomes that a counter has from the start. */
export const outcomes = (...names: readonly string[]): NonNullable<Figure['begins']> =>
  names.map((outcome) => ({ outcome }));

/** The time of a call or a step, in seconds. */
export const quick = [0.005, 0.02, 0.1, 0.5, 2, 10] as const;
/** Processor time of a computation, in seconds. */
export const computed = [0.0001, 0.001, 0.01, 0.05, 0.1, 0.5, 1] as const;
/** The time that players wait, in seconds. */
export const waited = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800] as const;
