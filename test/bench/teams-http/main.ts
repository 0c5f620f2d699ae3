// Many callers of the team solver at once, over HTTP: `npm run bench:teams-http -- --help`.
import { seededRandom } from '@muster/domain';
import { Agent } from 'node:http';
import { cpus } from 'node:os';
import { spread } from '../../support/percentile.js';
import { Stack } from '../../support/stack.js';
import { command, fail, type Settings } from '../command.js';
import { inParties } from '../pools.js';
import { post } from '../post.js';
import { grid, number } from '../table.js';

const help = `Measures the calls of the team solver while many callers wait for it.

  npm run bench:teams-http -- [options]

  --callers N   callers at once, each with one call after the other (default 20)
  --rounds N    calls of each caller (default 10)
  --ms N        the deadline of a call (default 1000)
  --help        prints this

The table has the time from sending a call to its answer, and how many calls were refused with 503.
`;

const options = {
  callers: { type: 'string', default: '20' },
  rounds: { type: 'string', default: '10' },
  ms: { type: 'string', default: '1000' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const [callers = 0, rounds = 0, deadlineMs = 0] = [values.callers, values.rounds, values.ms].map(Number);
  for (const [name, value] of Object.entries({ callers, rounds, ms: deadlineMs }))
    if (!Number.isSafeInteger(value) || value < 1)
      return fail(`--${name} must be a whole number of 1 or more.`);
  const stack = await Stack.start(['--log-level', 'warn']);
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  try {
    const lines: string[][] = [];
    for (const { name, path, bodyOf } of kinds(deadlineMs)) {
      const took: number[] = [];
      const refusedAfter: number[] = [];
      const callerOf = async (caller: number): Promise<void> => {
        for (let round = 0; round < rounds; round++) {
          const body = JSON.stringify(bodyOf(rounds * caller + round));
          const from = performance.now();
          const { status, text } = await post(stack.url, agent, path, stack.run.serverKey, body);
          if (status !== 200 && status !== 503) throw new Error(`${path} answered ${status}: ${text}`);
          (status === 200 ? took : refusedAfter).push(performance.now() - from);
        }
      };
      await Promise.all(Array.from({ length: callers }, (_, caller) => callerOf(caller)));
      const { p50, p99 } = spread(took);
      lines.push([
        name,
        `${took.length}`,
        number(p50),
        number(p99),
        number(Math.max(0, ...took)),
        `${refusedAfter.length}`,
        number(Math.max(0, ...refusedAfter)),
      ]);
    }
    const [cpu] = cpus();
    process.stdout.write(
      `Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}; ${callers} callers at once, deadline ${deadlineMs} ms\n\n` +
        `${grid(['call', 'answered', 'p50 ms', 'p99 ms', 'most ms', 'refused', 'most ms'], lines)}\n`,
    );
  } finally {
    agent.destroy();
    await stack.stop();
  }
}

interface Kind {
  readonly name: string;
  readonly path: string;
  bodyOf(seed: number): object;
}

function kinds(deadlineMs: number): Kind[] {
  return [
    {
      name: 'splits, 24 doubles',
      path: '/v1/teams/splits',
      bodyOf: (seed) => ({ players: doubles(24, seed), bench: 'anyone', deadlineMs }),
    },
    {
      name: 'splits, 32 doubles',
      path: '/v1/teams/splits',
      bodyOf: (seed) => ({ players: doubles(32, seed), bench: 'anyone', deadlineMs }),
    },
    {
      name: 'split, ten of five, parties',
      path: '/v1/teams/split',
      bodyOf: (seed) => tenOfFive(seed, deadlineMs),
    },
    {
      name: 'the same, whole time',
      path: '/v1/teams/split',
      bodyOf: (seed) => ({ ...tenOfFive(seed, deadlineMs), wholeTime: true }),
    },
  ];
}

function doubles(count: number, seed: number): { id: string; weight: number }[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) => ({
    id: `p${i}`,
    weight: 1_000 + 600 * (random() + random() + random() - 1.5),
  }));
}

function tenOfFive(seed: number, deadlineMs: number): object {
  const teamSizes = Array.from({ length: 10 }, () => 5);
  return { players: inParties(doubles(50, seed), teamSizes, seed), teamSizes, deadlineMs };
}
