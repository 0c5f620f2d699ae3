// More tickets than can be held: `npm run bench:overload -- --help`.
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { command, fail, type Settings } from '../command.js';
import { aimsOf, isHeld, jsonOf, plotOf, rowOf, tableOf, verdictsOf, type Row } from './report.js';
import { Overload, type OverloadOptions } from './run.js';
import { heldOf, nextTrial, type Trial } from './search.js';

const help = `Offers more tickets than the system can hold, and measures what is served, how fast, and what is refused.

  npm run bench:overload -- [options]

  --held N       tickets a second that are held (default: looks for them, in runs of --trial seconds)
  --times N      multiples of that rate; repeatable (default 0.5, 1, 2, 4)
  --queue Q      1v1 or 5v5 (default 1v1)
  --seconds S    how long each is offered (default 120)
  --trial S      how long a rate is tried in the search (default 20)
  --warm-up S    how long the held rate, or 100/s, is offered before, and not counted (default 30)
  --drain S      how long those left may still be matched (default 10)
  --seed N       of the arrivals (default 1)
  --replicas N   processes of each service (default 1)
  --single       all services in one process
  --plots DIR    writes overload.svg there
  --json         prints the line of JSON alone
  --help         prints this

The table comes first, the last line is JSON. Progress goes to stderr. It exits with 1 if an aim is missed.
`;

const head = `Players arrive at moments that are drawn beforehand, whether earlier ones were answered or not, through the edge and over kept
connections. Every time counts from the moment that was meant. Each player queues once; who is refused does not come back. A rate
is held if at most 1 % is refused, p99 of the accepted is at most 250 ms, and nothing is lost. Goodput is what was acknowledged
within a second and found a match. Matches last three seconds, are reported and rated. The load generator is one process, the game
servers are another, on the same cores.
`;

const options = {
  held: { type: 'string' },
  times: { type: 'string', multiple: true },
  queue: { type: 'string', default: '1v1' },
  seconds: { type: 'string', default: '120' },
  trial: { type: 'string', default: '20' },
  'warm-up': { type: 'string', default: '30' },
  drain: { type: 'string', default: '10' },
  seed: { type: 'string', default: '1' },
  replicas: { type: 'string', default: '1' },
  single: { type: 'boolean', default: false },
  plots: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const playersOf = new Map([
  ['1v1', 2],
  ['5v5', 10],
]);
/** The first rate, tickets a second; more than anything is held at twice as many again and again. */
const firstRate = 100;
/** Seconds for which a slot is taken: the match, and what comes before and after it. */
const slotSeconds = 10;
/** What may be taken at most, of the rate that is held. */
const mostTaken = 2;

await command(help, options, bench);

interface Asked extends OverloadOptions {
  readonly held: number | null;
  readonly times: readonly number[];
  readonly seconds: number;
  readonly trialSeconds: number;
  readonly warmUpSeconds: number;
}

async function bench(values: Settings<typeof options>): Promise<void> {
  const asked = askedOf(values);
  if (typeof asked === 'string') return fail(asked);
  const average = (): string => (loadavg()[0] ?? NaN).toFixed(1);
  const averageBefore = average();
  if (!values.json) process.stdout.write(`${head}\n`);
  const { held, rows } = await measured(asked);
  if (values.plots !== undefined) {
    await mkdir(values.plots, { recursive: true });
    await writeFile(join(values.plots, 'overload.svg'), plotOf(rows));
  }
  if (!values.json) {
    const [cpu] = cpus();
    process.stdout.write(
      `Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}, ` +
        `load ${averageBefore} before and ${average()} after; ${asked.queue}, ${held} tickets/s are held\n\n` +
        `${tableOf(rows)}\n\n${verdictsOf(rows, paint)}\n\n`,
    );
  }
  process.stdout.write(`${jsonOf(rows, held)}\n`);
  if (aimsOf(rows).some(([isMet]) => !isMet)) process.exitCode = 1;
}

async function measured(asked: Asked): Promise<{ held: number; rows: Row[] }> {
  const { say } = asked;
  const overload = await Overload.start(asked);
  try {
    const warm = asked.held ?? firstRate;
    say(`warm-up: ${warm}/s for ${asked.warmUpSeconds} s`);
    if (asked.warmUpSeconds > 0) await overload.offer(warm, asked.warmUpSeconds);
    const held = asked.held ?? (await search(overload, asked));
    const rows: Row[] = [];
    for (const times of asked.times) {
      say(`${times} times ${held}/s for ${asked.seconds} s`);
      const row = rowOf(await overload.offer(times * held, asked.seconds), held);
      say(JSON.stringify(row));
      rows.push(row);
    }
    return { held, rows };
  } finally {
    await overload.stop();
  }
}

/** Looks for the highest rate that is held. */
async function search(overload: Overload, { trialSeconds, say }: Asked): Promise<number> {
  const trials: Trial[] = [];
  for (let rate: number | null = firstRate; rate !== null; rate = nextTrial(trials)) {
    const row = rowOf(await overload.offer(rate, trialSeconds), rate);
    const holds = isHeld(row);
    say(
      `${rate}/s: ${holds ? 'held' : 'not held'}, ${row.accepted}/s accepted, p99 ${row.acceptedMsP99} ms, ` +
        `placed p99 ${row.formedToPlacedMsP99} ms, ${(100 * row.shed).toFixed(1)} % shed`,
    );
    trials.push({ rate, holds });
  }
  const held = heldOf(trials);
  if (held === null)
    throw new Error(`Not even ${Math.min(...trials.map(({ rate }) => rate))} tickets/s are held.`);
  return held;
}

/** @returns the error of the arguments, or what they say */
function askedOf(values: Settings<typeof options>): string | Asked {
  const playersPerMatch = playersOf.get(values.queue);
  if (playersPerMatch === undefined) return `There is no queue "${values.queue}".`;
  const held = values.held === undefined ? null : Number(values.held);
  if (held !== null && !(held > 0)) return '--held must be a number above 0.';
  const times = (values.times ?? ['0.5', '1', '2', '4']).map(Number);
  if (times.some((each) => !(each > 0))) return '--times must be a number above 0.';
  const [seconds, trialSeconds] = [Number(values.seconds), Number(values.trial)];
  if (!(seconds > 0) || !(trialSeconds > 0)) return '--seconds and --trial must be numbers above 0.';
  const [warmUpSeconds, drainSeconds] = [Number(values['warm-up']), Number(values.drain)];
  if (!(warmUpSeconds >= 0) || !(drainSeconds >= 0))
    return '--warm-up and --drain must be numbers of 0 or more.';
  const [seed, replicas] = [Number(values.seed), Number(values.replicas)];
  if (!Number.isSafeInteger(seed)) return '--seed must be a whole number.';
  if (!Number.isSafeInteger(replicas) || replicas < 1 || replicas > 8)
    return '--replicas must be a whole number from 1 to 8.';
  if (values.single && replicas > 1) return '--single has one process, so --replicas is 1.';
  return {
    queue: values.queue,
    playersPerMatch,
    held,
    times,
    seconds,
    trialSeconds,
    warmUpSeconds,
    drainSeconds,
    seed,
    replicas,
    single: values.single,
    mostMatches: (mostTaken * (held ?? 500) * slotSeconds) / playersPerMatch,
    say: (text) => void process.stderr.write(`${text}\n`),
  };
}

function paint(isGood: boolean, text: string): string {
  const coloured = process.stdout.isTTY && !process.env['NO_COLOR'];
  return coloured ? `\u001b[${isGood ? 32 : 31}m${text}\u001b[0m` : text;
}
