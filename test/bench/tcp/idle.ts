import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

/** Descriptors that a process needs for other things than these connections. */
const spare = 200;
/** So many are opened at the same time. */
const together = 100;
/** How often a process is asked to collect its garbage: what one collection frees lets the next free more. */
const collections = 3;

/** What connections that say nothing cost the process that holds them. */
export interface Idle {
  readonly wanted: number;
  readonly connections: number;
  readonly before: Memory;
  readonly with: Memory;
  readonly after: Memory;
  /** What they added to the heap, in MB, and of that each in KB. */
  readonly grownMb: number;
  readonly perConnectionKb: number;
}

/** Memory of a process that has collected its garbage, in MB. */
export interface Memory {
  /** JavaScript's heap and the buffers outside of it: what is held. */
  readonly heldMb: number;
  /** All of the process, with what it has not given back to the system. */
  readonly residentMb: number;
}

/** Descriptors that a process needs to hold one end of so many connections. */
export function openFilesFor(connections: number): number {
  return connections + spare;
}

/** How many connections two processes with these limits can share; both hold one end. Infinity where no limit is known. */
export function mostConnections(pid: number): number {
  return Math.min(...[process.pid, pid].map((each) => openFiles(each) - spare));
}

/** Opens connections one after the other, as game servers come up. */
export async function openIdle(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const size = Math.min(together, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: size }, () => openOne(port)))));
  }
  return sockets;
}

async function openOne(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  // Each has said what is played on it, and hears that it was understood: nothing, and the answer to a question of its own.
  socket.write('GAME bench\nMEANBOT\n');
  const [said] = (await once(socket, 'data')) as [Buffer];
  if (!said.toString().startsWith('MEANBOT '))
    throw new Error(`A connection was answered ${said.toString()}`);
  return socket;
}

/** @param folder where the process writes its memory down on SIGUSR2 */
export async function memoryOf(pid: number, folder: string): Promise<Memory> {
  let said: NodeJS.MemoryUsage | null = null;
  for (let i = 0; i < collections; i++) {
    const path = join(folder, String(pid));
    await rm(path, { force: true });
    process.kill(pid, 'SIGUSR2');
    for (said = null; said === null;) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      said = await readFile(path, 'utf8').then(
        (text) => JSON.parse(text) as NodeJS.MemoryUsage,
        () => null,
      );
    }
  }
  const { heapUsed = NaN, external = NaN, rss = NaN } = said ?? {};
  const inMb = (bytes: number): number => Math.round((bytes / 2 ** 20) * 10) / 10;
  return { heldMb: inMb(heapUsed + external), residentMb: inMb(rss) };
}

function openFiles(pid: number): number {
  try {
    const [, soft] = /Max open files\s+(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
    return Number(soft ?? Infinity);
  } catch {
    return Infinity;
  }
}
