import type { RebuildView } from '@muster/contracts';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a rebuild is watched. */
export interface Watching {
  /** Asks how far it is. */
  read(): Promise<RebuildView>;
  onProgress(rebuild: RebuildView): void;
  /** Ends the watching, not the rebuild. */
  readonly stop: AbortSignal;
  /** Between two looks; ends early when it is stopped. */
  pause?(stop: AbortSignal): Promise<void>;
}

const lookMs = 400;

/** Looks at a rebuild until it is over. @returns how it was last seen: still running if the watching was stopped */
export async function watchRebuild(first: RebuildView, watching: Watching): Promise<RebuildView> {
  const { read, onProgress, stop, pause = nap } = watching;
  let seen = first;
  while (seen.state === 'running' && !stop.aborted) {
    await pause(stop);
    if (stop.aborted) break;
    try {
      seen = await read();
    } catch (error) {
      // Whoever stops while nobody answers has stopped, and not failed.
      if (stop.aborted) break;
      throw error;
    }
    onProgress(seen);
  }
  return seen;
}

async function nap(stop: AbortSignal): Promise<void> {
  await sleep(lookMs, undefined, { signal: stop }).catch(() => undefined);
}
