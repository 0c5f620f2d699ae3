// The cost of idle and busy connections of the line protocol: `npm run bench:tcp -- --help`.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from '../../support/stack.js';
import { grid, number } from '../table.js';
import { measureBusy, busyCases, type Busy, type Target } from './busy.js';
import { memoryOf, maxConnections, openFilesFor, openIdle, type Idle, type Memory } from './idle.js';
import { command, fail, type Settings } from '../command.js';

const help = `Measures the line protocol of the rating service (docs/line-protocol.md).

  npm run bench:tcp -- [options]

  --idle N      connections that say nothing (default 5000)
  --seconds S   how long each busy case is counted (default 10)
  --warm-up S   how long it is loaded before, and not counted (default 2)
  --json        prints the line of JSON alone
  --help        prints this

The tables come first, the last line is JSON. Progress goes to stderr. The whole takes about a minute.
`;

const head = `Muster is started for this alone, with all limits of the protocol out of the way. Idle connections have asked one question
and then say nothing; they stay while the busy ones ask. Memory is the rating service's after it has collected its garbage:
held is JavaScript's heap and its buffers, resident all that the system counts. A busy connection sends its next question
when the last is answered; each is read from PostgreSQL. The one that asks runs on the same machine.
`;

const options = {
  idle: { type: 'string', default: '5000' },
  seconds: { type: 'string', default: '10' },
  'warm-up': { type: 'string', default: '2' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Resident memory that 5,000 idle connections may add, in MB. */
const aimMb = 200;
const players = 200;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const wanted = Number(values.idle);
  const [seconds, warmUp] = [Number(values.seconds), Number(values['warm-up'])];
  if (!Number.isSafeInteger(wanted) || wanted < 0) return fail('--idle must be a whole number of 0 or more.');
  if (!(seconds > 0)) return fail('--seconds must be a number above 0.');
  if (!(warmUp >= 0)) return fail('--warm-up must be a number of 0 or more.');

  const folder = await mkdtemp(join(tmpdir(), 'muster-memory-'));
  say('  starting Muster');
  const stack = await Stack.start(['--tcp-port', '0', '--log-level', 'warn'], {
    env: {
      TCP_MAX_CONNECTIONS: '100000',
      TCP_MAX_PER_ADDRESS: '100000',
      TCP_LINES_PER_SECOND: '1000000',
      BENCH_MEMORY_DIR: folder,
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${new URL('collect-on-signal.js', import.meta.url).href}`,
    },
  });
  const averageBefore = average();
  try {
    const target = await openPool(stack);
    const pid = stack.run.pids['rating'] ?? 0;
    const count = Math.min(wanted, maxConnections(pid));
    if (count < wanted)
      say(
        `  Only ${count} of ${wanted} connections can be opened: raise the limit of open files (ulimit -n) above ${openFilesFor(wanted)}.`,
      );
    // Code compiled in any case does not count.
    for (const socket of await openIdle(target.port, Math.min(200, count))) socket.destroy();
    const before = await memoryOf(pid, folder);
    say(`  ${count} idle connections`);
    const sockets = await openIdle(target.port, count);
    const holding = await memoryOf(pid, folder);
    await setRatings(stack, target);
    const busy: Busy[] = [];
    for (const each of busyCases) {
      say(`  ${each.name}, for ${warmUp} + ${seconds} s`);
      busy.push(await measureBusy(target, each, seconds, warmUp));
    }
    for (const socket of sockets) socket.destroy();
    const after = await memoryOf(pid, folder);
    const idle = idleOf(wanted, count, [before, holding, after]);
    if (!values.json) print(idle, busy, averageBefore);
    process.stdout.write(`${JSON.stringify({ idle, busy })}\n`);
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates a pool for the benchmark's game. */
async function openPool(stack: Stack): Promise<Target> {
  const game = 'bench';
  await stack.operator.createPool({ name: game, gameMode: game });
  const port = stack.run.replicas.find(({ service }) => service === 'rating')?.tcpPort;
  if (port === undefined) throw new Error('The line protocol is not switched on.');
  return { port, game, playerIds: Array.from({ length: players }, (_, i) => `bench-${i}`) };
}

async function setRatings(stack: Stack, { game, playerIds }: Target): Promise<void> {
  say(`  ratings of ${playerIds.length} players`);
  for (const [i, playerId] of playerIds.entries())
    await stack.operator.setRating(game, playerId, { mu: 15 + (i % 20), sigma: 3, reason: 'Bench.' });
}

function idleOf(
  wanted: number,
  connections: number,
  [before, holding, after]: readonly [Memory, Memory, Memory],
): Idle {
  const round = (value: number): number => Math.round(value * 10) / 10;
  const grownMb = round(holding.heldMb - before.heldMb);
  return {
    wanted,
    connections,
    before,
    with: holding,
    after,
    grownMb,
    perConnectionKb: connections === 0 ? 0 : round((grownMb * 1024) / connections),
  };
}

function print(idle: Idle, busy: readonly Busy[], averageBefore: string): void {
  const [cpu] = cpus();
  // The larger of the two.
  const added = Math.max(idle.grownMb, idle.with.residentMb - idle.before.residentMb);
  const aim = idle.connections < 5_000 ? '' : `≤ ${aimMb} MB: ${added <= aimMb ? 'met' : 'missed'}`;
  process.stdout.write(
    `${head}\nNode ${process.versions.node}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}, ` +
      `load ${averageBefore} before and ${average()} after\n\n` +
      `${grid(
        ['memory of rating', 'held MB', 'resident MB'],
        [
          ['before', ...memoryCells(idle.before)],
          [
            `with ${idle.connections}${idle.connections < idle.wanted ? ` of ${idle.wanted}` : ''} idle connections`,
            ...memoryCells(idle.with),
          ],
          ['when they are gone', ...memoryCells(idle.after)],
        ],
      )}\n\nThey added ${idle.grownMb} MB, ${idle.perConnectionKb} KB each. ${aim}\n\n` +
      `${grid(
        ['busy', 'lines/s', 'p50 ms', 'p99 ms'],
        busy.map(({ name, linesPerSecond, p50Ms, p99Ms }) => [
          name,
          number(linesPerSecond),
          number(p50Ms),
          number(p99Ms),
        ]),
      )}\n\n`,
  );
}

function memoryCells({ heldMb, residentMb }: Memory): string[] {
  return [number(heldMb), number(residentMb)];
}

function average(): string {
  return (loadavg()[0] ?? NaN).toFixed(1);
}
