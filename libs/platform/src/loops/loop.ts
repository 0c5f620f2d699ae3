import { noMeter, type Meter } from '@muster/contracts';
import type { Log } from '../core/logging.js';

/** Something that runs until it is stopped. */
export interface Running {
  /** Runs the next turn immediately. */
  kick(): void;
  /** Stops after the turn in progress. */
  stop(): Promise<void>;
}

/** A turn that takes longer stands still, unless its loop may take long; in milliseconds. */
export const longestTurnMs = 300_000;

interface Turns {
  readonly name: string;
  readonly limitMs: number;
  readonly pauseMs: number;
  /** When the turn in progress began, by the monotonic clock; null between turns. */
  since: number | null;
  /** When a turn last ended without an error, or the loop began. */
  doneAt: number;
}

/** The loops of this process. */
const loops = new Set<Turns>();

/** The names of the loops of this process whose turn does not end. */
export function loopsThatStandStill(now = performance.now()): string[] {
  return [...loops]
    .filter(({ since, limitMs }) => since !== null && now - since > limitMs)
    .map(({ name }) => name);
}

/** A turn that may take long is due within this time, in milliseconds. */
const longTurnMs = 3_600_000;

/** How long ago a turn of a loop last ended without an error, and within which time one is due, in milliseconds. */
export interface LoopTimes {
  readonly idleMs: number;
  readonly dueMs: number;
}

/** The times of the loops of this process by name; of loops that share a name, the longest ones. */
export function loopTimes(now = performance.now()): ReadonlyMap<string, LoopTimes> {
  const times = new Map<string, LoopTimes>();
  for (const { name, pauseMs, limitMs, doneAt } of loops) {
    const { idleMs, dueMs } = times.get(name) ?? { idleMs: 0, dueMs: 0 };
    times.set(name, {
      idleMs: Math.max(idleMs, now - doneAt),
      dueMs: Math.max(dueMs, 3 * pauseMs + Math.min(limitMs, longTurnMs)),
    });
  }
  return times;
}

/**
 * Runs `turn` repeatedly, never concurrently, with a pause between turns. An error is logged and does not stop the
 * loop, so a turn must be idempotent.
 *
 * @param turn returns true if more is due now
 * @param limitMs a turn that takes longer is reported by {@link loopsThatStandStill}
 * @param meter takes the outcomes of turns and their durations
 */
export function repeat(
  name: string,
  pauseMs: number,
  turn: () => Promise<boolean | void>,
  log: Log,
  limitMs = longestTurnMs,
  meter: Meter = noMeter,
): Running {
  const turns: Turns = { name, limitMs, pauseMs, since: null, doneAt: performance.now() };
  let stopped = false;
  let wake: (() => void) | null = null;
  let kicked = false;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      if (kicked || stopped) return resolve();
      const timer = setTimeout(resolve, pauseMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    while (!stopped) {
      kicked = false;
      let more = false;
      let outcome = 'done';
      const since = performance.now();
      turns.since = since;
      try {
        more = (await turn()) === true;
        turns.doneAt = performance.now();
      } catch (error) {
        outcome = 'failed';
        if (!stopped) log.warn({ err: error, loop: name }, `${name} failed; it will be retried`);
      }
      turns.since = null;
      meter.count('loopTurns', { loop: name, outcome });
      meter.observe('loopDuration', { loop: name }, (performance.now() - since) / 1_000);
      if (!more) await pause();
    }
    loops.delete(turns);
  };
  loops.add(turns);
  const done = run();
  return {
    kick() {
      kicked = true;
      wake?.();
    },
    async stop() {
      stopped = true;
      wake?.();
      await done;
    },
  };
}

/** A turn that is skipped while the clock of this machine is wrong; another replica runs it. */
export function whileSound(
  clock: { readonly sound: boolean },
  turn: () => Promise<boolean | void>,
): () => Promise<boolean | void> {
  return async () => (clock.sound ? turn() : false);
}
