// What the dashboard costs, and how it keeps up with much: `npm run bench:dashboard -- --help`.
import { cpus } from 'node:os';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../browser/chromium.js';
import { Visitor } from '../../browser/visitor.js';
import { createDb } from '../../support/prisma.js';
import { Stack } from '../../support/stack.js';
import { command, type Settings } from '../command.js';
import { grid } from '../table.js';
import { crowded, fillFleet, fillMatches, fillQueue } from './crowd.js';
import { paint, type Paint } from './paint.js';
import { scrolled, tableOf as longTable, wholeHistory } from './scroll.js';
import type { Smoothness } from './trace.js';
import { watchers, type Watchers } from './watchers.js';

const help = `Opens the dashboard in a real Chromium: how soon it is there, what ten of them cost the system, and how long tables scroll.

  npm run bench:dashboard -- [options]

  --rounds N    times that the system is measured without and with open dashboards (default 6)
  --seconds N   length of each (default 30)
  --rows N      waiting tickets and servers, and twice the matches of a player (default 10000)
  --json        prints the line of JSON alone
  --help        prints this

Tables come first, the last line is JSON. Progress goes to stderr.
`;

const options = {
  rounds: { type: 'string', default: '6' },
  seconds: { type: 'string', default: '30' },
  rows: { type: 'string', default: '10000' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const dashboards = 10;
const paints = 7;

const ms = (value: number): string => value.toFixed(0);
const percent = (value: number): string => `${value.toFixed(1)} %`;

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const browser = await launchChromium();
  try {
    say('the demo');
    const busy = await ofDemo(browser, { rounds: Number(values.rounds), seconds: Number(values.seconds) });
    if (!values.json) process.stdout.write(`${words(busy)}\n\n`);
    say('a system with much in it');
    const tables = await ofTables(browser, Number(values.rows));
    if (!values.json) process.stdout.write(`${tableOf(tables)}\n\n`);
    process.stdout.write(`${JSON.stringify({ ...busy, tables })}\n`);
  } finally {
    await browser.close();
  }
}

interface Busy {
  readonly cold: Paint;
  readonly warm: Paint;
  readonly watchers: Watchers;
}

async function ofDemo(browser: Browser, lengths: { rounds: number; seconds: number }): Promise<Busy> {
  const stack = await Stack.start(['--demo', 'queue', '--log-level', 'warn']);
  try {
    const of = { url: stack.url, key: stack.run.operatorKey };
    const cold = await paint(browser, of, { rounds: paints, isCold: true });
    const warm = await paint(browser, of, { rounds: paints, isCold: false });
    return { cold, warm, watchers: await watchers(browser, stack, { dashboards, ...lengths }, say) };
  } finally {
    await stack.stop();
  }
}

type Table = Smoothness & { readonly table: string };

async function ofTables(browser: Browser, rows: number): Promise<Table[]> {
  const stack = await Stack.start(['--log-level', 'warn']);
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  try {
    const matches = rows / 2;
    await fillQueue(stack, rows);
    await fillFleet(db, rows);
    await fillMatches(stack, db, matches);
    const visitor = await Visitor.signIn(browser, null, {
      url: stack.url,
      role: 'admin',
      key: stack.run.operatorKey,
    });
    const measured = [
      { table: `${rows} waiting tickets`, path: `/queues/${crowded.queue}`, of: longTable(rows) },
      { table: `${rows} servers`, path: '/fleet', of: longTable(rows) },
      { table: `${matches} matches of a player`, path: `/players/${crowded.player}`, of: wholeHistory },
    ];
    const found: Table[] = [];
    for (const { table, ...list } of measured) {
      say(`  ${table}`);
      found.push({ table, ...(await scrolled(browser, visitor, list)) });
    }
    await visitor.close();
    return found;
  } finally {
    await db.$disconnect();
    await stack.stop();
  }
}

function words({ cold, warm, watchers: { without, withThem, extra, extraError } }: Busy): string {
  const mean = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, 0) / all.length;
  const paintsOf = grid(
    ['overview', 'first paint, ms', 'all shown, ms'],
    [
      ['first visit', ms(cold.firstPaintMs), ms(cold.readyMs)],
      ['later visits', ms(warm.firstPaintMs), ms(warm.readyMs)],
    ],
  );
  const [cpu] = cpus();
  return (
    `Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}, which also run Chromium and the demo\n\n` +
    `${paintsOf}\n\n${dashboards} open dashboards: ${percent(extra)} ± ${percent(extraError)} of a core (the system takes ${percent(mean(without))} without, ${percent(mean(withThem))} with them)`
  );
}

function tableOf(tables: readonly Table[]): string {
  return grid(
    ['scrolled', 'tasks over 50 ms', 'longest task, ms', 'frames/s', 'between frames p95, ms'],
    tables.map((each) => [
      each.table,
      `${each.longTasks}`,
      ms(each.longestTaskMs),
      ms(each.framesPerSecond),
      each.frameMsP95.toFixed(1),
    ]),
  );
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
