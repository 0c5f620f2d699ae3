// Fairness of running matches under each policy of live balance: `npm run bench:live -- --help`.
import {
  liveServers,
  playMatches,
  type LiveContender,
  type LiveSimulation,
  type LiveStart,
  type MatchFigures,
} from '@muster/lab-simulation';
import { contenders, noBalance } from './contenders.js';
import { policiesPlot, savePlots, tracePlot, typicalMatch } from './plots.js';
import { jsonOf, rowOf, tableOf, type Row } from './report.js';
import { command, fail, type Settings } from '../command.js';

const help = `Plays thousands of matches of a community server under each policy of live balance, and under none.

  npm run bench:live -- [options]

  --matches N    how many matches each policy plays (default 4000)
  --seed N       of everything that is drawn (default 1)
  --policy P     ${contenders.map(({ name }) => name).join(', ')};
                 repeatable (default all; "none" is always there to compare with)
  --server S     ${Object.keys(liveServers).join(', ')} (default community)
  --start S      as-they-came or even: how teams are when a match begins (default as-they-came)
  --performance  standard deviation of one performance, in ratings (default 8.33; OpenSkill's own is 4.17)
  --plots DIR    writes policies.svg and trace.svg there
  --json         prints the line of JSON alone
  --help         prints this

The table comes first, the last line is JSON. Progress goes to stderr.
`;

const head = `Every policy plays the same matches: the same players come at the same moments, with the same skill, ratings, patience,
lives and points. What a policy changes is who plays on which team, and so who loses and leaves sooner.

- Fair share: share of the time of a match in which each team's chance to win, were it played on like this, is from 40 to 60 %,
  by true skill, which no policy sees; policies see ratings. Stomps: share of the time with a chance below 20 %.
- Lift: the fair share above that of doing nothing, and its standard error, from the differences match by match.
- Annoyed: players who were moved or swapped, each once; a swap annoys two. Moved alive: moves of players who were not dead.
- Left: players who went before the end. Refused: players who found the server full.
- "none" puts newcomers on the smaller team and moves nobody. "placement-only" is Muster's policy none: it moves nobody either,
  and places newcomers by rating.
`;

const options = {
  matches: { type: 'string', default: '4000' },
  seed: { type: 'string', default: '1' },
  policy: { type: 'string', multiple: true },
  server: { type: 'string', default: 'community' },
  start: { type: 'string', default: 'as-they-came' },
  performance: { type: 'string' },
  plots: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const starts: readonly LiveStart[] = ['as-they-came', 'even'];

const say = (text: string): void => void process.stderr.write(`${text}\n`);

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const flaw = flawOf(values);
  if (flaw !== null) return fail(flaw);
  const simulation = simulationOf(values);
  if (!simulation) return fail(`There is no server "${values.server}" or start "${values.start}".`);
  const chosen = contenders.filter(
    (contender) => contender === noBalance || !values.policy || values.policy.includes(contender.name),
  );
  if (!values.json) process.stdout.write(`${head}\n`);

  const played = new Map<LiveContender, MatchFigures[]>();
  const rows: Row[] = [];
  for (const contender of chosen) {
    const matches = playMatches(withProgress(simulation, contender.name), contender);
    played.set(contender, matches);
    rows.push(rowOf(contender.name, matches, played.get(noBalance) ?? matches));
  }
  if (values.plots !== undefined) await plot(values.plots, simulation, rows, played);
  const { seed, matches } = simulation;
  if (!values.json)
    process.stdout.write(
      `${matches} matches a policy, seed ${seed}, ${values.server} server, teams begin ${values.start}\n\n${tableOf(rows, paint)}\n\n`,
    );
  process.stdout.write(`${jsonOf(rows, { seed, server: values.server, start: values.start })}\n`);
}

function simulationOf(values: Settings<typeof options>): LiveSimulation | null {
  const server = liveServers[values.server];
  const start = starts.find((each) => each === values.start);
  if (!server || start === undefined) return null;
  const { performance = server.skill.performance } = values;
  return {
    server: { ...server, skill: { ...server.skill, performance: Number(performance) } },
    start,
    matches: Number(values.matches),
    seed: Number(values.seed),
  };
}

function withProgress(simulation: LiveSimulation, name: string): LiveSimulation {
  const { matches } = simulation;
  return {
    ...simulation,
    progress: (done) => {
      if (done === matches || done % 1_000 === 0) say(`  ${name}: ${done} of ${matches} matches`);
    },
  };
}

/** Traces of the baseline and of the policy with the greatest lift of the fair share. */
async function plot(
  folder: string,
  simulation: LiveSimulation,
  rows: readonly Row[],
  played: ReadonlyMap<LiveContender, readonly MatchFigures[]>,
): Promise<void> {
  const [best] = rows.toSorted((a, b) => b.fairShare - a.fairShare);
  const shown = [...played].find(([{ name }]) => name === best?.policy) ?? [noBalance, []];
  const number = typicalMatch(simulation, played.get(noBalance) ?? [], shown[1]);
  const files = {
    'policies.svg': policiesPlot(rows),
    'trace.svg': tracePlot(simulation, number, [noBalance, shown[0]]),
  };
  for (const path of await savePlots(folder, files)) say(`  wrote ${path}`);
}

/** @returns the error of the arguments, or null */
function flawOf({ matches, seed, policy = [], performance }: Settings<typeof options>): string | null {
  if (!Number.isSafeInteger(Number(matches)) || Number(matches) < 2)
    return '--matches must be a whole number of 2 or more.';
  if (!Number.isSafeInteger(Number(seed))) return '--seed must be a whole number.';
  const strange = policy.find((each) => contenders.every(({ name }) => name !== each));
  if (strange !== undefined)
    return `There is no policy "${strange}"; there are ${contenders.map(({ name }) => name).join(', ')}.`;
  if (performance !== undefined && !(Number(performance) > 0))
    return '--performance must be a number above 0.';
  return null;
}

function paint(isGood: boolean, text: string): string {
  const coloured = process.stdout.isTTY && !process.env['NO_COLOR'];
  return coloured ? `\u001b[${isGood ? 32 : 31}m${text}\u001b[0m` : text;
}
