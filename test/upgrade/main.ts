// `npm run test:upgrade`: replicas of the release before and of this one run together under load, while the system is
// rolled forward, back and forward again, one process after the other. Then an audit of the stores.
import { seededRandom } from '@muster/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Crowd } from '../chaos/crowd.js';
import { settle } from '../chaos/settle.js';
import { Harm } from '../chaos/stall/harm.js';
import { judge } from '../chaos/verdict.js';
import { League } from './league.js';
import { leftJobs, untilDone } from '../chaos/left-jobs.js';
import { plan, shortPlan, type Step } from './plan.js';
import { isPlant, planted, plantMigration, plants } from './plants.js';
import { releaseBefore, type Checkout } from './release-before.js';
import { RollingSystem } from './rolling-system.js';
import { build, serversOf } from '../chaos/servers.js';
import { createDb } from '../support/prisma.js';

const help = `npm run test:upgrade -- [options]

Runs the release before and this one together. Prints a line a phase; takes some six minutes.

  --short        forward alone
  --players N    how many players queue (60)
  --plant NAME   an incompatible change, which the test must notice:
${Object.entries(plants)
  .map(([name, words]) => `                   ${name}: ${words}`)
  .join('\n')}
  --keep-data    leaves stores' data and logs
  --help
`;
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    players: { type: 'string', default: '60' },
    plant: { type: 'string' },
    'keep-data': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
// Ends what was started.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
if (values.help) {
  say(help);
  process.exit(0);
}
const plant = values.plant ?? null;
if (plant !== null && !isPlant(plant)) {
  process.stderr.write(`No plant is called ${plant}.\n\n${help}`);
  process.exit(2);
}

/** A promise, and what breaks it. */
interface Kept {
  readonly promise: string;
  readonly broken: readonly string[];
}

/** With this many processes on two processors, the time of a call may be this much older than its transaction. */
const maxDelayMs = 20_000;
/** A match that was formed in a phase is rated in this time, or the phase has failed. */
const progressWithinMs = 90_000;
/** So many matches are rated in each phase. */
const matchesAPhase = 4;

const before = await releaseBefore(say);
if (before === null) {
  say('SKIPPED: the history of this clone does not have the release before that prisma/release.json names.');
  process.exit(0);
}
const now = await planted(plant);
say(
  `Releases ${before.title} and ${now.title}${plant === null ? '' : `, in which ${plants[plant]}`}: ${values.players} players.`,
);
// There is one edge. Where others use the processors too, its restart may take longer than the usual limit of silence.
process.env['SILENCE_MS'] ??= '20000';
const system = await RollingSystem.start(before, say);
const { stack } = system;
const harm = new Harm(stack);
const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
const random = seededRandom(7);
const fleet = serversOf({
  url: stack.url,
  serverKey: stack.run.serverKey,
  // Some matches outlast the restart of a process.
  matchMs: () => 1_000 + 7_000 * random() ** 2,
  random,
});
const crowd = new Crowd(stack, Number(values.players), build);
const league = new League(stack);
const findings: Kept[] = [];
const startedAt = await harm.now();
try {
  await fleet.start();
  await crowd.start();
  await league.start();
  await phase('all processes are of the release before', () => Promise.resolve());
  await phase('the database is migrated, all processes are of the release before', async () => {
    await system.migrate(now);
    await plantMigration(plant, stack.run.databaseUrl);
  });
  for (const step of values.short ? shortPlan : plan) await roll(step);
  say('No more changes; waiting for open work to end.');
  await league.stop();
  await Promise.race([crowd.stop(), sleep(90_000)]);
  await settle(stack, 60_000);
  await audit();
} catch (error) {
  findings.push({
    promise: 'the test ran to its end',
    broken: [error instanceof Error ? error.message : String(error)],
  });
} finally {
  await harm.close();
  await db.$disconnect();
  await fleet.stop();
  for (const [log, count] of await system.errors()) say(`        ${count} errors in ${log}`);
  await system.stop({ keepData: values['keep-data'] });
  if (values['keep-data']) say(`data and logs are in ${system.dataDir}`);
}

