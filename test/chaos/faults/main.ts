// `npm run test:faults`: each fault of stores, services, network, clock and disk disturbs a system of its own under load.
// The stores are then asked what was lost, what counted twice, what is stuck, and how long recovery took.
import { createDb } from '@muster/db';
import { seededRandom } from '@muster/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Fleet } from '../../support/fleet.js';
import type { Stack } from '../../support/stack.js';
import { Crowd } from '../crowd.js';
import { untilDone } from '../left-jobs.js';
import { settle } from '../settle.js';
import { Harm } from '../stall/harm.js';
import { judge, type Finding } from '../verdict.js';
import { NotHere, type Ground } from './ground.js';
import { reckon, type Reckoning } from './reckon.js';
import { rows, type Row } from './rows.js';

const help = `npm run test:faults -- [options]

Disturbs systems under load and asks the stores what was harmed. Each row takes one to two minutes. The last lines are a
table: lost, twice, stuck, seconds until matches are rated again, matches that were rated meanwhile.

  --only NAMES   these rows alone, with commas
  --short        some rows of each kind
  --players N    how many players queue (60)
  --help

${rows.map(({ name, words }) => `  ${name.padEnd(24)}${words}`).join('\n')}
`;
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
    players: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
if (values.help) {
  say(help);
  process.exit(0);
}
const wanted = values.only.split(',').filter((name) => name !== '');
const unknown = wanted.filter((name) => !rows.some((row) => row.name === name));
if (unknown.length > 0) {
  process.stderr.write(`No row is called ${unknown.join(' or ')}.\n\n${help}`);
  process.exit(2);
}
const chosen = rows.filter((row) =>
  wanted.length > 0 ? wanted.includes(row.name) : !values.short || row.short === true,
);

/** The time-out of locks and statements. */
const maxDelayMs = 20_000;
/** A server is lost after 10 s of silence; by this time it would be visible. */
const judgedMs = 13_000;
const recoversWithinMs = 120_000;
/** The system under load before the fault. */
const warmWithinMs = 90_000;
const lookMs = 100;

