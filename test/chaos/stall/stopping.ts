import { readdir, readFile } from 'node:fs/promises';

/** Processes that are stopped now: they must go on whatever becomes of the test. */
const stopped = new Set<number>();
process.once('exit', () => {
  for (const pid of stopped) signal(pid, 'SIGCONT');
});

/** Stops processes and all their children, as a paused machine or a stalled disk does. @returns what lets them go on */
export async function stop(pids: readonly number[]): Promise<() => void> {
  const halted: number[] = [];
  // A parent first: it can then start no child that is missed.
  for (const pid of pids) {
    for (const one of [pid, ...(await within([pid]))]) {
      signal(one, 'SIGSTOP');
      stopped.add(one);
      halted.push(one);
    }
    for (const late of await within([pid])) {
      if (stopped.has(late)) continue;
      signal(late, 'SIGSTOP');
      stopped.add(late);
      halted.push(late);
    }
  }
  return () => {
    for (const pid of halted.toReversed()) {
      signal(pid, 'SIGCONT');
      stopped.delete(pid);
    }
  };
}

/** All processes below these, from /proc. */
async function within(pids: readonly number[]): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // "pid (command) state parent …": the command may hold spaces and brackets.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const open = [...pids];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const below = children.get(pid) ?? [];
    found.push(...below);
    open.push(...below);
  }
  return found;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
