// `npm run test:failover`: the primary of a streaming pair dies under load; its standby is promoted after half a minute.
// Services know both hosts. Then an audit of the invariants in the stores.
import { parseArgs } from 'node:util';
import { seededRandom } from '@muster/domain';
import { TestPostgres } from '../support/database.js';
import { Stack } from '../support/stack.js';
import { Standby } from '../support/standby.js';
import { Crowd } from './crowd.js';
import { report } from './findings.js';
import { settle } from './settle.js';
import { judge, type Finding } from './verdict.js';
import { build, serversOf } from './servers.js';
import { createDb } from '../support/prisma.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    players: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
});
const random = seededRandom(Number(values.seed));
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** A call that began before the fail-over may be written after it. */
const maxDelayMs = 25_000;
const awayMs = 1_000 * Number(values.seconds);

say(`Fail-over test, seed ${values.seed}: no primary for ${values.seconds} s, ${values.players} players.`);
const primary = await TestPostgres.start({ settings: ['synchronous_commit=on'] });
const standby = await Standby.of(primary.embedded);
const admin = createDb(primary.url, { maxConnections: 1 });
// What a service was told is committed must be on the standby.
await admin.$executeRawUnsafe(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
await admin.$queryRawUnsafe('SELECT pg_reload_conf()');
await admin.$disconnect();
const { host } = new URL(primary.url);
const both = primary.url.replace(host, `${host},${new URL(standby.url).host}`);
const stack = await Stack.start(['--log-level', 'warn'], {
  env: { DATABASE_URL: both, PROPOSAL_LEASE_MS: '3000' },
});
const fleet = serversOf({
  url: stack.url,
  serverKey: stack.run.serverKey,
  slots: 4,
  // A third of the matches lasts longer than the fail-over.
  matchMs: () => (random() < 0.3 ? awayMs + 15_000 : 500 + 1_500 * random()),
  random,
});
await fleet.start();
const crowd = new Crowd(stack, Number(values.players), build);
await crowd.start();
await pause(12_000);

await primary.halt();
const before = fleet.report.reported.size;
say(`The primary is gone; ${crowd.acknowledged.size} tickets acknowledged, ${before} results taken.`);
await pause(awayMs);
const live = await liveMatches(standby.url);
await standby.promote();
say(`The standby is promoted; ${live.length} matches were live.`);
const patience = Date.now() + 90_000;
while (fleet.report.reported.size < before + 10 && Date.now() < patience) await pause(500);
const after = fleet.report.reported.size - before;
await pause(10_000);
await Promise.race([crowd.stop(), pause(120_000)]);
await settle(stack, 90_000);
const findings: Finding[] = await judge(stack, crowd, fleet, maxDelayMs);
findings.push({
  promise: `no match that was live was abandoned (${live.length} matches)`,
  broken: live.length === 0 ? ['there was none'] : await abandoned(live),
});
findings.push({
  promise: `the load went on (${after} results after the fail-over)`,
  broken: after >= 10 ? [] : [`${after} results`],
});
await fleet.stop();
await stack.stop();
await standby.stop();
await primary.stop();
process.exit(report(findings));

/** The matches that have a server. */
async function liveMatches(url: string): Promise<string[]> {
  const db = createDb(url, { maxConnections: 1 });
  try {
    const rows = await db.$queryRaw<{ id: string }[]>`SELECT id FROM match WHERE state = 'placed'`;
    return rows.map(({ id }) => id);
  } finally {
    await db.$disconnect();
  }
}

async function abandoned(ids: readonly string[]): Promise<string[]> {
  const db = createDb(both, { maxConnections: 1 });
  try {
    const rows = await db.$queryRaw<{ told: string }[]>`
      SELECT id || ' is ' || state || ': ' || coalesce(close_reason, '') AS told FROM match
      WHERE id = ANY(${[...ids]}::text[]) AND state NOT IN ('rated', 'ended')`;
    return rows.map(({ told }) => told);
  } finally {
    await db.$disconnect();
  }
}
