// `npm run test:restore`: a system with players and servers is backed up under load, destroyed, and restored into an empty
// one. Players and servers are the same before and after. Then the ledger is replayed and the stores are audited.
import { seededRandom } from '@muster/domain';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TestPostgres } from '../support/database.js';
import { muster } from '../support/muster.js';
import { Stack } from '../support/stack.js';
import { Crowd } from './crowd.js';
import { report } from './findings.js';
import { settle } from './settle.js';
import { judge, type Finding } from './verdict.js';
import { build, serversOf } from './servers.js';
import { createDb, type Db } from '../support/prisma.js';

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
});
const random = seededRandom(Number(values.seed));
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** A backup that met no result is taken again so often at most. */
const mostBackups = 20;
const env = { SILENCE_MS: '15000', ANSWER_MS: '3000', PROPOSAL_LEASE_MS: '3000' };

say(`Restore rehearsal, seed ${values.seed}: ${values.players} players.`);
const folder = await mkdtemp(join(tmpdir(), 'muster-rehearsal-'));
const backupDir = join(folder, 'backup');
const first = await Stack.start(['--log-level', 'warn'], { env });
const fleet = serversOf({
  url: first.url,
  serverKey: first.run.serverKey,
  // Some matches last over the backup, the destruction and the restore.
  matchMs: () => (random() < 0.1 ? 60_000 : 300 + 1_200 * random()),
  random,
});
await fleet.start();
const crowd = new Crowd(first, Number(values.players), build);
await crowd.start();
await pause(15_000);

let before = new Set<string>();
let during = 0;
// A backup takes a second, so it may meet no result: the one that is kept has met some.
for (let tries = 0; during === 0 && tries < mostBackups; tries++) {
  await rm(backupDir, { recursive: true, force: true });
  before = new Set(fleet.report.reported.keys());
  await command(['backup', backupDir, '--data-dir', first.dataDir]);
  during = fleet.report.reported.size - before.size;
}
await pause(3_000);
const lost = [...fleet.report.reported.keys()].filter((id) => !before.has(id));
const dataDir = join(folder, 'data');
await cp(join(first.dataDir, 'keys'), join(dataDir, 'keys'), { recursive: true });
await first.stop();
const oldTickets = [...crowd.acknowledged];
say(
  `Everything is destroyed: ${oldTickets.length} tickets, ${before.size} results before the backup, ${lost.length} since it began.`,
);

const postgres = await TestPostgres.start({ migrated: false });
const own = { DATABASE_URL: postgres.url };
await command(['restore', backupDir, '--data-dir', dataDir], own);
const db = createDb(postgres.url, { maxConnections: 2 });
const findings: Finding[] = [
  {
    promise: `the backup was online (${during} results were taken while it ran)`,
    broken: during > 0 ? [] : ['none'],
  },
  {
    promise: `every result acknowledged before the backup is restored (${before.size})`,
    broken: await missing(db, before),
  },
];
const liveThen = await liveMatches(db);
const stack = await Stack.start(['--log-level', 'warn', '--port', new URL(first.url).port], {
  dataDir,
  env: { ...env, ...own },
});
say(`Restored and started; ${liveThen.length} matches of the backup were live.`);
const resumedAt = fleet.report.reported.size;
const patience = Date.now() + 90_000;
while (fleet.report.reported.size < resumedAt + 20 && Date.now() < patience) await pause(500);
const resumed = fleet.report.reported.size - resumedAt;
await pause(10_000);
await Promise.race([crowd.stop(), pause(120_000)]);
await settle(stack, 90_000);

// What was lost with the old stores is not asked for.
for (const id of lost)
  if (!(await isRated(db, fleet.report.reported.get(id)?.matchId))) fleet.report.reported.delete(id);
