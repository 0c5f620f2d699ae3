// Latency of live balance over HTTP: `npm run bench:live-http -- --help`.
import { seededRandom } from '@muster/domain';
import { fork } from 'node:child_process';
import { Agent } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { spread } from '../../support/percentile.js';
import { Stack } from '../../support/stack.js';
import { cpuBetween, cpuSecondsOf } from '../queue/cpu.js';
import { grid, number } from '../table.js';
import { post } from '../post.js';
import { liveSessions, tellEvents } from './sessions.js';
import { command, fail, type Settings } from '../command.js';

const help = `Measures live balance over HTTP: the calls that send a whole roster, and the events of running sessions.

  npm run bench:live-http -- [options]

  --calls N     calls of each kind (default 500)
  --rate N      calls a second, one kind after the other (default 50); scrambles, which take long, a tenth of it
  --sessions N  sessions that are played, with an event a second each (default 2000)
  --seconds S   how long they are (default 20)
  --json        prints the line of JSON alone
  --help        prints this

The tables come first, the last line is JSON. Progress goes to stderr. The whole takes about two minutes.
`;

const options = {
  calls: { type: 'string', default: '500' },
  rate: { type: 'string', default: '50' },
  sessions: { type: 'string', default: '2000' },
  seconds: { type: 'string', default: '20' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

interface Row {
  readonly call: string;
  readonly policy: string;
  readonly players: number;
  readonly calls: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** null: there is none. */
  readonly aimMs: number | null;
  readonly refused: number;
  /** Calls with the same body to an empty Fastify server, in turn with these; null: none were made. */
  readonly besideP50Ms: number | null;
  readonly besideP99Ms: number | null;
}

/** The latency of an empty answer on this machine: no target below it can be met. */
const nothing = 'an empty server';

const say = (text: string): void => void process.stderr.write(`${text}\n`);

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const [calls, rate, sessions, seconds] = [values.calls, values.rate, values.sessions, values.seconds].map(
    Number,
  );
  for (const [name, value] of Object.entries({ calls, rate, sessions, seconds }))
    if (!Number.isSafeInteger(value) || (value ?? 0) < 1)
      return fail(`--${name} must be a whole number of 1 or more.`);
  const stack = await Stack.start(['--log-level', 'warn']);
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const empty = await emptyServer();
  try {
    const rows: Row[] = [];
    for (const kind of kinds()) {
      say(`  ${kind.call} (${kind.policy})`);
      // A warm-up that does not count.
      const share = kind.call === 'scramble' ? 0.1 : 1;
      const [warmUp, counted] = [Math.ceil(300 * share), Math.ceil((calls ?? 1) * share)];
      const { serverKey } = stack.run;
      const url = kind.call === nothing ? empty.url : stack.url;
      const beside = kind.call === nothing ? null : empty.fastifyUrl;
      const to = { url, beside, key: serverKey, agent };
      await callAll(to, kind, warmUp, (rate ?? 1) * share);
      rows.push(await callAll(to, kind, counted, (rate ?? 1) * share));
    }
    say(`  ${sessions} sessions with an event a second each, for ${seconds} s`);
    const servers = await liveSessions(stack, sessions ?? 1);
    const before = cpuSecondsOf(stack.run.pids);
    const taken = await tellEvents(stack, agent, servers, seconds ?? 1);
    const cpuSeconds = cpuBetween(before, cpuSecondsOf(stack.run.pids));
    const events = { ...taken, callMs: undefined, ...named(spread(taken.callMs)), cpuSeconds };
    if (!values.json) {
      const [cpu] = cpus();
      process.stdout.write(
        `Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}, load ${(loadavg()[0] ?? NaN).toFixed(1)} after\n\n` +
          `${table(rows)}\n\n${taken.sessions} sessions: ${number(taken.eventsPerSecond)} events a second taken, ${taken.refused} refused; ` +
          `a server's call with ${Math.round(taken.sessions / servers.length)} sessions: p50 ${events.p50Ms} ms, p99 ${events.p99Ms} ms\n\n`,
      );
    }
    process.stdout.write(`${JSON.stringify({ rows, events })}\n`);
  } finally {
    agent.destroy();
    empty.stop();
    await stack.stop();
  }
}

/** In its own process, like the services. */
async function emptyServer(): Promise<{ url: string; fastifyUrl: string; stop(): void }> {
  const child = fork(new URL('empty-server.js', import.meta.url));
  const ports = await new Promise<{ plain: number; fastify: number }>((resolve, reject) => {
    child.once('message', (told) => resolve(told as { plain: number; fastify: number }));
    child.once('error', reject);
  });
  const urlOf = (port: number): string => `http://127.0.0.1:${port}`;
  return { url: urlOf(ports.plain), fastifyUrl: urlOf(ports.fastify), stop: () => child.disconnect() };
}

function named({ p50, p99 }: { p50: number; p99: number }): { p50Ms: number; p99Ms: number } {
  return { p50Ms: p50, p99Ms: p99 };
}

interface Kind {
  readonly call: string;
  readonly policy: string;
  readonly players: number;
  readonly aimMs: number | null;
  body(n: number): object;
}

function* kinds(): Generator<Kind> {
  yield { call: nothing, policy: '', players: 64, aimMs: null, body: (n) => ({ roster: rosterOf(64, n) }) };
  for (const policy of ['sectors-edge-1.2.2', 'synelo', 'twenty-percent'])
    yield {
      call: 'check',
      policy,
      players: 64,
      aimMs: 5,
      body: (n) => ({ roster: rosterOf(64, n), policy }),
    };
  yield {
    call: 'placement',
    policy: 'none',
    players: 64,
    aimMs: 5,
    body: (n) => ({ roster: rosterOf(64, n), policy: 'none', arrives: { playerId: 'new', rating: 25 } }),
  };
  yield {
    call: 'scramble',
    policy: 'synelo',
    players: 24,
    aimMs: 60,
    body: (n) => ({ roster: rosterOf(24, n), policy: 'synelo', mode: 'arena' }),
  };
}

/** Players with normal ratings on two teams, uneven by a few, some in parties. */
function rosterOf(players: number, seed: number): object {
  const random = seededRandom(seed + 1);
  const tilt = 0.5 + 0.1 * (random() - 0.5);
  return {
    teams: 2,
    players: Array.from({ length: players }, (_, i) => ({
      playerId: `p${i}`,
      team: random() < tilt ? 0 : 1,
      rating: 1000 + 300 * (random() + random() + random() - 1.5),
      points: Math.floor(100 * random()),
      alive: random() < 0.8,
      ...(random() < 0.2 && players > 24 ? { partyId: `party${Math.floor(i / 3)}` } : {}),
    })),
  };
}

/** Where calls go; `beside` gets the same calls in turn with them. */
interface Target {
  readonly url: string;
  readonly beside: string | null;
  readonly key: string;
  readonly agent: Agent;
}

/** Calls at a constant rate, each timed from its intended moment; those to the server beside lie half-way between. */
async function callAll(
  { url, beside, key, agent }: Target,
  kind: Kind,
  calls: number,
  rate: number,
): Promise<Row> {
  const bodies = Array.from({ length: calls }, (_, n) => JSON.stringify(kind.body(n)));
  const took: number[] = [];
  const tookBeside: number[] = [];
  let refused = 0;
  const from = performance.now() + 100;
  const call = async (to: string, body: string, meant: number, into: number[]): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, meant - performance.now())));
    const { status } = await post(to, agent, `/v1/balance/${kind.call}`, key, body);
    into.push(performance.now() - meant);
    return status;
  };
  await Promise.all(
    bodies.flatMap((body, n) => [
      call(url, body, from + (1000 * n) / rate, took).then((status) => {
        if (status !== 200) refused += 1;
      }),
      ...(beside === null ? [] : [call(beside, body, from + (1000 * (n + 0.5)) / rate, tookBeside)]),
    ]),
  );
  const { call: name, policy, players, aimMs } = kind;
  const near = beside === null ? null : spread(tookBeside);
  return {
    call: name,
    policy,
    players,
    calls,
    ...named(spread(took)),
    aimMs,
    refused,
    besideP50Ms: near && near.p50,
    besideP99Ms: near && near.p99,
  };
}

function table(rows: readonly Row[]): string {
  return grid(
    ['call', 'policy', 'players', 'calls', 'p50 ms', 'p99 ms', 'Fastify p50 ms', 'p99 ms', 'aim'],
    rows.map(({ call, policy, players, calls, p50Ms, p99Ms, aimMs, refused, besideP50Ms, besideP99Ms }) => [
      call,
      policy,
      String(players),
      refused > 0 ? `${calls}, ${refused} refused` : String(calls),
      String(p50Ms),
      String(p99Ms),
      String(besideP50Ms ?? ''),
      String(besideP99Ms ?? ''),
      aimMs === null ? '' : `${aimMs} ms: ${p99Ms <= aimMs ? 'met' : 'missed'}`,
    ]),
  );
}
