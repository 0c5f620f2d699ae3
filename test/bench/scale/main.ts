// Cost as an installation grows: `npm run bench:scale -- --help`.
import { cpus, loadavg } from 'node:os';
import { command, fail, type Settings } from '../command.js';
import { history } from './history.js';
import type { Part } from './part.js';
import { heartbeats, placement } from './servers.js';
import { streams } from './streams.js';

const parts: readonly Part[] = [history, placement, heartbeats, streams];

const help = `Measures what calls cost as an installation grows.

  npm run bench:scale -- [options]

  --part P       ${parts.map(({ name, about }) => `${name}: ${about}`).join('\n                 ')}
                 repeatable (default all)
  --matches N    of history: the number of matches; repeatable (default 1000000 and 10000000)
  --servers N    of placement and heartbeats: the number of servers; repeatable (default 100, 1000 and 10000)
  --streams N    the number of event streams; repeatable (default 1000 and 10000; each needs two open files)
  --rounds N     measured calls of each kind (default 1000)
  --plots DIR    writes plots there
  --json         prints the line of JSON alone
  --help         prints this

Tables come first, the last line is JSON. Progress goes to stderr. Ten million matches need 33 GB of disk while they are made, and 25 GB then.
`;

const options = {
  part: { type: 'string', multiple: true },
  matches: { type: 'string', multiple: true },
  servers: { type: 'string', multiple: true },
  streams: { type: 'string', multiple: true },
  rounds: { type: 'string', default: '1000' },
  plots: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const names = values.part ?? parts.map(({ name }) => name);
  const stranger = names.find((name) => !parts.some((part) => part.name === name));
  if (stranger !== undefined) return fail(`There is no part ${stranger}; ${help}`);
  const matches = (values.matches ?? ['1000000', '10000000']).map(Number);
  const servers = (values.servers ?? ['100', '1000', '10000']).map(Number);
  const streamCounts = (values.streams ?? ['1000', '10000']).map(Number);
  const rounds = Number(values.rounds);
  if (
    ![...matches, ...servers, ...streamCounts, rounds].every(
      (number) => Number.isSafeInteger(number) && number > 0,
    )
  )
    return fail('--matches, --servers, --streams and --rounds must be whole numbers above 0.');
  const load = (): string => (loadavg()[0] ?? NaN).toFixed(1);
  let json: Record<string, readonly object[]> = {};
  for (const part of parts) {
    if (!names.includes(part.name)) continue;
    const before = load();
    const report = await part.measure(
      { matches, servers, streams: streamCounts, rounds, plots: values.plots },
      say,
    );
    json = { ...json, ...report.json };
    if (values.json) continue;
    const [cpu] = cpus();
    process.stdout.write(
      `Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}, ` +
        `load ${before} before and ${load()} after\n\n${report.text}\n\n`,
    );
  }
  process.stdout.write(`${JSON.stringify(json)}\n`);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