for (const { promise, broken } of findings)
  say(
    `${broken.length === 0 ? 'kept  ' : 'BROKEN'}  ${promise}${broken.length > 0 ? `: ${broken.slice(0, 5).join('; ')} (${broken.length} in all)` : ''}`,
  );
const failed = findings.filter(({ broken }) => broken.length > 0).length;
say(`${findings.length - failed} passed, ${failed} failed`);
if (plant !== null)
  say(failed > 0 ? 'The planted change was noticed.' : 'The planted change was NOT noticed.');
process.exit((plant === null) === (failed === 0) ? 0 : 1);

/** Replaces the processes of a part, one after the other; each time the releases work together for a while. */
async function roll({ part, to }: Step): Promise<void> {
  const release: Checkout = to === 'new' ? now : (before ?? now);
  const names = system.namesOf(part);
  for (const [i, name] of names.entries()) {
    const which = i === names.length - 1 ? `all of ${part}` : name;
    await phase(`${which} is of ${to === 'new' ? 'this release' : 'the release before'}`, () =>
      system.replace(name, release),
    );
  }
}

/** Makes a change, and waits until matches that were formed afterwards are rated. */
async function phase(title: string, change: () => Promise<void>): Promise<void> {
  const began = performance.now();
  const broken: string[] = [];
  const from = await harm.now();
  await change();
  const changedAt = await harm.now();
  const until = performance.now() + progressWithinMs;
  while ((await ratedOf(changedAt)) < matchesAPhase) {
    if (performance.now() > until) {
      broken.push(`no match formed since was rated in ${progressWithinMs / 1000} s`);
      break;
    }
    await sleep(200);
  }
  broken.push(...(await harm.abandonedSince(from)).map((match) => `abandoned: ${match}`));
  const dead = (await leftJobs(stack.run.redisUrl)).filter(({ state }) => state === 'failed');
  broken.push(...dead.map(({ queue, jobId, reason }) => `dead letter: ${queue} ${jobId}: ${reason}`));
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  say(
    `${broken.length === 0 ? 'passed' : 'FAILED'}   ${title}: ${seconds} s, ${fleet.report.reported.size} results${broken.length > 0 ? `; ${broken.slice(0, 3).join('; ')}` : ''}`,
  );
  findings.push({ promise: title, broken });
  // Without progress each further phase would wait as long.
  if (broken.length > 0) throw new Error(`stopped after the first phase that failed: ${title}`);
}

async function audit(): Promise<void> {
  const left = await untilDone(stack.run.redisUrl);
  const add = (promise: string, broken: readonly string[]): void => void findings.push({ promise, broken });
  add(
    'no job is left',
    left.map(({ queue, state, jobId, reason }) => `${queue} ${jobId} is ${state} ${reason}`),
  );
  add('no live match was abandoned', await harm.abandonedSince(startedAt));
  add('no result was refused', fleet.report.refusedReports);
  add('every process ended in time', system.killed);
  add('no process ended by itself', system.crashed);
  add('every report of a match counted once', [
    ...league.wrong,
    ...(await unratedOf([...league.reported.values()])),
  ]);
  findings.push(...(await judge(stack, crowd, fleet, maxDelayMs)));
  const real =
    fleet.report.reported.size >= 20 && crowd.acknowledged.size >= 100 && league.reported.size >= 50;
  add(
    `the load was real (${crowd.acknowledged.size} tickets, ${fleet.report.reported.size} results, ${league.reported.size} reported matches)`,
    real ? [] : ['there was too little of it'],
  );
}

/** The number of matches that queues formed since, and that are rated. */
async function ratedOf(at: number): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM match WHERE state = 'rated' AND origin = 'queue' AND formed_at >= ${new Date(at)}`;
  return Number(row?.count ?? 0);
}

/** Those of the matches that are not rated. */
async function unratedOf(matchIds: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT wanted.id FROM unnest(${matchIds}::text[]) AS wanted(id) LEFT JOIN match ON match.id = wanted.id
    WHERE match.state IS DISTINCT FROM 'rated'`;
  return rows.map(({ id }) => `${id} is not rated`);
}
