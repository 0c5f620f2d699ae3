import { readFileSync } from 'node:fs';
import { treesOf } from '../queue/cpu.js';

/**
 * Memory of each process and its children in MB: pages that several share count for each in part.
 *
 * @returns null without /proc
 */
export function memoryMbOf(pids: Readonly<Record<string, number>>): Record<string, number> | null {
  const trees = treesOf(pids);
  return (
    trees &&
    Object.fromEntries(
      Object.entries(trees).map(([name, all]) => [
        name,
        Math.round(all.reduce((sum, pid) => sum + pssKib(pid), 0) / 1024),
      ]),
    )
  );
}

function pssKib(pid: number): number {
  try {
    const [, kib = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kib);
  } catch {
    // It ended after its parent was read.
    return 0;
  }
}