for (const id of oldTickets) {
  crowd.acknowledged.delete(id);
  crowd.vanished.delete(id);
  crowd.assignedTwice.delete(id);
}
findings.push(...(await judge(stack, crowd, fleet, 1_000)));
findings.push({
  promise: `players of lost tickets queued again (${crowd.acknowledged.size} tickets, ${resumed} results)`,
  broken: crowd.acknowledged.size > 0 && resumed >= 20 ? [] : ['the load did not go on'],
});
findings.push({
  promise: `every match that was live at the backup is over (${liveThen.length})`,
  broken: await stillLive(db, liveThen),
});
const unclear = fleet.report.refusedReports.filter((told) => !/session|match|server/i.test(told));
findings.push({
  promise: `every refused report was told why (${fleet.report.refusedReports.length})`,
  broken: unclear,
});
findings.push(await replayed(stack, db));

await fleet.stop();
await db.$disconnect();
await stack.stop();
await postgres.stop();
await rm(folder, { recursive: true, force: true });
for (const told of fleet.report.refusedReports.slice(0, 3)) say(`A refused report: ${told}`);
process.exit(report(findings));

/** Runs a command and prints what it says. @throws Error if it fails */
async function command(words: readonly string[], more: Record<string, string> = {}): Promise<void> {
  const { code, stdout, stderr } = await muster(words, more);
  if (code !== 0) throw new Error(`muster ${words.join(' ')} ended with ${code}: ${stderr}`);
  for (const line of stdout.trim().split('\n')) say(`  ${line}`);
}

async function missing(of: Db, sessions: ReadonlySet<string>): Promise<string[]> {
  const rows = await of.$queryRaw<{ id: string }[]>`
    SELECT wanted.id FROM unnest(${[...sessions]}::text[]) AS wanted(id)
    WHERE NOT EXISTS (SELECT 1 FROM result WHERE session_id = wanted.id)`;
  return rows.map(({ id }) => id);
}

async function liveMatches(of: Db): Promise<string[]> {
  const rows = await of.$queryRaw<{ id: string }[]>`SELECT id FROM match WHERE state IN ('formed', 'placed')`;
  return rows.map(({ id }) => id);
}

async function stillLive(of: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await of.$queryRaw<{ id: string }[]>`
    SELECT id FROM match WHERE id = ANY(${[...ids]}::text[]) AND state IN ('formed', 'placed', 'ended')`;
  return rows.map(({ id }) => id);
}

async function isRated(of: Db, matchId: string | undefined): Promise<boolean> {
  if (matchId === undefined) return false;
  const rows = await of.$queryRaw<unknown[]>`SELECT 1 FROM match WHERE id = ${matchId} AND state = 'rated'`;
  return rows.length > 0;
}

/** Replays the ledger of every pool into a new generation, and compares it with the one that was in force. */
async function replayed(of: Stack, stored: Db): Promise<Finding> {
  const pools = await stored.$queryRaw<{ name: string; generation: number }[]>`
    SELECT name, generation FROM rating_pool WHERE EXISTS (SELECT 1 FROM rating WHERE pool = name)`;
  const broken: string[] = [];
  let compared = 0;
  for (const { name, generation } of pools) {
    await command(['pool', 'rebuild', name, '--reason', 'rehearsal', '--data-dir', of.dataDir]);
    const rows = await stored.$queryRaw<{ id: string | null; same: boolean }[]>`
      SELECT coalesce(a.player_id, b.player_id) AS id, a.state::text IS NOT DISTINCT FROM b.state::text AND a.matches = b.matches AS same
      FROM (SELECT * FROM rating WHERE pool = ${name} AND generation = ${generation}) AS a
      FULL JOIN (SELECT * FROM rating WHERE pool = ${name} AND generation = (SELECT generation FROM rating_pool WHERE name = ${name})) AS b
        ON a.player_id = b.player_id`;
    const [now] = await stored.$queryRaw<
      { generation: number }[]
    >`SELECT generation FROM rating_pool WHERE name = ${name}`;
    if (now?.generation === generation) broken.push(`${name} was not rebuilt`);
    compared += rows.length;
    for (const { id, same } of rows) if (!same) broken.push(`${id} in ${name}`);
  }
  return {
    promise: `the replayed ledger equals the ratings to the bit (${compared} ratings)`,
    broken: compared > 0 ? broken : ['there were no ratings'],
  };
}
