// Leaderboards of a large pool: `npm run bench:leaderboard -- --help`.
import { cpus, loadavg } from 'node:os';
import { Stack } from '../../support/stack.js';
import { command, fail, type Settings } from '../command.js';
import { grid } from '../table.js';
import { fillPool } from './fill.js';
import { measure, type Row } from './measure.js';

const help = `Reads the leaderboard of a large pool, loses Redis, and reads it again.

  npm run bench:leaderboard -- [options]

  --players N   ranked players (default 1000000)
  --rounds N    measured reads of each kind (default 2000)
  --json        prints the line of JSON alone
  --help        prints this

A table comes first, the last line is JSON. Progress goes to stderr.
`;

const head = `A system of embedded stores, one replica of each service. Each read follows the answer to the one before. "HTTP" is a call through
the edge; "use case" is the same without HTTP, with divisions and names from Postgres; "board" is the script in Redis alone. Players
are drawn at random. Friends are 100 ids, a tenth of which are not ranked.
`;

const options = {
  players: { type: 'string', default: '1000000' },
  rounds: { type: 'string', default: '2000' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const players = Number(values.players);
  const rounds = Number(values.rounds);
  if (![players, rounds].every((number) => Number.isSafeInteger(number) && number >= 100))
    return fail('--players and --rounds must be whole numbers from 100.');
  if (!values.json) process.stdout.write(`${head}\n`);
  const load = (): string => (loadavg()[0] ?? NaN).toFixed(1);
  const loadBefore = load();
  say('starting Muster');
  const stack = await Stack.start(['--log-level', 'warn']);
  try {
    say(`${players.toLocaleString('en')} ratings`);
    await fillPool(stack, players);
    const report = await measure(stack, { players, rounds }, say);
    if (!values.json) {
      const [cpu] = cpus();
      process.stdout.write(
        `Node ${process.versions.node}, ${stack.run.redisEngine}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}, ` +
          `load ${loadBefore} before and ${load()} after\n\n${tableOf(report.rows)}\n\n` +
          `Made from Postgres in ${seconds(report.madeMs)}, after FLUSHALL in ${seconds(report.madeAgainMs)}: ` +
          `${report.isSame ? 'the same answers' : 'OTHER ANSWERS'}. Redis holds ${(report.bytes / 1e6).toFixed(0)} MB.\n` +
          `A result is on the board after ${report.followedMs.p50} ms (p50), ${report.followedMs.p99} ms (p99).\n\n`,
      );
    }
    process.stdout.write(`${JSON.stringify({ players, ...report })}\n`);
    if (!report.isSame) process.exitCode = 1;
  } finally {
    await stack.stop();
  }
}

function tableOf(rows: readonly Row[]): string {
  const ways = ['HTTP', 'use case', 'board'] as const;
  const reads = [...new Set(rows.map(({ read }) => read))];
  const cell = (read: string, way: string): string[] => {
    const row = rows.find((each) => each.read === read && each.way === way);
    return row ? [row.p50Ms.toFixed(2), row.p99Ms.toFixed(2)] : ['–', '–'];
  };
  return grid(
    ['read', ...ways.flatMap((way) => [`${way} p50 ms`, 'p99 ms'])],
    reads.map((read) => [read, ...ways.flatMap((way) => cell(read, way))]),
  );
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
