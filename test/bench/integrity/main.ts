// Signals of integrity against plain baselines: `npm run bench:integrity -- --help`.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { signalKinds } from '@muster/domain';
import { command, fail, type Settings } from '../command.js';
import { evidencePlot } from './plots.js';
import { meansOf, readHistory } from './recorded.js';
import { summaryOf, tableOf } from './report.js';
import { Trials, type Outcome } from './trial.js';

const recordedFile = 'halo2_head_to_head.csv';

const help = `Plants cheats in simulated and recorded histories, and looks for them with the signals and with plain baselines.

  npm run bench:integrity -- [options]

  --kind KIND     ${signalKinds.join(', ')}; repeatable, all unless told
  --file FILE     a recorded history (default: ${recordedFile} in the folder MUSTER_DATA; left out if there is none)
  --leagues N     simulated leagues for each row (default 12)
  --replays N     replays of the recorded history for each row (default 12)
  --seed N        draws skills, results and cheats (default 1)
  --plots DIR     writes a plot of each kind there
  --json          prints the line of JSON alone
  --help          prints this

A table comes first, the last line is JSON. Progress goes to stderr.
`;

const options = {
  kind: { type: 'string', multiple: true },
  file: { type: 'string' },
  leagues: { type: 'string', default: '12' },
  replays: { type: 'string', default: '12' },
  seed: { type: 'string', default: '1' },
  plots: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const sizes = [
  { name: 'duels', teamSize: 1, players: 300 },
  { name: 'five a side', teamSize: 5, players: 500 },
];

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const kinds = values.kind ?? signalKinds;
  const chosen = signalKinds.filter((kind) => kinds.includes(kind));
  const [leagues = 0, replays = 0, seed = 0] = [values.leagues, values.replays, values.seed].map(Number);
  if (chosen.length < kinds.length) return fail(`Kinds are ${signalKinds.join(', ')}.`);
  if (![leagues, replays, seed].every((n) => Number.isSafeInteger(n) && n >= 0) || leagues === 0)
    return fail('--leagues, --replays and --seed must be whole numbers, and --leagues at least 1.');
  const outcomes: Outcome[] = [];
  for (const { name, ...size } of sizes)
    for (const kind of chosen) {
      const trials = new Trials(kind, `simulated ${name}`);
      for (let i = 0; i < leagues; i++) {
        say(`${kind}, simulated ${name}: league ${i + 1} of ${leagues}`);
        trials.simulate({ ...size, seed: seed + i, warmUp: 40, rounds: 160 });
      }
      outcomes.push(trials.outcome());
    }
  outcomes.push(...(await recorded(values, chosen, replays, seed)));
  if (!values.json) process.stdout.write(`${tableOf(outcomes)}\n\n`);
  if (values.plots !== undefined) await draw(values.plots, outcomes);
  process.stdout.write(`${JSON.stringify({ rows: outcomes.map(summaryOf) })}\n`);
}

async function recorded(
  { file }: Settings<typeof options>,
  kinds: readonly Outcome['kind'][],
  replays: number,
  seed: number,
): Promise<Outcome[]> {
  const path = file ?? join(resolve(process.env['MUSTER_DATA'] ?? '../shared/data'), recordedFile);
  const history = await readHistory(path).catch((error: unknown) => {
    if (file !== undefined) throw error;
    say(`there is no ${path}, so nothing recorded is replayed`);
    return [];
  });
  if (history.length === 0 || replays === 0) return [];
  const means = meansOf(history);
  // Habits were not recorded.
  const known = kinds.filter((kind) => kind !== 'alternate');
  return known.map((kind) => {
    const trials = new Trials(kind, 'recorded duels');
    for (let i = 0; i < replays; i++) {
      say(`${kind}, recorded: replay ${i + 1} of ${replays}`);
      trials.replay(history, means, seed + i);
    }
    return trials.outcome();
  });
}

async function draw(folder: string, outcomes: readonly Outcome[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const kind of signalKinds) {
    const some = outcomes.filter((outcome) => outcome.kind === kind);
    if (some.length > 0) await writeFile(join(folder, `${kind}.svg`), evidencePlot(kind, some));
  }
}

function say(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
}
