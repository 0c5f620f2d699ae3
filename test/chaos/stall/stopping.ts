import { familyOf, signal } from '../../support/stalls.js';

/** Processes that are stopped now: they must go on whatever becomes of the test. */
const stopped = new Set<number>();
process.once('exit', () => {
  signal([...stopped], 'SIGCONT');
});

/** Stops processes and all their children, as a paused machine or a stalled disk does. @returns what lets them go on */
export function stop(pids: readonly number[]): () => void {
  // A parent first: it can then start no child that is missed.
  signal(pids, 'SIGSTOP');
  const all = pids.flatMap(familyOf);
  for (const pid of all) stopped.add(pid);
  signal(all, 'SIGSTOP');
  return () => {
    signal(all.toReversed(), 'SIGCONT');
    for (const pid of all) stopped.delete(pid);
  };
}
