import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process with all its descendants: PostgreSQL has many. */
export function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(name);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = [pid];
  for (const each of family) family.push(...(children.get(each) ?? []));
  return family;
}

function parentOf(pid: string): number | null {
  try {
    // The program name is in brackets and may contain any character.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It ended meanwhile.
    return null;
  }
}

/** Sends a signal to processes; ended ones are skipped. */
export function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended meanwhile.
    }
  }
}

/**
 * Stops processes with their descendants for a while: they keep their connections and locks, and answer nothing.
 *
 * @throws Error for a number below 2: 0 means the own group, 1 the whole machine
 */
export async function stall(pids: readonly number[], ms: number): Promise<void> {
  if (pids.some((pid) => !(pid > 1))) throw new Error(`no process to stop: ${pids.join(', ')}`);
  // Parents first, so that new children are found.
  signal(pids, 'SIGSTOP');
  const all = pids.flatMap(familyOf);
  signal(all, 'SIGSTOP');
  try {
    await sleep(ms);
  } finally {
    signal(all.toReversed(), 'SIGCONT');
  }
}
