import { readFileSync } from 'node:fs';

/** Kernel clock ticks per second; 100 on all current Linux systems. */
const ticksPerSecond = 100;

/** Fields of /proc/<pid>/stat after the name, which may hold spaces: utime, stime, cutime, cstime. */
const utimeAt = 11;

/**
 * The processor time of a process in milliseconds, including ended children.
 *
 * @returns 0 if it has ended, and without /proc
 */
export function processorMsOf(pid: number | 'self'): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(utimeAt, utimeAt + 4).reduce((sum, field) => sum + Number(field), 0);
    return (ticks * 1000) / ticksPerSecond;
  } catch {
    return 0;
  }
}
