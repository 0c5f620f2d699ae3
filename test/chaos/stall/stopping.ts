import { familyOf, signal } from '../../support/stalls.js';

/** Stopped processes: they must be resumed whatever happens to the test. */
const stopped = new Set<number>();
process.once('exit', () => {
  signal([...stopped], 'SIGCONT');
});

/**
 * Stops processes and all their children, like a paused machine or a stalled disk. @returns a function that resumes
 * them
 */
export function stop(pids: readonly number[]): () => void {
  // Parents first: then no child can be started unnoticed.
  signal(pids, 'SIGSTOP');
  const all = pids.flatMap(familyOf);
  for (const pid of all) stopped.add(pid);
  signal(all, 'SIGSTOP');
  return () => {
    signal(all.toReversed(), 'SIGCONT');
    for (const pid of all) stopped.delete(pid);
  };
}
