import { readFileSync } from 'node:fs';
import { processorMsOf } from '../support/processor-time.js';
import type { Stack } from '../support/stack.js';

/** What a topic cost the processes of the system. */
export interface Costs {
  readonly processorSeconds: number;
  /** The largest growth of the memory of one process, in MiB, and which one it was. */
  readonly memoryMiB: number;
  readonly grew: string;
}

const sampleMs = 100;

/** Measures the processes of the system: the services and the edge, not the stores. */
export class Meter {
  private constructor(
    private readonly pids: ReadonlyMap<string, number>,
    private readonly processorMs: number,
    private readonly memory: ReadonlyMap<string, number>,
    private readonly most: Map<string, number>,
    private readonly timer: NodeJS.Timeout,
  ) {}

  static async start(stack: Stack): Promise<Meter> {
    const pids = new Map(Object.entries(await stack.pids()));
    const memory = new Map([...pids].map(([name, pid]) => [name, memoryOf(pid)]));
    const most = new Map(memory);
    const timer = setInterval(() => {
      for (const [name, pid] of pids) most.set(name, Math.max(most.get(name) ?? 0, memoryOf(pid)));
    }, sampleMs);
    return new Meter(pids, processorOf(pids), memory, most, timer);
  }

  stop(): Costs {
    clearInterval(this.timer);
    const grown = [...this.most].map(([name, most]) => ({
      name,
      bytes: Math.max(most, memoryOf(this.pids.get(name) ?? 0)) - (this.memory.get(name) ?? 0),
    }));
    const [first] = grown.toSorted((one, other) => other.bytes - one.bytes);
    return {
      processorSeconds: (processorOf(this.pids) - this.processorMs) / 1000,
      memoryMiB: (first?.bytes ?? 0) / 2 ** 20,
      grew: first?.name ?? 'none',
    };
  }
}

function processorOf(pids: ReadonlyMap<string, number>): number {
  return [...pids.values()].reduce((sum, pid) => sum + processorMsOf(pid), 0);
}

/** The resident memory of a process in bytes; 0 if it has ended. */
function memoryOf(pid: number): number {
  try {
    const [, kib = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib) * 1024;
  } catch {
    return 0;
  }
}
