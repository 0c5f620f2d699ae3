/** What is disturbed in one round. */
export interface Disturbance {
  /** `postgres`, `redis`, a service (all its replicas), or one replica such as `allocator-1`; null when a clock is wrong. */
  readonly stopped: string | null;
  /** How far the clock of the first replica of each service is off, in seconds; 0 unless a clock is wrong. */
  readonly clockSeconds: number;
  readonly seconds: number;
}

export const services = ['queue', 'assignment', 'allocator', 'rating'] as const;

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
  stop('queue-1', 5),
  clock(300, 20),
];

/** Every store and every service for each length, one of two replicas of each service, and wrong clocks. */
export const wholePlan: readonly Disturbance[] = [
  ...['postgres', 'redis', ...services].flatMap((name) => lengths.map((seconds) => stop(name, seconds))),
  ...services.flatMap((name) => lengths.map((seconds) => stop(`${name}-1`, seconds))),
  ...skews.map((seconds) => clock(seconds, skewSeconds)),
];

/** @param names stops of these alone; all when empty. `clock` chooses the wrong clocks @param seconds of these lengths alone */
export function choose(
  plan: readonly Disturbance[],
  names: readonly string[],
  seconds: readonly number[],
): Disturbance[] {
  return plan.filter(
    (one) =>
      (names.length === 0 || names.includes(one.stopped ?? 'clock')) &&
      (seconds.length === 0 || one.stopped === null || seconds.includes(one.seconds)),
  );
}

/** Whether the system is to go on meanwhile, for one of two replicas of everything is well. */
export function goesOn({ stopped }: Disturbance): boolean {
  return stopped === null || /-\d+$/.test(stopped);
}

/** A disturbance in words. */
export function inWords({ stopped, clockSeconds, seconds }: Disturbance): string {
  if (stopped === null)
    return `the clock of one replica of each service is ${Math.abs(clockSeconds)} s ${clockSeconds > 0 ? 'ahead' : 'behind'}`;
  return `${stopped} is stopped for ${seconds} s`;
}

function stop(stopped: string, seconds: number): Disturbance {
  return { stopped, clockSeconds: 0, seconds };
}

function clock(clockSeconds: number, seconds: number): Disturbance {
  return { stopped: null, clockSeconds, seconds };
}
