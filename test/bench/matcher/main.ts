// The matcher beside three others: `npm run bench:matcher -- --help`.
import { baselines } from '@muster/lab-simulation';
import { cpus, loadavg } from 'node:os';
import { Worker } from 'node:worker_threads';
import { cases } from './cases.js';
import type { PassReport, PassRequest } from './pass.js';
import { jsonOf, rowOf, steadyTable, tableOf, type Row } from './report.js';
import { steadyAt } from './steady.js';
import { command, fail, type Settings } from '../command.js';

const help = `Times one tick of the matcher, beside three others, on pools of tickets that wait.

  npm run bench:matcher -- [options]

  --waiting N   waiting tickets; repeatable (default 1000, 10000, 100000, 1000000)
  --case NAME   ${cases.map(({ name }) => name).join('; ')}; repeatable
  --matcher M   muster, ${baselines.map(({ name }) => name).join(', ')}; repeatable
  --limit S     seconds after which a matcher is stopped (default 120)
  --json        prints the line of JSON alone
  --help        prints this

The table comes first, the last line is JSON. Progress goes to stderr. The whole takes some 20 minutes.
`;

const head = `A pass is one tick on a pool that was just filled: nothing is known of it yet. All matchers get the same tickets and the same
rules (five against five). A matcher with a work limit does the rest in further ticks: "ticks" is how many it takes, "slowest"
the slowest of them in any pass, "matches in all" what all of them form. The others' teams are judged afterwards by the exact solver, outside the time. Memory is all that the
matcher holds for a ticket, its id included. "10k more" is a tick with 10,000 newcomers among those known; "idle" is
the tick after it. A pass of first fit that does not end is stopped.

${cases.map(({ name, about }) => `- ${name}: ${about}`).join('\n')}
`;

const options = {
  waiting: { type: 'string', multiple: true },
  case: { type: 'string', multiple: true },
  matcher: { type: 'string', multiple: true },
  limit: { type: 'string', default: '120' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Arrivals a second of the small pools whose ticks are counted. */
const steadyRates = [20, 100, 300, 400, 900];

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const sizes = (values.waiting ?? ['1000', '10000', '100000', '1000000']).map(Number);
  const matchers = values.matcher ?? ['muster', ...baselines.map(({ name }) => name)];
  const names = values.case ?? cases.map(({ name }) => name);
  const limit = Number(values.limit);
  if (sizes.some((size) => !Number.isSafeInteger(size) || size < 10))
    return fail('--waiting must be a whole number of 10 or more.');
  if (!(limit > 0)) return fail('--limit must be a number of seconds above 0.');
  const stranger = names.find((name) => !cases.some((each) => each.name === name));
  if (stranger !== undefined) return fail(`There is no case "${stranger}".`);
  const unknown = matchers.find((name) => name !== 'muster' && !baselines.some((each) => each.name === name));
  if (unknown !== undefined) return fail(`There is no matcher "${unknown}".`);

  if (!values.json) process.stdout.write(`${head}\n`);
  const load = (): string => (loadavg()[0] ?? NaN).toFixed(1);
  const loadBefore = load();
  const rows: Row[] = [];
  for (const waiting of sizes)
    for (const caseName of names)
      for (const matcher of matchers) {
        const passes = Math.max(5, Math.min(100, Math.round(3_000_000 / waiting)));
        rows.push(
          rowOf(matcher, caseName, waiting, await inThread({ matcher, caseName, waiting, passes }, limit)),
        );
      }
  const steady = matchers.includes('muster') ? steadyRates.map(steadyAt) : [];
  if (!values.json) {
    const [cpu] = cpus();
    process.stdout.write(
      `Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}, ` +
        `load ${loadBefore} before and ${load()} after\n\n${tableOf(rows, paint)}\n\n${steadyTable(steady)}\n\n`,
    );
  }
  process.stdout.write(`${jsonOf(rows, steady)}\n`);
}

/** @returns null if a pass exceeded the limit and was stopped */
function inThread(workerData: PassRequest, limitSeconds: number): Promise<PassReport | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./pass.js', import.meta.url), { workerData });
    const stop = (): void => {
      process.stderr.write(`  ${workerData.matcher} was stopped after ${limitSeconds} s\n`);
      void worker.terminate().then(() => resolve(null));
    };
    let limit = setTimeout(stop, limitSeconds * 1000);
    worker.on('message', (message: PassReport | number) => {
      clearTimeout(limit);
      if (typeof message === 'number') limit = setTimeout(stop, limitSeconds * 1000);
      else resolve(message);
    });
    worker.on('error', (error) => {
      clearTimeout(limit);
      reject(error);
    });
  });
}

function paint(isGood: boolean, text: string): string {
  const coloured = process.stdout.isTTY && !process.env['NO_COLOR'];
  return coloured ? `\u001b[${isGood ? 32 : 31}m${text}\u001b[0m` : text;
}
