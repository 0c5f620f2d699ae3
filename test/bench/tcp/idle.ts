import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** Descriptors that a process needs for other things than these connections. */
const spare = 200;
/** So many are opened at the same time. */
const together = 100;
/** How often a process is asked to collect its garbage; memory goes back to the system bit by bit. */
const collections = 10;

/** What connections that say nothing cost the process that holds them. */
export interface Idle {
  readonly wanted: number;
  readonly connections: number;
  /** Resident memory in MB: before, with them, and after they are gone. */
  readonly beforeMb: number;
  readonly withMb: number;
  readonly afterMb: number;
  readonly grownMb: number;
  readonly perConnectionKb: number;
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

/** Resident memory in MB of a process that collects its garbage on SIGUSR2: the least that it comes down to. */
export async function settledMb(pid: number): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < collections; i++) {
    process.kill(pid, 'SIGUSR2');
    await new Promise((resolve) => setTimeout(resolve, 300));
    least = Math.min(least, residentMb(pid));
  }
  return least;
}

function residentMb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

function openFiles(pid: number): number {
  try {
    const [, soft] = /Max open files\s+(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
    return Number(soft ?? Infinity);
  } catch {
    return Infinity;
  }
}
