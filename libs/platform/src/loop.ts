import type { Log } from './logging.js';

/** Something that runs until it is stopped. */
export interface Running {
  /** Runs as soon as it can, without waiting for the next turn. */
  kick(): void;
  /** Ends after the turn under way. */
  stop(): Promise<void>;
}

/**
 * Runs `turn` again and again, never two at once, with a pause between turns. A turn that throws is logged and the next one
 * comes all the same: what a turn does must be safe to do again.
 *
 * @param turn answers true when there is more to do right away
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

/** A turn that is left out while the clock of this machine is wrong: another replica does it. */
export function whileSound(
  clock: { readonly sound: boolean },
  turn: () => Promise<boolean | void>,
): () => Promise<boolean | void> {
  return async () => (clock.sound ? turn() : false);
}
