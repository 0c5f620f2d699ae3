import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stack } from '../../support/stack.js';
import { post } from '../post.js';
import { cpuBetween, cpuSecondsOf } from '../queue/cpu.js';
import { table, type Part } from './part.js';

/** The cost of open event streams at one process of the queue service. */
interface StreamsRow {
  readonly open: number;
  /** Resident memory of the process for each stream, in KiB. */
  readonly kibEach: number;
  /** Cores that the process uses for them while nothing happens. */
  readonly quietCores: number;
  /** The same of Redis. */
  readonly redisCores: number;
}

/** Event streams, by their number. */
export const streams: Part = {
  name: 'streams',
  about: 'open event streams of one process, by their number',
  measure: async ({ streams: counts }, say) => {
    const rows = await measureStreams(counts, say);
    const cells = rows.map((row) => [
      row.open,
      row.kibEach.toFixed(1),
      row.quietCores.toFixed(3),
      row.redisCores.toFixed(3),
    ]);
    const head = ['open streams', 'KiB each', 'cores while quiet', 'cores of Redis'];
    return { text: table(head, cells), json: { streams: rows } };
  },
};

/** Streams of a ticket; a few tickets, since the number of streams is what is measured. */
const tickets = 20;
const opensAtOnce = 200;
const settleMs = 12_000;
const quietMs = 20_000;

/** Opens streams at the queue service itself, and measures what they cost while nothing happens. */
async function measureStreams(counts: readonly number[], say: (text: string) => void): Promise<StreamsRow[]> {
  const most = String(Math.max(...counts) + 100);
  const stack = await Stack.start(['--log-level', 'warn'], {
    env: { OPEN_CALLS: most, OPEN_CALLS_PER_CALLER: '10000' },
  });
  const sockets: Socket[] = [];
  try {
    const port = stack.run.replicas.find(({ service }) => service === 'queue')?.httpPort ?? 0;
    const followed = await waitingTickets(stack);
    const pids = await stack.pids();
    const idle = await quiet(pids);
    const before = rssKib(pids['queue'] ?? 0);
    const rows: StreamsRow[] = [];
    for (const open of counts.toSorted((a, b) => a - b)) {
      say(`  ${open} streams`);
      while (sockets.length < open) {
        const many = Math.min(opensAtOnce, open - sockets.length);
        sockets.push(
          ...(await Promise.all(
            Array.from({ length: many }, (_, n) => openStream(port, followed[n % tickets])),
          )),
        );
      }
      const busy = await quiet(pids);
      rows.push({
        open,
        kibEach: (rssKib(pids['queue'] ?? 0) - before) / open,
        quietCores: (busy['queue'] ?? NaN) - (idle['queue'] ?? NaN),
        redisCores: (busy['redis'] ?? NaN) - (idle['redis'] ?? NaN),
      });
    }
    return rows;
  } finally {
    for (const socket of sockets) socket.destroy();
    await stack.stop();
  }
}

interface Followed {
  readonly ticketId: string;
  readonly token: string;
}

/** Tickets that wait: each is of another build. */
async function waitingTickets(stack: Stack): Promise<Followed[]> {
  const agent = new Agent();
  return Promise.all(
    Array.from({ length: tickets }, async (_, n) => {
      const token = await stack.token(`stream-${n}`);
      const ticket = { queue: '1v1', build: `stream-${n}` };
      const { status, text } = await post(stack.url, agent, '/v1/tickets', token, ticket, {
        'idempotency-key': randomUUID(),
      });
      if (status !== 201) throw new Error(`${status} ${text}`);
      return { ticketId: (JSON.parse(text) as { ticketId: string }).ticketId, token };
    }),
  );
}

/** @returns once the stream has sent its first event */
function openStream(port: number, followed: Followed | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('error', reject);
    socket.on('data', (data: Buffer) => {
      if (text.includes('event: ticket')) return;
      text += data.toString();
      if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(text.slice(0, 300)));
      if (text.includes('event: ticket')) resolve(socket);
    });
    socket.write(
      `GET /v1/tickets/${followed?.ticketId}/events HTTP/1.1\r\nhost: here\r\nauthorization: Bearer ${followed?.token}\r\n\r\n`,
    );
  });
}

/** Cores in use by process while nothing is asked. */
async function quiet(pids: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  await sleep(settleMs);
  const before = cpuSecondsOf(pids);
  await sleep(quietMs);
  const used = cpuBetween(before, cpuSecondsOf(pids)) ?? {};
  return Object.fromEntries(
    Object.entries(used).map(([name, seconds]) => [name, (1000 * seconds) / quietMs]),
  );
}

function rssKib(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib);
}
