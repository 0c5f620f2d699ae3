import type { RebuildView } from '@muster/contracts';
import { setTimeout as sleep } from 'node:timers/promises';

/** Options for following a rebuild. */
export interface Watching {
  /** Reads the rebuild's state. */
  read(): Promise<RebuildView>;
  onProgress(rebuild: RebuildView): void;
  /** Stops following, not the rebuild. */
  readonly stop: AbortSignal;
  /** The pause between two reads; ends early on abort. */
  pause?(stop: AbortSignal): Promise<void>;
}

const pollMs = 400;

/** Polls a rebuild until it ends. @returns its last state: still running if it was aborted */
export async function watchRebuild(first: RebuildView, watching: Watching): Promise<RebuildView> {
  const { read, onProgress, stop, pause = pauseBetweenReads } = watching;
  let state = first;
  while (state.state === 'running' && !stop.aborted) {
    await pause(stop);
    if (stop.aborted) break;
    try {
      state = await read();
    } catch (error) {
      // An abort during an outage is not an error.
      if (stop.aborted) break;
      throw error;
    }
    onProgress(state);
  }
  return state;
}

async function pauseBetweenReads(stop: AbortSignal): Promise<void> {
  await sleep(pollMs, undefined, { signal: stop }).catch(() => undefined);
}
