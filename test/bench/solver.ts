// The exact solver beside the methods that it replaces: `npm run bench:solver -- --help`.
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { deadlineTable, measureDeadlines, measureParties, partiesTable } from './deadlines.js';
import { measure, passLimits, type Beside } from './measure.js';
import { growthPlot } from './plot.js';
import { poolsOf } from './pools.js';
import { reportOf, type RowReport } from './report.js';
import { explained, rowsOf } from './rows.js';
import { tablesOf } from './table.js';

/** The row of splits with deadlines, which has its own table. */
const deadlineRow = 'T6-soon';
/** The row of teams with parties and deadlines, which has its own table, too. */
const partiesRow = 'T6-parties';

const help = `Times the solver of teams beside the published enumeration by Gosper's hack and plain enumeration.

  npm run bench:solver -- [options]

  --row NAME    only these rows; repeatable (${[...Object.keys(explained), deadlineRow, partiesRow].join(', ')})
  --pools N     pools a row (default 200); the baselines run on the first five
  --seed N      draws other pools (default 1)
  --full        ten times as many problems with deadlines, and a row may take ten times as long
  --plot FILE   draws the growth of time and operations as SVG
  --json        prints the line of JSON alone
  --help        prints this

Tables come first, the last line is JSON. Progress goes to stderr. It takes less than ten minutes without --full.
`;

const head = `What the rows are:
${Object.entries(explained)
  .map(([name, words]) => `  ${name.padEnd(8)} ${words}`)
  .join('\n')}
  ${deadlineRow.padEnd(8)} 3 to 10 teams of 3 to 12 with deadlines, of processor time, beside a snake draft and swaps
  ${partiesRow} 3 to 10 teams of 3 to 9 with parties and deadlines, beside greedy restarts with swaps for the same time

Pools are seeded: three of five are plain (doubles: 1000 + 600 · normal; integers: 1000 + 200 · normal, rounded), the others
adversarial: an outlier, all equal; doubles also two clusters, square roots of primes, all but equal, a steep climb;
integers also primes and multiples of 25; parties of five where there are parties.
All are solved three times over, and up to ten times where that takes less than three seconds, after a warm-up on other pools.
The least of a pool's times counts, each by the clock or by the processor time it had, if that is less; young garbage is
collected before each solve. A pass ends after 20 s, though not before 20 pools.
MB: heap and array buffers after a solve less before it, garbage collected before; the most of 20 solves. It is above the
need, as what was dropped on the way may still be there. Operations: median steps of the inner loops.
Baselines run on the first five pools, warmed up and timed like ours, so that other work on the machine favours neither.
The ratio is of the p50s on those pools. ">": cut off, so at least that; nothing is extrapolated. Gosper is cut off after 20 s, enumeration
gives up by itself after 12 million steps; where the first pool was cut off, the others are not run. "–": it cannot do it (Gosper ends at 31 players; neither knows roles, avoided pairs or a list of the best).
`;

function settings() {
  return parseArgs({
    options: {
      row: { type: 'string', multiple: true },
      pools: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      full: { type: 'boolean', default: false },
      plot: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

try {
  const values = settings();
  if (values.help) process.stdout.write(help);
  else run(values);
} catch (error) {
  if (!(error instanceof TypeError && 'code' in error)) throw error;
  fail(`${error.message}\n\n${help}`);
}

function run(values: ReturnType<typeof settings>): void {
  const count = wholeNumber('pools', values.pools, 1);
  const seed = wholeNumber('seed', values.seed, 0);
  const known = [...Object.keys(explained), deadlineRow, partiesRow];
  const wanted = values.row ?? known;
  const stranger = wanted.find((name) => !known.includes(name));
  if (stranger !== undefined) return fail(`There is no row ${stranger}; there are ${known.join(', ')}.`);
  if (Number.isNaN(count) || Number.isNaN(seed)) return;
  const rows = rowsOf().filter(({ name }) => wanted.includes(name));
  if (!values.json) process.stdout.write(`${head}\n`);
  const load = (): string => (loadavg()[0] ?? NaN).toFixed(1);
  const loadBefore = load();
  const gosperBefore = new Map<string, Beside>();
  const reports = rows.map((row, i): RowReport => {
    progress(
      `${i + 1}/${rows.length} ${row.name} ${row.weights} ${row.n}${row.shape ? ` ${row.shape}` : ''}`,
    );
    const few = row.n === 28 && row.name !== 'T1' ? Math.min(count, passLimits.pools) : count;
    const pools = poolsOf(row.weights, row.n, few, seed, row.withParties);
    const others = poolsOf(row.weights, row.n, few, seed + 1, row.withParties);
    return reportOf(
      measure(row, pools, others, values.full ? passLimits.fullMs : passLimits.ms, gosperBefore),
    );
  });
  if (wanted.includes(deadlineRow)) progress(`${deadlineRow}`);
  const deadlines = wanted.includes(deadlineRow)
    ? measureDeadlines(values.full ? 10 * count : count, seed)
    : [];
  if (wanted.includes(partiesRow)) progress(partiesRow);
  const parties = wanted.includes(partiesRow) ? measureParties(count, seed) : [];
  progress('');
  if (!values.json) {
    const [cpu] = cpus();
    process.stdout.write(
      `Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}, ` +
        `load ${loadBefore} before and ${load()} after (this program is 1 of it)\n\n`,
    );
    if (reports.length > 0) process.stdout.write(`${tablesOf(reports, paint)}\n\n`);
    if (deadlines.length > 0) process.stdout.write(`${deadlineTable(deadlines, paint)}\n\n`);
    if (parties.length > 0) process.stdout.write(`${partiesTable(parties)}\n\n`);
  }
  process.stdout.write(`${JSON.stringify({ rows: reports, deadlines, parties })}\n`);
  if (values.plot !== undefined) writeFileSync(values.plot, growthPlot(reports));
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  fail(`--${name} is ${text}; give a whole number of at least ${least}.`);
  return NaN;
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  else if (text !== '') process.stderr.write(`${text}\n`);
}

function paint(isGood: boolean, text: string): string {
  const coloured = process.stdout.isTTY && !process.env['NO_COLOR'];
  return coloured ? `\u001b[${isGood ? 32 : 31}m${text}\u001b[0m` : text;
}
