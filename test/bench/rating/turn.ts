// A process in which one contender rates, for a given time per request.
import { models, packages } from './contenders.js';
import { drawMatches, shapes } from './history.js';

/** Sent once, at the start. */
export interface Begun {
  /** Why it cannot rate such matches; null if it can. */
  readonly refusal: string | null;
}

/** Sent after each turn. */
export interface Turn {
  readonly perSecond: number;
}

const players = 1_000;
const drawn = 20_000;
/** The approximate time between two readings of the clock. */
const clockReadMs = 1;

const [contender, shape] = [Number(process.argv[2]), shapes[Number(process.argv[3])]];
if (!shape) throw new Error('There is no such shape.');
const matches = drawMatches(shape, players, drawn, 1);
const begun =
  [...models, ...packages][contender]?.begin(shape, players, matches) ?? 'There is no such contender.';
const rateMatch = typeof begun === 'string' ? (): void => undefined : begun;
let at = 0;
let batch = 1;

/**
 * @param ms processor time, which on a shared machine is less than wall time. Threads of the engine count into it, so
 * wall time is used if it is less.
 */
function rateFor(ms: number): Turn {
  globalThis.gc?.();
  const before = { wall: performance.now(), busy: process.cpuUsage() };
  let done = 0;
  let passed = 0;
  while (passed < ms) {
    for (let i = 0; i < batch; i++) {
      rateMatch(at);
      at = (at + 1) % matches.length;
    }
    done += batch;
    const { user, system } = process.cpuUsage(before.busy);
    passed = Math.min(performance.now() - before.wall, (user + system) / 1_000);
    batch = Math.max(1, Math.min(10_000, Math.round((clockReadMs * done) / passed)));
  }
  return { perSecond: (1_000 * done) / passed };
}

process.on('message', (ms: number) => process.send?.(rateFor(ms)));
process.send?.({ refusal: typeof begun === 'string' ? begun : null } satisfies Begun);
