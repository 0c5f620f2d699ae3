import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

/** File descriptors that a process needs for other purposes. */
const spare = 200;
/** Connections opened concurrently. */
const concurrency = 100;
/** The number of collections: what one frees lets the next free more. */
const collections = 3;

/** The cost of idle connections for their process. */
export interface Idle {
  readonly wanted: number;
  readonly connections: number;
  readonly before: Memory;
  readonly with: Memory;
  readonly after: Memory;
  /** The growth of the heap, in MB, and per connection in KB. */
  readonly grownMb: number;
  readonly perConnectionKb: number;
}

/** Memory of a process after garbage collection, in MB. */
export interface Memory {
  /** JavaScript's heap and external buffers. */
  readonly heldMb: number;
  /** The resident set, including memory not returned to the system. */
  readonly residentMb: number;
}

/** File descriptors that a process needs for its ends of the connections. */
export function openFilesFor(connections: number): number {
  return connections + spare;
}

/**
 * The number of connections that two processes with these limits can share; both hold one end. Infinity if no limit is
 * known.
 */
export function maxConnections(pid: number): number {
  return Math.min(...[process.pid, pid].map((each) => openFiles(each) - spare));
}

/** Opens connections sequentially, as game servers start. */
export async function openIdle(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const size = Math.min(concurrency, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: size }, () => openOne(port)))));
  }
  return sockets;
}

async function openOne(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  // Each selects a game and gets one answer.
  socket.write('GAME bench\nMEANBOT\n');
  const [said] = (await once(socket, 'data')) as [Buffer];
  if (!said.toString().startsWith('MEANBOT '))
    throw new Error(`A connection was answered ${said.toString()}`);
  return socket;
}

/** @param folder where the process writes its memory use on SIGUSR2 */
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
