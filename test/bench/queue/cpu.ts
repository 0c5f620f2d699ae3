import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Linux reports processor time in hundredths of a second, independent of the kernel's tick. */
const ticksPerSecond = 100;
/** The wait before the idle time is measured, and its length. */
const settleMs = 3_000;
const idleMs = 8_000;

interface Entry {
  readonly parent: number;
  readonly ticks: number;
}

/**
 * Processor seconds of each process since its start, including ended and running children.
 *
 * @returns null without /proc
 */
export function cpuSecondsOf(pids: Readonly<Record<string, number>>): Record<string, number> | null {
  const entries = readAll();
  return (
    entries &&
    Object.fromEntries(
      Object.entries(pids).map(([name, pid]) => [
        name,
        treeOf(entries, pid).reduce((sum, each) => sum + (entries.get(each)?.ticks ?? 0), 0) / ticksPerSecond,
      ]),
    )
  );
}

/** Each process with its running children and theirs. @returns null without /proc */
export function treesOf(pids: Readonly<Record<string, number>>): Record<string, number[]> | null {
  const entries = readAll();
  return (
    entries && Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, treeOf(entries, pid)]))
  );
}

function treeOf(entries: ReadonlyMap<number, Entry>, root: number): number[] {
  const tree = [root];
  // A process is appended while the list is walked, and its children are found in their turn.
  for (const parent of tree) for (const [pid, entry] of entries) if (entry.parent === parent) tree.push(pid);
  return tree;
}

/** The processor time between two readings. */
export function cpuBetween(
  before: Readonly<Record<string, number>> | null,
  after: Readonly<Record<string, number>> | null,
): Record<string, number> | null {
  if (!before || !after) return null;
  return Object.fromEntries(
    Object.entries(after).map(([name, seconds]) => [
      name,
      Math.round((seconds - (before[name] ?? 0)) * 100) / 100,
    ]),
  );
}

/** Cores that each process uses while nothing is asked of it, over some seconds. */
export async function idleCoresOf(
  pids: Readonly<Record<string, number>>,
): Promise<Record<string, number> | null> {
  await sleep(settleMs);
  const before = cpuSecondsOf(pids);
  const began = performance.now();
  await sleep(idleMs);
  const seconds = (performance.now() - began) / 1000;
  const used = cpuBetween(before, cpuSecondsOf(pids));
  return used && Object.fromEntries(Object.entries(used).map(([name, each]) => [name, each / seconds]));
}

function readAll(): Map<number, Entry> | null {
  const entries = new Map<number, Entry>();
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const entry = readOne(name);
      if (entry) entries.set(Number(name), entry);
    }
  } catch {
    return null;
  }
  return entries;
}

/**
 * Fields of proc(5) from the third on: state, parent, … and from the fourteenth user and system time, each also of
 * ended children.
 */
function readOne(pid: string): Entry | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    // It ended after the folder was read.
    return null;
  }
}