interface Outcome extends Reckoning {
  readonly row: Row;
  /** null: no match was rated within two minutes. */
  readonly seconds: number | null;
  /** Matches that were rated during the fault: it shows how much the fault stops. */
  readonly meanwhile: number;
}
const outcomes: Outcome[] = [];
let failed = 0;
let skipped = 0;
for (const row of chosen) {
  const outcome = await play(row).catch((error: unknown) => {
    if (error instanceof NotHere) {
      skipped++;
      say(`SKIPPED  ${row.name}: ${error.message}`);
    } else {
      failed++;
      say(`FAILED   ${row.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    return null;
  });
  if (outcome === null) continue;
  outcomes.push(outcome);
  const good = isGood(outcome);
  if (!good) failed++;
  say(`${good ? 'passed' : 'FAILED'}   ${row.name}: ${row.words}, for ${row.seconds} s`);
  for (const evidence of [...outcome.lost, ...outcome.twice, ...outcome.stuck].slice(0, 10))
    say(`         ${evidence}`);
}

say('');
say(line(['fault', 'lost', 'twice', 'stuck', 'seconds', 'meanwhile']));
for (const { row, lost, twice, stuck, seconds, meanwhile } of outcomes)
  say(line([row.name, lost.length, twice.length, stuck.length, seconds ?? 'never', meanwhile]));
say(`${outcomes.filter(isGood).length} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed === 0 ? 0 : 1);

function line([name = '', ...figures]: readonly (string | number)[]): string {
  return `${String(name).padEnd(24)}${figures.map((figure) => String(figure).padStart(9)).join('')}`;
}

function isGood({ row, lost, twice, stuck, seconds }: Outcome): boolean {
  const inTime = seconds !== null && (!row.goesOn || seconds < row.seconds);
  return inTime && lost.length + twice.length + stuck.length === 0;
}

/** Starts the row's system, disturbs it under load, lets it recover, and reads the damage from the stores. */
async function play(row: Row): Promise<Outcome> {
  const ground = await row.ground();
  const { stack } = ground;
  const random = seededRandom(7);
  const fleet = new Fleet({
    url: stack.url,
    serverKey: stack.run.serverKey,
    servers: 3,
    slots: 3,
    build: 'chaos',
    region: 'local',
    // Some matches outlast the fault.
    matchMs: () => 1_000 + 7_000 * random() ** 2,
    ranks: (teams) => (random() < 0.5 ? teams.map((_, t) => t + 1) : teams.map((_, t) => teams.length - t)),
  });
  const crowd = new Crowd(stack, Number(values.players), 'chaos');
  const harm = new Harm(stack);
  try {
    await fleet.start();
    await crowd.start();
    const startedAt = await harm.now();
    if ((await firstRated(harm, startedAt, warmWithinMs)) === null)
      throw new Error('no match was rated before the fault');
    const beganAt = await harm.now();
    const { seconds, overAt } = await disturb(row, ground, harm, beganAt);
    await sleep(judgedMs);
    await Promise.race([crowd.stop(), sleep(90_000)]);
    await settle(stack, 60_000);
    const left = await untilDone(stack.run.redisUrl);
    const findings: Finding[] = [
      {
        promise: 'no job is left',
        broken: left.map(({ queue, state, jobId, reason }) => `${queue} ${jobId} is ${state} ${reason}`),
      },
      { promise: 'no live match was abandoned', broken: await harm.abandonedSince(beganAt) },
      { promise: 'no result of a live session was refused', broken: await refusedOf(stack, fleet) },
      ...(await judge(stack, crowd, fleet, maxDelayMs)),
    ];
    const meanwhile = await ratedBetween(stack, beganAt, overAt);
    return { row, seconds, meanwhile, ...reckon(findings) };
  } finally {
    await harm.close();
    await fleet.stop();
    await ground.stop();
  }
}

/**
 * Refused results of sessions that players were sent to. Without an answer in time a session is withdrawn, and nobody
 * plays; the servers of this test play it all the same.
 */
async function refusedOf(stack: Stack, fleet: Fleet): Promise<string[]> {
  const refused = new Map(fleet.report.refusedReports.map((words) => [words.split(':')[0] ?? '', words]));
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  try {
    const found = await db.$queryRaw<{ id: string }[]>`
      SELECT id FROM session WHERE id = ANY(${[...refused.keys()]}::text[]) AND live_at IS NOT NULL`;
    return found.map(({ id }) => refused.get(id) ?? id);
  } finally {
    await db.$disconnect();
  }
}

/**
 * Begins the fault and ends it.
 *
 * @returns `seconds` to the first match that was formed after the fault (during it, if work goes on) and rated, or null;
 * `overAt` is the time of the database at the end
 */
async function disturb(
  row: Row,
  ground: Ground,
  harm: Harm,
  beganAt: number,
): Promise<{ seconds: number | null; overAt: number }> {
  const end = await row.begin(ground);
  const over = sleep(row.seconds * 1_000)
    .then(end)
    .then(() => answering(harm));
  if (!row.goesOn) {
    const overAt = await over;
    return { seconds: await firstRated(harm, overAt, recoversWithinMs), overAt };
  }
  const seconds = await firstRated(harm, beganAt, recoversWithinMs);
  return { seconds, overAt: await over };
}

/** The time of the database, once it answers. */
async function answering(harm: Harm): Promise<number> {
  for (;;) {
    const now = await harm.now().catch(() => null);
    if (now !== null) return now;
    await sleep(lookMs);
  }
}

/** @returns seconds to the first match that was formed since and rated, or null */
async function firstRated(harm: Harm, formedFrom: number, withinMs: number): Promise<number | null> {
  const began = performance.now();
  while (performance.now() - began < withinMs) {
    // The store may not be back yet.
    const rated = await harm.ratedOf(formedFrom).catch(() => 0);
    if (rated > 0) return Math.round((performance.now() - began) / 100) / 10;
    await sleep(lookMs);
  }
  return null;
}

async function ratedBetween(stack: Stack, from: number, to: number): Promise<number> {
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  try {
    const [row] = await db.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) AS count FROM match
      WHERE state = 'rated' AND closed_at >= ${new Date(from)} AND closed_at < ${new Date(to)}`;
    return Number(row?.count ?? 0);
  } finally {
    await db.$disconnect();
  }
}
