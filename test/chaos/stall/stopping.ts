import { familyOf } from '../../support/stalls.js';

/** Processes that are stopped now: they must go on whatever becomes of the test. */
const stopped = new Set<number>();
process.once('exit', () => {
  for (const pid of stopped) signal(pid, 'SIGCONT');
});

/** Stops processes and all their children, as a paused machine or a stalled disk does. @returns what lets them go on */
export function stop(pids: readonly number[]): () => void {
  // A parent first: it can then start no child that is missed.
  for (const pid of pids) signal(pid, 'SIGSTOP');
  const all = pids.flatMap(familyOf);
  for (const pid of all) {
    signal(pid, 'SIGSTOP');
    stopped.add(pid);
  }
  return () => {
    for (const pid of all.toReversed()) {
      signal(pid, 'SIGCONT');
      stopped.delete(pid);
    }
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
