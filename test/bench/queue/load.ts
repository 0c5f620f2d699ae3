import { seededRandom } from '@muster/domain';
import type { Counts } from './counters.js';

/** Players who arrive by a fixed schedule, the same for every system. */
export interface Load {
  /** A queue of Muster; the other system knows only the number of players. */
  readonly queue: string;
  readonly playersPerMatch: number;
  /** Arrivals a second, on average. */
  readonly rate: number;
  readonly seconds: number;
  /** The first seconds are loaded and not counted. */
  readonly warmUpSeconds: number;
  /** The time after the last arrival in which players may still be matched. */
  readonly drainSeconds: number;
  /** Milliseconds from the start, rising: a Poisson process. */
  readonly moments: readonly number[];
  /** Skill of each arrival in standard deviations from the mean, normal. */
  readonly skills: readonly number[];
}

export interface LoadOptions extends Omit<Load, 'moments' | 'skills'> {
  readonly seed: number;
}

export function loadOf({ seed, ...load }: LoadOptions): Load {
  const random = seededRandom(seed);
  const endMs = (load.warmUpSeconds + load.seconds) * 1000;
  const moments: number[] = [];
  const skills: number[] = [];
  for (let at = 0; at < endMs; at += (-Math.log(1 - random()) * 1000) / load.rate) {
    moments.push(at);
    // The Box–Muller transform; one of its two values is used.
    skills.push(Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  }
  return { ...load, moments, skills };
}

/** The skill in the units of Muster's models, which start at 25 with a sigma of a third of it. */
export function muOf(skill: number): number {
  return 25 + (25 / 3) * skill;
}

/** The same skill as a rank of Colyseus' queue. */
export function rankOf(skill: number): number {
  return 1_500 + 350 * skill;
}

/** The outcome of one arrival. Times count from its intended moment; null: it did not happen. */
export interface ArrivalOutcome {
  /** Until the join was acknowledged. */
  acceptedMs: number | null;
  /** Until its match was created. */
  matchedMs: number | null;
  readonly matchId: string | null;
}

/** Results of matches. */
export interface Results {
  /** Results that the coordinator acknowledged. */
  readonly reported: number;
  /** Matches whose result is in the ratings at the end. */
  readonly rated: number;
  /** The slowest hundredth: from the received result until it was in the ratings, in milliseconds; null without any. */
  readonly ratedMsP99: number | null;
}

/** The outcome of a load on a system. */
export interface LoadResult {
  readonly system: 'muster' | 'colyseus';
  readonly load: Load;
  /** By arrival. */
  readonly seen: readonly ArrivalOutcome[];
  /** Joins that were not acknowledged, by error message. */
  readonly refusals: Readonly<Record<string, number>>;
  /** For a sample: from the intended moment until the player received a seat on a server. */
  readonly seatMs: readonly number[];
  /** For the same sample: from the formed match until the seat; empty if both are one step. */
  readonly assignMs: readonly number[];
  /** Players who were still queued at the end. */
  readonly waiting: number;
  /** Processor seconds within the counted seconds by process, children included; null if the machine does not report them. */
  readonly cpuSeconds: Readonly<Record<string, number>> | null;
  /** Cores that each process used before the load. */
  readonly idleCores: Readonly<Record<string, number>> | null;
  /** The same as `cpuSeconds` for the load generator, in total. */
  readonly loadCpuSeconds: number;
  /** What the system asked of its stores before and after the counted seconds; null for a system without any. */
  readonly counts: { readonly before: Counts; readonly after: Counts } | null;
  /** null for a system that takes none. */
  readonly results: Results | null;
}
