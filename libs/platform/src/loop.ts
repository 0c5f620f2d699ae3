import type { Log } from './logging.js';

/** Something that runs until it is stopped. */
export interface Running {
  /** Runs the next turn immediately. */
  kick(): void;
  /** Stops after the turn in progress. */
  stop(): Promise<void>;
}

/**
 * Runs `turn` repeatedly, never concurrently, with a pause between turns. An error is logged and does not stop the
 * loop, so a turn must be idempotent.
 *
 * @param turn returns true if more is due now
 */
export function repeat(
  name: string,
  pauseMs: number,
  turn: () => Promise<boolean | void>,
  log: Log,
): Running {
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
      try {
        more = (await turn()) === true;
      } catch (error) {
        if (!stopped) log.warn({ err: error, loop: name }, `${name} failed; it will be retried`);
      }
      if (!more) await pause();
    }
  };
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
