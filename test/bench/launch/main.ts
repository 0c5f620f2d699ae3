// The first day of a game, simulated: `npm run bench:launch -- --help`.
import { defaultQueues, WaitingPool } from '@muster/matchmaking';
import { simulateLaunch, type LaunchDay } from '@muster/lab-simulation';
import { command, fail, type Settings } from '../command.js';
import { grid } from '../table.js';

const sizes = [48, 2_000];
const queues = ['1v1', '5v5'];

const help = `Simulates launch days: everybody is new, and plays until their ten calibration matches have given them a rating.

  npm run bench:launch -- [options]

  --newcomers N   number of newcomers, repeatable (default 48 and 2000)
  --queue NAME    ${queues.join(' or ')}, both unless told
  --players N     days are repeated with other newcomers until so many were placed (default 2000)
  --seed N        draws true skills and results (default 1)
  --json          prints the line of JSON alone
  --help          prints this

A table comes first, the last line is JSON. Progress goes to stderr. It takes some three minutes.
`;

const head = `Newcomers of true skill 25 ± 8.33 queue in rounds, are matched at the levels that their calibration tries and split exactly; every
performance is normal about the true skill (4.17), the sum of a team decides. RMSE is that of the rating that the calibration
ends with, and that of plain OpenSkill (Plackett–Luce) after the very same matches. Honest sigmas hold 68.3 % of the truths
within one and 95.4 % within two.
`;

const options = {
  newcomers: { type: 'string', multiple: true },
  queue: { type: 'string', multiple: true },
  players: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '1' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const wanted = values.queue ?? queues;
  const stranger = wanted.find((name) => !queues.includes(name));
  if (stranger !== undefined) return fail(`There is no queue ${stranger}; there are ${queues.join(', ')}.`);
  const newcomers = (values.newcomers ?? sizes).map(Number);
  const players = Number(values.players);
  const seed = Number(values.seed);
  if (
    ![...newcomers, players].every((n) => Number.isSafeInteger(n) && n >= 10) ||
    !Number.isSafeInteger(seed)
  )
    return fail('--newcomers and --players must be whole numbers, 10 at least, and --seed a whole number.');

  if (!values.json) process.stdout.write(`${head}\n`);
  const days: (LaunchDay & { queue: string; repeated: number })[] = [];
  for (const size of newcomers)
    for (const name of wanted) {
      const rules = defaultQueues.find((queue) => queue.name === name);
      if (!rules) continue;
      const repeated = Math.max(1, Math.round(players / size));
      const all: LaunchDay[] = [];
      for (let day = 0; day < repeated; day++) {
        const progress = (done: number): void =>
          say(`${name}, ${size} newcomers, day ${day + 1} of ${repeated}: ${Math.round(100 * done)} %`);
        const matcher = (given: typeof rules): WaitingPool => new WaitingPool(given);
        all.push(await simulateLaunch({ rules, matcher, newcomers: size, seed: seed + day, progress }));
      }
      days.push({ queue: name, repeated, ...merged(all) });
    }
  say('');
  if (!values.json) process.stdout.write(`${tableOf(days)}\n\n`);
  process.stdout.write(
    `${JSON.stringify({
      days: days.map(({ newcomers: size, queue, ...figures }) => ({
        newcomers: size,
        queue,
        ...rounded(figures),
      })),
    })}\n`,
  );
}

/** Merges several days: shares and sigmas by their mean, errors by the root of the mean of their squares. */
function merged(days: readonly LaunchDay[]): LaunchDay {
  const [first] = days;
  if (!first) throw new Error('no day');
  const mean = (of: (day: LaunchDay) => number): number =>
    days.reduce((sum, day) => sum + of(day), 0) / days.length;
  return {
    newcomers: first.newcomers,
    seeded: days.reduce((sum, { seeded }) => sum + seeded, 0),
    within1Sigma: mean((day) => day.within1Sigma),
    within2Sigma: mean((day) => day.within2Sigma),
    claimed: mean((day) => day.claimed),
    rmse: Math.sqrt(mean((day) => day.rmse ** 2)),
    openskillRmse: Math.sqrt(mean((day) => day.openskillRmse ** 2)),
  };
}

function tableOf(days: readonly (LaunchDay & { queue: string; repeated: number })[]): string {
  return grid(
    ['newcomers', 'queue', 'days', 'RMSE', 'OpenSkill', 'mean sigma', 'within 1 σ', 'within 2 σ', 'aim'],
    days.map((day) => [
      `${day.newcomers}`,
      day.queue,
      `${day.repeated}`,
      day.rmse.toFixed(2),
      day.openskillRmse.toFixed(2),
      day.claimed.toFixed(2),
      `${(100 * day.within1Sigma).toFixed(1)} %`,
      `${(100 * day.within2Sigma).toFixed(1)} %`,
      aimOf(day),
    ]),
  );
}

function aimOf({ within1Sigma, rmse, openskillRmse }: LaunchDay): string {
  const isHonest = within1Sigma >= 0.63 && within1Sigma <= 0.73;
  return `63 to 73 %: ${isHonest ? 'met' : 'missed'}, below OpenSkill: ${rmse < openskillRmse ? 'met' : 'missed'}`;
}

function rounded(figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(4))]),
  );
}

function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  else if (text.endsWith('100 %')) process.stderr.write(`${text}\n`);
}
