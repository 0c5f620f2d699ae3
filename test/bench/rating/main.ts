// Speed of the rating models and the rating service: `npm run bench:rating -- --help`.
import { comparePlacements, comparePlacementSpeeds } from '@muster/lab-simulation';
import { cpus, loadavg } from 'node:os';
import { Stack } from '../../support/stack.js';
import { command, fail, type Settings } from '../command.js';
import { measureHttp } from './http.js';
import { measureRebuild } from './rebuild.js';
import { jsonOf, tablesOf, type RatingReport } from './report.js';
import { measureUpdates } from './updates.js';

const parts = ['models', 'placement', 'http', 'rebuild'] as const;
type Part = (typeof parts)[number];

const help = `Times the rating models beside packages that do the same, the placement of newcomers, and the rating service.

  npm run bench:rating -- [options]

  --only PART   models, placement, http or rebuild; repeatable. The rebuild is timed without and with margin and sides
  --seconds N   how long results are reported over HTTP (default 15)
  --matches N   how long the history is that is rebuilt (default 100000)
  --json        prints the line of JSON alone
  --help        prints this

Tables come first, the last line is JSON. Progress goes to stderr. It takes some six minutes on a machine at leisure.
`;

const head = `An update is a match rated: all of its players. Models are opened by name, with their defaults, input and output guarded, as
a pool uses them; packages are called as their own manuals say. All rate the same 20,000 matches of 1,000 players over and
over, ratings going on, in turns of 0.15 s on one core; the median of 7 turns counts, by the clock, or by the processor time
that the program had if that is less. Windows of SynElo are full (500 rounds). n/a: it refuses such matches.
`;

const newcomers = 4_000;

const options = {
  only: { type: 'string', multiple: true },
  seconds: { type: 'string', default: '15' },
  matches: { type: 'string', default: '100000' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const wanted = values.only ?? parts;
  const stranger = wanted.find((name) => !parts.some((part) => part === name));
  if (stranger !== undefined) return fail(`There is no part ${stranger}; there are ${parts.join(', ')}.`);
  const seconds = Number(values.seconds);
  const matches = Number(values.matches);
  if (!(seconds > 0 && Number.isSafeInteger(matches) && matches > 0))
    return fail('--seconds and --matches must be numbers above 0, and --matches a whole one.');
  const asked = (part: Part): boolean => wanted.includes(part);

  if (!values.json) process.stdout.write(`${head}\n`);
  const load = (): string => (loadavg()[0] ?? NaN).toFixed(1);
  const loadBefore = load();
  let report: RatingReport = {};
  if (asked('models')) report = { ...report, ...(await measureUpdates(say)) };
  if (asked('placement')) {
    say('placement of newcomers');
    report = { ...report, placement: comparePlacements(newcomers, 1) };
    say('speed of placement');
    report = { ...report, speed: comparePlacementSpeeds(newcomers, 1) };
  }
  if (asked('http') || asked('rebuild')) {
    say('starting Muster');
    const stack = await Stack.start(['--log-level', 'warn']);
    try {
      if (asked('http')) {
        say('reporting results');
        report = { ...report, http: await measureHttp(stack, seconds) };
      }
      if (asked('rebuild')) report = { ...report, rebuild: await measureRebuild(stack, matches, say) };
    } finally {
      await stack.stop();
    }
  }
  if (!values.json) {
    const [cpu] = cpus();
    process.stdout.write(
      `Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}, ` +
        `load ${loadBefore} before and ${load()} after\n\n${tablesOf(report, paint)}\n\n`,
    );
  }
  process.stdout.write(`${jsonOf(report)}\n`);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function paint(isGood: boolean, text: string): string {
  const coloured = process.stdout.isTTY && !process.env['NO_COLOR'];
  return coloured ? `\u001b[${isGood ? 32 : 31}m${text}\u001b[0m` : text;
}
