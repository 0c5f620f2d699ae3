// `npm run test:forget`: two replicas of each service under load, and a Redis that loses what it acknowledged: FLUSHALL, an
// older copy of its files, a fail-over to a replica that lacks the last writes. Then an audit of the invariants.
import { seededRandom } from '@muster/domain';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Stack } from '../../support/stack.js';
import { Crowd } from '../crowd.js';
import { fatesOf } from '../fates.js';
import { settle } from '../settle.js';
import { judge, type Finding } from '../verdict.js';
import { ForgetfulRedis, hasRedisServer } from './forgetful-redis.js';
import { build, serversOf } from '../servers.js';
import { createDb } from '../../support/prisma.js';

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
if (!hasRedisServer()) {
  say('SKIPPED: this test needs redis-server on the PATH, such as by "apt-get install redis-server".');
  process.exit(0);
}
/** Time of load between two losses, in milliseconds. */
const loadMs = 8_000;
/** The age of the copy, and the lag of the replica, in milliseconds. */
const copyAgeMs = 6_000;
const lagMs = 1_500;
/** With this many processes on two processors, the time of a call may be this much older than its transaction. */
const maxDelayMs = 5_000;
/** What an older copy can break: it knows neither cancellations nor the matches of its tickets since. */
const notWithCopies = ['every acknowledged ticket ended, or waits'];

say(`Redis that forgets, seed ${values.seed}: ${values.players} players.`);
const random = seededRandom(Number(values.seed));
const redis = await ForgetfulRedis.start();
const stack = await Stack.start(['--replicas', '2', '--log-level', 'warn'], {
  env: { REDIS_URL: redis.url, SILENCE_MS: '20000', ANSWER_MS: '3000', PROPOSAL_LEASE_MS: '3000' },
});
const fleet = serversOf({
  url: stack.url,
  serverKey: stack.run.serverKey,
  matchMs: () => 500 + 4_000 * random(),
  random,
});
await fleet.start();
const crowd = new Crowd(stack, Number(values.players), build);
await crowd.start();

const losses: [string, () => Promise<void>][] = [
  ['FLUSHALL', () => redis.flush()],
  ['FLUSHALL, twice within a second', flushTwice],
  [`files of ${copyAgeMs / 1000} s before`, goBack],
  [`a fail-over to a replica that lacks ${lagMs / 1000} s`, failOver],
  ['FLUSHALL of the new primary', () => redis.flush()],
];
for (const [what, lose] of losses) {
  await sleep(loadMs);
  const before = fleet.report.reported.size;
  await lose();
  // Cancellations that were acknowledged shortly before are among what was lost.
  crowd.cancelled.clear();
  const until = Date.now() + 60_000;
  while (fleet.report.reported.size < before + 3 && Date.now() < until) await sleep(200);
  say(
    `${what}: ${crowd.acknowledged.size} tickets acknowledged, ${crowd.lost.size} told lost, ${fleet.report.reported.size} results taken`,
  );
}
say('No more losses; waiting for open work to end.');
await sleep(3_000);
await Promise.race([crowd.stop(), sleep(90_000)]);
await settle(stack, 60_000);
const findings: Finding[] = (await judge(stack, crowd, fleet, maxDelayMs)).filter(
  ({ promise }) => !notWithCopies.includes(promise),
);
findings.push(await fatesOf(stack, crowd.acknowledged));
findings.push(await lockedOut());
await fleet.stop();
await stack.stop();
await redis.stop();

let passed = 0;
for (const { promise, broken } of findings) {
  if (broken.length === 0) passed++;
  const evidence = broken.length > 0 ? `: ${broken.slice(0, 5).join('; ')} (${broken.length} in all)` : '';
  say(`${broken.length === 0 ? 'kept  ' : 'BROKEN'}  ${promise}${evidence}`);
}
const worked = fleet.report.reported.size >= 20 && crowd.acknowledged.size >= 100 && crowd.lost.size >= 10;
say(
  `${worked ? 'kept  ' : 'BROKEN'}  load and loss were real (${crowd.acknowledged.size} tickets, ${crowd.lost.size} told lost, ${fleet.report.reported.size} results)`,
);
if (worked) passed++;
say(`${passed} passed, ${findings.length + 1 - passed} failed`);
process.exit(passed === findings.length + 1 ? 0 : 1);

async function flushTwice(): Promise<void> {
  await redis.flush();
  await sleep(400);
  await redis.flush();
}

async function goBack(): Promise<void> {
  const putBack = await redis.copy();
  await sleep(copyAgeMs);
  await putBack();
}

async function failOver(): Promise<void> {
  await redis.follow();
  await sleep(loadMs / 2);
  await redis.failOver(lagMs);
}

/** Nobody is held by a ticket that is over, and everybody may queue or leaves a ticket that waits. */
async function lockedOut(): Promise<Finding> {
  const client = new Redis(redis.url);
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  const broken: string[] = [];
  try {
    for (let i = 0; i < Number(values.players); i++) {
      const holder = await client.get(`muster:{default}:player:crowd-${i}`);
      if (holder === null) continue;
      const [state] = await client.hmget(`muster:{default}:ticket:${holder}`, 's');
      if (state !== 'waiting') broken.push(`crowd-${i} is held by ${holder}, which is ${state}`);
    }
    for (const { playerId, matchId } of await db.livePlayer.findMany())
      broken.push(`${playerId} is held by ${matchId}`);
  } finally {
    client.disconnect();
    await db.$disconnect();
  }
  return { promise: 'no player stays locked out', broken };
}
