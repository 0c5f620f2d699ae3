/** What is disturbed in one round. */
export interface Disturbance {
  /** `postgres`, `redis`, a service (all its replicas), or one replica such as `allocator-1`; null when nothing is stopped. */
  readonly stopped: string | null;
  /** A fault of {@link faultNames}; null unless it is one. */
  readonly fault: FaultName | null;
  /** How far the clock of the first replica of each service is off, in seconds; 0 unless a clock is wrong. */
  readonly clockSeconds: number;
  readonly seconds: number;
}

export const services = ['queue', 'assignment', 'allocator', 'rating'] as const;

/** Faults other than a stop, in words. */
export const faultNames = {
  'postgres-flaps': 'postgres is stopped for 9 s and goes on for 3 s, again and again',
  'postgres-read-only': 'postgres takes no writes, as a standby does',
  'redis-read-only': 'redis takes no writes, as a replica does',
  'redis-full': 'redis has no memory left',
  'stores-stall': 'postgres and redis are stopped together',
  'many-streams': 'one player opens 1,024 event streams',
  'many-polls': '510 long polls wait',
  'slow-bodies': '500 connections send half a request',
  'odd-names': 'players are called as properties of every object are',
} as const;
export type FaultName = keyof typeof faultNames;

/** Faults that leave the system able to go on meanwhile. */
const bearable: readonly (FaultName | null)[] = ['many-streams', 'many-polls', 'slow-bodies', 'odd-names'];

/** The stops of a whole run, in seconds: shorter and longer than the silence after which a server is lost, and a fail-over. */
const lengths = [5, 15, 45];
/** How far a clock is off, in seconds. */
const skews = [300, -300];
/** How long the load runs beside a wrong clock. */
const skewSeconds = 45;

/** One stop of each kind, for every change of the code. */
export const shortPlan: readonly Disturbance[] = [
  stop('postgres', 15),
  stop('redis', 15),
  stop('allocator', 15),
  stop('allocator-1', 15),
  stop('queue-1', 15),
  clock(300, 20),
];

/** Every store and every service for each length, one of two replicas of each service, and wrong clocks. */
export const plan: readonly Disturbance[] = [
  ...['postgres', 'redis', ...services].flatMap((name) => lengths.map((seconds) => stop(name, seconds))),
  ...services.flatMap((name) => lengths.map((seconds) => stop(`${name}-1`, seconds))),
  ...skews.map((seconds) => clock(seconds, skewSeconds)),
];

/** The same with a stop that outlasts a slow fail-over, and every fault. */
export const wholePlan: readonly Disturbance[] = [
  ...plan,
  stop('postgres', 90),
  fault('stores-stall', 20),
  fault('postgres-flaps', 48),
  fault('postgres-read-only', 20),
  fault('redis-read-only', 20),
  fault('redis-full', 20),
  fault('many-streams', 30),
  fault('many-polls', 30),
  fault('slow-bodies', 40),
  fault('odd-names', 60),
];

/** @param names stops and faults of these names alone; all when empty. `clock` chooses the wrong clocks @param seconds of these lengths alone */
export function choose(
  from: readonly Disturbance[],
  names: readonly string[],
  seconds: readonly number[],
): Disturbance[] {
  return from.filter(
    (one) =>
      (names.length === 0 || names.includes(nameOf(one))) &&
      (seconds.length === 0 || one.stopped === null || seconds.includes(one.seconds)),
  );
}

export function nameOf({ stopped, fault: wrong }: Disturbance): string {
  return stopped ?? wrong ?? 'clock';
}

/** Whether matches are to be made and rated meanwhile: one of two replicas of everything is well. */
export function goesOn({ stopped, fault: wrong, seconds }: Disturbance): boolean {
  if (wrong !== null) return bearable.includes(wrong);
  // A short stop is over before it has to be noticed.
  return stopped === null || (/-\d+$/.test(stopped) && seconds >= 15);
}

/** A disturbance in words. */
export function inWords({ stopped, fault: wrong, clockSeconds, seconds }: Disturbance): string {
  if (stopped !== null) return `${stopped} is stopped for ${seconds} s`;
  if (wrong !== null) return `${faultNames[wrong]}, for ${seconds} s`;
  return `the clock of one replica of each service is ${Math.abs(clockSeconds)} s ${clockSeconds > 0 ? 'ahead' : 'behind'}`;
}

function stop(stopped: string, seconds: number): Disturbance {
  return { stopped, fault: null, clockSeconds: 0, seconds };
}

function fault(name: FaultName, seconds: number): Disturbance {
  return { stopped: null, fault: name, clockSeconds: 0, seconds };
}

function clock(clockSeconds: number, seconds: number): Disturbance {
  return { stopped: null, fault: null, clockSeconds, seconds };
}
