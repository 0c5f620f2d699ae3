// Tickets per second through Muster's HTTP API, beside Colyseus' ranked queue room: `npm run bench:queue -- --help`.
import { own } from '@muster/domain';
import { cpus, loadavg } from 'node:os';
import { besideText, comparisons, type Comparison } from './beside.js';
import { runColyseus, installColyseus } from './colyseus.js';
import { killColyseus, killMuster, type Survival } from './durability.js';
import { loadOf, type Load } from './load.js';
import { runMuster, type MusterOptions } from './muster.js';
import {
  costTableOf,
  jsonOf,
  kneesOf,
  processTableOf,
  rowOf,
  survivalTableOf,
  tableOf,
  type Row,
} from './report.js';
import { command, fail, type Settings } from '../command.js';

const help = `Has players arrive at Muster's queue, through its HTTP interface, and at Colyseus' ranked queue room.

  npm run bench:queue -- [options]

  --rate N       arrivals a second; repeatable (default 200, 450, 900 for 5v5; 100, 200, 400 for 1v1)
  --queue Q      5v5 or 1v1; repeatable (default both)
  --system S     muster or colyseus; repeatable (default both)
  --seconds S    how long is counted (default 30)
  --warm-up S    how long is loaded before, and not counted (default 60)
  --drain S      how long those left may still be matched (default 10)
  --seed N       of the arrivals (default 1)
  --replicas N   processes of each of Muster's services (default 1)
  --single       all of Muster's services in one process
  --rules FILE   a rules document instead of Muster's built-in queues
  --followed P   share of Muster's players who follow their ticket's events (default 0.05)
  --play S       matches of Muster's last so long, are reported and rated (default 3); 0: they outlast the load
  --waiting N    players who wait when everything is killed; 0: nothing is (default 100)
  --beside NAME  what a part of Muster costs, in place of all this: metrics, traces (of all tickets) or few-traces (of one in a
                 hundred). One rate and queue, with the part and without it in turn; not with Colyseus
  --rounds N     how often each of both runs (default 4)
  --json         prints the line of JSON alone
  --help         prints this

The tables come first, the last line is JSON. Progress goes to stderr. The first run installs Colyseus into
test/bench/queue/colyseus, from npm. The whole takes half an hour.
`;

const head = `The same players arrive at the same moments at both: a Poisson process, drawn beforehand. Every time counts from the moment
that was meant, not from when it was sent. Each player queues once, alone.

- What shares the machine, with nothing pinned. With Muster: its four services, the edge, Redis and PostgreSQL, and one process
  that makes the load and is the game servers too. With Colyseus: its server and one process that makes the load with
  Colyseus' own client. One system runs at a time.
- A join is POST /v1/tickets with a signed token, over kept connections, answered once the ticket is stored; at Colyseus
  joinOrCreate, answered once the player is in the room: nobody is asked who they are, nothing is stored.
- A match is made when Muster's is stored with its teams; at Colyseus when the player hears of their seat in the match's room,
  which is made in the same process and does nothing. A seat at Muster is one on a game server that took the session, heard of
  by the player: of a sample, who follow their ticket. "formed to seat" is the part of it after the match was formed.
- Spread is the highest rank of a match less the lowest. Ranks are normal, 1500 ± 350; at Muster the same as ratings, 25 ± 8.33.
- Each runs by rules as it comes: Muster's built-in queues (or --rules), Colyseus' default comparison, once a second.
- Processor time is that of the counted seconds, all processes and their children, less what they use while idle. It covers the
  whole life of a ticket: matches of Muster's are played, reported and rated meanwhile; Colyseus' end with their seats.
- Redis counts commands within scripts. SQL statements are counted by pg_stat_statements, without BEGIN and COMMIT.
`;

