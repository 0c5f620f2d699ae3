import { seededRandom } from '@muster/domain';

/** Players who arrive by a schedule fixed beforehand: the same ones at the same moments for every system. */
export interface Load {
  /** A queue of Muster's; the other system only knows how many play. */
  readonly queue: string;
  readonly playersPerMatch: number;
  /** Arrivals a second, on average. */
  readonly rate: number;
  readonly seconds: number;
  /** The first seconds are loaded and not counted. */
  readonly warmUpSeconds: number;
  /** How long those who are left may still be matched after the last arrival. */
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
    // Box and Muller's, of which one is used.
    skills.push(Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  }
  return { ...load, moments, skills };
}

/** Skill as Muster's models hold it: 25, give or take a third of it, is where a stranger starts. */
export function muOf(skill: number): number {
  return 25 + (25 / 3) * skill;
}

/** The same skill as a rank of the kind that Colyseus' queue sorts by. */
export function rankOf(skill: number): number {
  return 1_500 + 350 * skill;
}

/** What became of one arrival. Times count from the moment it was meant to come; null: it did not happen. */
export interface Seen {
  /** Until the join was acknowledged. */
  acceptedMs: number | null;
  /** Until its match was made. */
  matchedMs: number | null;
  readonly matchId: string | null;
}

/** What a system made of a load. */
export interface Taken {
  readonly system: 'muster' | 'colyseus';
  readonly load: Load;
  /** By arrival. */
  readonly seen: readonly Seen[];
  /** How many joins were not acknowledged, by the words that said why. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Of a sample: from the moment until the player heard of a seat on a server. */
  readonly seatMs: readonly number[];
  /** Of the same sample: from the match formed until the player heard of the seat; empty where the two are one. */
  readonly assignMs: readonly number[];
  /** Processor seconds during the load by process, children included; null where the system does not tell. */
  readonly cpuSeconds: Readonly<Record<string, number>> | null;
  /** The same for what made the load. */
  readonly loadCpuSeconds: number;
}
