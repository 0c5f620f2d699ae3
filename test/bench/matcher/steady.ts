// The ticks of a small pool that tickets enter and leave all the time, as in `bench:queue`.
import { seededRandom } from '@muster/domain';
import { WaitingPool } from '@muster/matchmaking';
import { cases, poolOf } from './cases.js';

/** The cost of the ticks of one second at one rate of arrivals. */
export interface Steady {
  readonly arrivalsPerSecond: number;
  /** Tickets that wait after a tick, on average. */
  readonly waiting: number;
  readonly matchesPerSecond: number;
  /** Processor time. */
  readonly cpuMsPerTick: number;
  readonly cpuMsPerSecond: number;
}

const tickMs = 150;
const [warmUp, counted] = [200, 1_000];

/** Muster's matcher at a rate of arrivals of the first case: everybody alone, five against five, ratings normal. */
export function steadyAt(arrivalsPerSecond: number): Steady {
  const [typical] = cases;
  if (!typical) throw new Error('there is no case');
  const pool = new WaitingPool(typical.rules);
  const random = seededRandom(1);
  const used = { cpuMs: 0, waiting: 0, matches: 0 };
  let now = 1_800_000_000_000;
  let number = 0;
  for (let tick = 0; tick < warmUp + counted; tick++) {
    now += tickMs;
    const due = Math.floor((arrivalsPerSecond * tickMs * (tick + 1)) / 1000) - number;
    for (const ticket of poolOf(typical, due, tick, now, number))
      pool.add({ ...ticket, enqueuedAt: now - Math.floor(tickMs * random()) });
    number += due;
    const before = process.cpuUsage();
    const { proposals } = pool.tick(now);
    const { user, system } = process.cpuUsage(before);
    for (const { tickets } of proposals) for (const id of tickets) pool.remove(id);
    if (tick < warmUp) continue;
    used.cpuMs += (user + system) / 1000;
    used.waiting += pool.size;
    used.matches += proposals.length;
  }
  const seconds = (counted * tickMs) / 1000;
  return {
    arrivalsPerSecond,
    waiting: used.waiting / counted,
    matchesPerSecond: used.matches / seconds,
    cpuMsPerTick: used.cpuMs / counted,
    cpuMsPerSecond: used.cpuMs / seconds,
  };
}