const options = {
  rate: { type: 'string', multiple: true },
  queue: { type: 'string', multiple: true },
  system: { type: 'string', multiple: true },
  seconds: { type: 'string', default: '30' },
  'warm-up': { type: 'string', default: '60' },
  drain: { type: 'string', default: '10' },
  seed: { type: 'string', default: '1' },
  replicas: { type: 'string', default: '1' },
  single: { type: 'boolean', default: false },
  rules: { type: 'string' },
  followed: { type: 'string', default: '0.05' },
  play: { type: 'string', default: '3' },
  waiting: { type: 'string', default: '100' },
  beside: { type: 'string' },
  rounds: { type: 'string', default: '4' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const playersOf: Readonly<Record<string, number>> = { '5v5': 10, '1v1': 2 };
const ratesOf: Readonly<Record<string, readonly string[]>> = {
  '5v5': ['200', '450', '900'],
  '1v1': ['100', '200', '400'],
};
const systems = ['muster', 'colyseus'];

const say = (text: string): void => void process.stderr.write(`${text}\n`);

await command(help, options, run);

async function run(values: Settings<typeof options>): Promise<void> {
  const flaw = flawOf(values);
  if (flaw !== null) return fail(flaw);
  const chosen = values.system ?? systems;
  const queues = values.queue ?? Object.keys(playersOf);
  const muster: MusterOptions = {
    replicas: Number(values.replicas),
    single: values.single,
    rules: values.rules,
    followed: Number(values.followed),
    playSeconds: Number(values.play) === 0 ? null : Number(values.play),
    say,
  };
  const comparison = values.beside === undefined ? undefined : own(comparisons, values.beside);
  if (comparison) return besides(values, queues, muster, comparison);
  const version = chosen.includes('colyseus') ? await installColyseus(say) : null;
  if (!values.json) process.stdout.write(`${head}\n`);

  const average = (): string => (loadavg()[0] ?? NaN).toFixed(1);
  const averageBefore = average();
  const rows: Row[] = [];
  for (const load of loadsOf(values, queues))
    for (const system of chosen) {
      const taken = system === 'muster' ? await runMuster(load, muster) : await runColyseus(load, say);
      rows.push(rowOf(taken));
    }
  const survivals: Survival[] = [];
  const waiting = Number(values.waiting);
  for (const system of waiting > 0 ? chosen : []) {
    say(`  kill -9 of ${system} while ${waiting} wait`);
    survivals.push(
      ...(system === 'muster'
        ? await killMuster(waiting, queues[0] ?? '5v5', muster)
        : [await killColyseus(waiting)]),
    );
  }

  if (!values.json) {
    const [cpu] = cpus();
    process.stdout.write(
      `Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}, ` +
        `load ${averageBefore} before and ${average()} after` +
        `${version === null ? '' : `; Colyseus ${version}`}\n\n${tableOf(rows, paint)}\n\n` +
        `${costTableOf(rows)}\n\n${processTableOf(rows)}\n\n${kneeText(rows)}\n\n` +
        `${survivals.length > 0 ? `${survivalTableOf(survivals, paint)}\n\n` : ''}`,
    );
  }
  process.stdout.write(`${jsonOf(rows, survivals)}\n`);
}

async function besides(
  values: Settings<typeof options>,
  queues: readonly string[],
  muster: MusterOptions,
  comparison: Comparison,
): Promise<void> {
  const [load] = loadsOf(values, queues);
  if (!load) return;
  const rounds = await comparison.measure(load, muster, Number(values.rounds));
  const text = besideText(values.beside ?? '', comparison, rounds, paint);
  process.stdout.write(`${values.json ? text.slice(text.lastIndexOf('\n') + 1) : text}\n`);
}

function* loadsOf(values: Settings<typeof options>, queues: readonly string[]): Generator<Load> {
  for (const queue of queues)
    for (const rate of values.rate ?? ratesOf[queue] ?? [])
      yield loadOf({
        queue,
        playersPerMatch: playersOf[queue] ?? 2,
        rate: Number(rate),
        seconds: Number(values.seconds),
        warmUpSeconds: Number(values['warm-up']),
        drainSeconds: Number(values.drain),
        seed: Number(values.seed),
      });
}

/** @returns the error of the arguments, or null */
function flawOf(values: Settings<typeof options>): string | null {
  const {
    rate = [],
    queue = [],
    system = [],
    seconds,
    drain,
    seed,
    replicas,
    followed,
    play,
    waiting,
  } = values;
  if (rate.some((each) => !(Number(each) > 0))) return '--rate must be a number above 0.';
  const strange = queue.find((each) => playersOf[each] === undefined);
  if (strange !== undefined) return `There is no queue "${strange}".`;
  const unknown = system.find((each) => !systems.includes(each));
  if (unknown !== undefined) return `There is no system "${unknown}".`;
  if (!(Number(seconds) > 0)) return '--seconds must be a number above 0.';
  if (!(Number(values['warm-up']) >= 0)) return '--warm-up must be a number of 0 or more.';
  if (!(Number(drain) >= 0)) return '--drain must be a number of 0 or more.';
  if (!Number.isSafeInteger(Number(seed))) return '--seed must be a whole number.';
  if (!Number.isSafeInteger(Number(replicas)) || Number(replicas) < 1 || Number(replicas) > 8)
    return '--replicas must be a whole number from 1 to 8.';
  if (values.single && Number(replicas) > 1) return '--single has one process, so --replicas is 1.';
  if (!(Number(followed) >= 0 && Number(followed) <= 1)) return '--followed must be a number from 0 to 1.';
  if (!(Number(play) >= 0)) return '--play must be a number of 0 or more.';
  if (values.beside !== undefined && !own(comparisons, values.beside))
    return `--beside is one of ${Object.keys(comparisons).join(', ')}.`;
  if (!Number.isSafeInteger(Number(values.rounds)) || Number(values.rounds) < 1)
    return '--rounds must be a whole number of 1 or more.';
  if (!Number.isSafeInteger(Number(waiting)) || Number(waiting) < 0)
    return '--waiting must be a whole number of 0 or more.';
  return null;
}

/** In words: the rate up to which every aim is met. */
function kneeText(rows: readonly Row[]): string {
  return Object.entries(kneesOf(rows))
    .map(([queue, rate]) =>
      rate === null ? `${queue}: no rate met every aim.` : `${queue}: every aim is met at ${rate}/s.`,
    )
    .join('\n');
}

function paint(isGood: boolean, text: string): string {
  const coloured = process.stdout.isTTY && !process.env['NO_COLOR'];
  return coloured ? `\u001b[${isGood ? 32 : 31}m${text}\u001b[0m` : text;
}
