// The loop under open-loop load: `npm run bench:loop -- --rate 300 --seconds 30`. Arrivals follow a fixed Poisson
// schedule; every latency counts from the intended time, so that a slow answer does not reduce the load.
import { seededRandom } from '@muster/domain';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { cpuBetween, cpuSecondsOf } from '../bench/queue/cpu.js';
import { Fleet } from '../support/fleet.js';
import { spread } from '../support/percentile.js';
import { Stack } from '../support/stack.js';
import { LoadClient } from './client.js';

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '30' },
    replicas: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  },
});
const rate = Number(values.rate);
const seconds = Number(values.seconds);
const random = seededRandom(Number(values.seed));
/** The first seconds warm up caches and compilers; they are loaded but not counted. */
const warmUpSeconds = 5;
const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface Seen {
  intended: number;
  postMs: number;
  matchedMs: number;
  assignMs: number;
  assignments: Set<string>;
  closed: boolean;
  counted: boolean;
}

const arrivals: number[] = [];
for (let at = 0; at < (seconds + warmUpSeconds) * 1000; at += (-Math.log(1 - random()) * 1000) / rate)
  arrivals.push(at);

const stack = await Stack.start(['--replicas', values.replicas ?? '1', '--log-level', 'warn']);
const players = Math.ceil(rate * 40);
say(`Signing tokens for ${players} players.`);
const tokens = await Promise.all(Array.from({ length: players }, (_, i) => stack.token(`load-${i}`)));
const fleet = new Fleet({
  url: stack.url,
  serverKey: stack.run.serverKey,
  servers: 8,
  slots: Math.max(20, Math.ceil(rate / 10)),
  build: 'load',
  region: 'local',
  matchMs: () => 1_000 + 1_000 * random(),
  ranks: (teams) => (random() < 0.5 ? teams.map((_, t) => t + 1) : teams.map((_, t) => teams.length - t)),
});
await fleet.start();
const client = new LoadClient(stack.url);
const seen: Seen[] = [];
let refused = 0;
let errors = 0;
const pending = new Set<Promise<void>>();
/** Start-up is left out; the processes that Postgres has a connection for are counted in. */
const cpuAtStart = cpuSecondsOf(stack.run.pids);
const start = performance.now() + 500;
const startAt = Date.now() + 500;

async function ticket(n: number, offset: number): Promise<void> {
  const token = tokens[n % players] ?? '';
  const intended = startAt + offset;
  const entry: Seen = {
    intended,
    postMs: 0,
    matchedMs: NaN,
    assignMs: NaN,
    assignments: new Set(),
    closed: false,
    counted: offset >= warmUpSeconds * 1000,
  };
  const answer = await client.post('/v1/tickets', token, {
    queue: '5v5',
    build: 'load',
    latencyMs: { local: 20 },
  });
  if (answer.status !== 201) {
    refused++;
    return;
  }
  entry.postMs = performance.now() - start - offset;
  seen.push(entry);
  const { ticketId } = JSON.parse(answer.text) as { ticketId: string };
  let formedAt = NaN;
  for (let tries = 0; tries < 5 && !entry.closed; tries++) {
    await client.follow(ticketId, token, (event) => {
      if (event['state'] === 'placing' && Number.isNaN(formedAt)) formedAt = Number(event['at']);
      const assignment = event['assignment'];
      if (typeof assignment === 'object' && assignment !== null && 'sessionId' in assignment) {
        if (entry.assignments.size === 0) {
          entry.matchedMs = performance.now() - start - offset;
          entry.assignMs = Date.now() - formedAt;
        }
        entry.assignments.add(String(assignment.sessionId));
      }
      if (event['closed'] === true) entry.closed = true;
      return entry.closed;
    });
  }
}

say(
  `Load: ${rate} tickets/s for ${seconds} s after ${warmUpSeconds} s of warm-up, on ${cpus().length} cores.`,
);
let next = 0;
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    const now = performance.now() - start;
    while (next < arrivals.length && (arrivals[next] ?? Infinity) <= now) {
      const work = ticket(next, arrivals[next] ?? 0).catch(() => void errors++);
      pending.add(work);
      void work.finally(() => pending.delete(work));
      next++;
    }
    if (process.stderr.isTTY)
      process.stderr.write(`\r${next}/${arrivals.length} tickets, ${pending.size} open `);
    if (next >= arrivals.length) {
      clearInterval(timer);
      resolve();
    }
  }, 2);
});
say(`\nAll ${next} tickets are in; waiting for the ${pending.size} that are still open.`);
// The last tickets may be too few for a match; they are not cancelled and count as waiting, not as lost.
await Promise.race([Promise.all(pending), new Promise((resolve) => setTimeout(resolve, 20_000))]);

const rssMb = Object.fromEntries(
  Object.entries(stack.run.pids).map(([name, pid]) => {
    const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return [name, Math.round(Number(kb) / 1024)];
  }),
);
const cpuSeconds = cpuBetween(cpuAtStart, cpuSecondsOf(stack.run.pids));
const { waiting } = await stack.operator.waiting('5v5');
const open = seen.filter((entry) => !entry.closed).length;
const counted = seen.filter((entry) => entry.counted && !Number.isNaN(entry.matchedMs));
const result = {
  ticketsPerSecond: Math.round((counted.length / seconds) * 10) / 10,
  offeredPerSecond: rate,
  postMs: spread(seen.filter((entry) => entry.counted).map((entry) => entry.postMs)),
  timeToMatchMs: spread(counted.map((entry) => entry.matchedMs)),
  assignMs: spread(counted.map((entry) => entry.assignMs).filter((ms) => !Number.isNaN(ms))),
  lost: Math.max(0, open - waiting.length) + errors,
  duplicated: seen.filter((entry) => entry.assignments.size > 1).length + fleet.report.overCommitted,
  refused,
  rssMb,
  cpuSeconds: {
    ...cpuSeconds,
    loadGenerator: Math.round(process.cpuUsage().user / 1e4 + process.cpuUsage().system / 1e4) / 100,
  },
};
console.table({
  'tickets matched a second': { p50: result.ticketsPerSecond },
  'POST /v1/tickets (ms)': result.postMs,
  'enqueued to assigned (ms)': result.timeToMatchMs,
  'formed to assigned (ms)': result.assignMs,
});
say(
  `lost ${result.lost}, duplicated ${result.duplicated}, refused ${refused}, still waiting ${waiting.length}`,
);
client.close();
await fleet.stop();
await stack.stop();
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
