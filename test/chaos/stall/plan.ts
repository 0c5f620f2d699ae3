/** The disturbance of one round. */
export interface Disturbance {
  /**
   * `postgres`, `redis`, a service (all replicas), or one replica such as `allocator-1`; null if nothing is stopped.
   */
  readonly stopped: string | null;
  /** A fault of {@link faultNames}, or null. */
  readonly fault: FaultName | null;
  /** The offset of the clock of each service's first replica, in seconds; 0 for correct clocks. */
  readonly clockSeconds: number;
  readonly seconds: number;
}

export const services = ['queue', 'assignment', 'allocator', 'rating'] as const;

/** Descriptions of the faults other than stops. */
export const faultNames = {
  'postgres-flaps': 'postgres is repeatedly stopped for 9 s and resumed for 3 s',
  'postgres-read-only': 'postgres takes no writes, as a standby does',
  'redis-read-only': 'redis takes no writes, as a replica does',
  'redis-full': 'redis has no memory left',
  'stores-stall': 'postgres and redis are stopped together',
  'many-streams': 'one player opens 1,024 event streams',
  'many-polls': '510 long polls wait',
  'slow-bodies': '500 connections send half a request',
  'odd-names': 'players are named like properties of every object',
} as const;
export type FaultName = keyof typeof faultNames;

/** Faults during which the system must keep working. */
const bearable: readonly (FaultName | null)[] = ['many-streams', 'many-polls', 'slow-bodies', 'odd-names'];

/**
 * The lengths of stops in a full run, in seconds: shorter and longer than the silence limit of servers, and than a
 * fail-over.
 */
const lengths = [5, 15, 45];
/** Clock offsets, in seconds. */
const skews = [300, -300];
/** The duration of the load with a wrong clock. */
const skewSeconds = 45;

/** One stop of each kind, run for every change of the code. */
export const shortPlan: readonly Disturbance[] = [
  stop('postgres', 15),
  stop('redis', 15),
  stop('allocator', 15),
  stop('allocator-1', 15),
  stop('queue-1', 15),
  clock(300, 20),
];

/** Every store and service with each length, one of two replicas of each service, and wrong clocks. */
export const plan: readonly Disturbance[] = [
  ...['postgres', 'redis', ...services].flatMap((name) => lengths.map((seconds) => stop(name, seconds))),
  ...services.flatMap((name) => lengths.map((seconds) => stop(`${name}-1`, seconds))),
  ...skews.map((seconds) => clock(seconds, skewSeconds)),
];

/** The same with a stop longer than a slow fail-over, and all faults. */
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

/**
 * @param names only these stops and faults; all if empty. `clock` selects the wrong clocks @param seconds only these
 * lengths
 */
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

/** Whether matches must be formed and rated meanwhile: one of two replicas of each service is healthy. */
export function goesOn({ stopped, fault: wrong, seconds }: Disturbance): boolean {
  if (wrong !== null) return bearable.includes(wrong);
  // A short stop ends before it must be detected.
  return stopped === null || (/-\d+$/.test(stopped) && seconds >= 15);
}

/** A description of a disturbance. */
export function describeDisturbance({ stopped, fault: wrong, clockSeconds, seconds }: Disturbance): string {
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
