// A million players at once: `npm run bench:million -- --help`.
import { cpus, loadavg } from 'node:os';
import { command, fail, type Settings } from '../command.js';
import { jsonOf, kneeText, nextRate, rowOf, tablesOf, type Outcome, type Tried } from './report.js';
import { playersPerMatch, run, type MillionOptions } from './run.js';

const help = `Has tickets arrive and results reported while a million players are in matches.

  npm run bench:million -- [options]

  --players N    players in matches of ten at the start (default 1000000; 10000 for a quick look)
  --servers N    game servers that send heartbeats and take commands (default one for 100 players)
  --slots N      matches that a server hosts at once (default 12: a sixth is free)
  --rate N       tickets a second (default players / 1200, as many as leave matches of 20 minutes)
  --silence S    seconds after which a silent server is lost (default 10); they send a heartbeat three or four times in it
  --minutes M    how long is counted (default 5)
  --warm-up S    how long is loaded before, and not counted (default 60)
  --drain S      how long those left may still be matched (default 20)
  --seed N       of the arrivals (default 1)
  --find-knee    if the rate does not hold, looks for the highest that does: at most four runs in all
  --json         prints the line of JSON alone
  --help         prints this

The tables come first, the last line is JSON. Progress goes to stderr. A million players need redis-server on the PATH, 12 GB of
disk and 8 GB of memory, and several minutes until the stores are full.
`;

const head = `Live matches are copies of a match that was played: its rows in Postgres, its tickets and holds in Redis. Of the arrivals, 30 %
of the players come in parties of two to five, and a third each is close to one of three regions. For every ten tickets that
arrive, the result of a match is reported, so live players become more, not fewer. Matches that begin last beyond the run. Every
time counts from the moment that was meant, not from when a call was sent. Players call the queue service and servers the
allocator directly, as through an ingress. The load generator is one process on the same cores.
`;

const options = {
  players: { type: 'string', default: '1000000' },
  servers: { type: 'string' },
  slots: { type: 'string', default: '12' },
  rate: { type: 'string' },
  silence: { type: 'string', default: '10' },
  minutes: { type: 'string', default: '5' },
  'warm-up': { type: 'string', default: '60' },
  drain: { type: 'string', default: '20' },
  seed: { type: 'string', default: '1' },
  'find-knee': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const playSeconds = 1_200;
const playersPerServer = 100;
const mostRuns = 4;

await command(help, options, bench);

async function bench(values: Settings<typeof options>): Promise<void> {
  const asked = optionsOf(values);
  if (typeof asked === 'string') return fail(asked);
  const average = (): string => (loadavg()[0] ?? NaN).toFixed(1);
  const averageBefore = average();
  if (!values.json) process.stdout.write(`${head}\n`);
  const tried: Tried[] = [];
  const outcomes: Outcome[] = [];
  const runs = values['find-knee'] ? mostRuns : 1;
  for (let rate: number | null = asked.rate; rate !== null && tried.length < runs; rate = nextRate(tried)) {
    asked.say(`${asked.matches * playersPerMatch} players, ${rate} tickets/s`);
    const outcome = await run({ ...asked, rate });
    outcomes.push(outcome);
    tried.push({ rate, holds: rowOf(outcome).holds });
    if (!values.json) process.stdout.write(`${tablesOf(outcome, paint)}\n\n`);
  }
  const [first] = outcomes;
  if (!first) return;
  if (!values.json) {
    const [cpu] = cpus();
    process.stdout.write(
      `Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model ?? 'an unknown processor'}, ` +
        `load ${averageBefore} before and ${average()} after\n\n${kneeText(tried, asked.rate)}\n\n`,
    );
  }
  process.stdout.write(`${jsonOf(first, tried)}\n`);
}

/** @returns the error of the arguments, or what they say */
function optionsOf(values: Settings<typeof options>): string | MillionOptions {
  const players = Number(values.players);
  const servers = Number(values.servers ?? Math.max(1, Math.ceil(players / playersPerServer)));
  const [slots, seed] = [Number(values.slots), Number(values.seed)];
  const rate = Number(values.rate ?? Math.round((10 * players) / playSeconds) / 10);
  const [minutes, warmUpSeconds, drainSeconds] = [values.minutes, values['warm-up'], values.drain].map(
    Number,
  );
  if (![players, servers, slots].every((number) => Number.isSafeInteger(number) && number > 0))
    return '--players, --servers and --slots must be whole numbers above 0.';
  if (players % playersPerMatch !== 0) return `--players must be a multiple of ${playersPerMatch}.`;
  const matches = players / playersPerMatch;
  if (Math.ceil(matches / servers) > slots)
    return `${servers} servers of ${slots} slots have no room for ${matches} matches.`;
  if (!(rate > 0) || !(Number(minutes) > 0)) return '--rate and --minutes must be numbers above 0.';
  if (!(Number(warmUpSeconds) >= 0) || !(Number(drainSeconds) >= 0))
    return '--warm-up and --drain must be numbers of 0 or more.';
  const silenceSeconds = Number(values.silence);
  if (!(silenceSeconds >= 1 && silenceSeconds <= 600)) return '--silence must be a number from 1 to 600.';
  if (!Number.isSafeInteger(seed)) return '--seed must be a whole number.';
  return {
    matches,
    servers,
    slots,
    playSeconds,
    rate,
    minutes: Number(minutes),
    warmUpSeconds: Number(warmUpSeconds),
    drainSeconds: Number(drainSeconds),
    silenceSeconds,
    seed,
    say: (text) => void process.stderr.write(`${text}\n`),
  };
}

function paint(isGood: boolean, text: string): string {
  const coloured = process.stdout.isTTY && !process.env['NO_COLOR'];
  return coloured ? `\u001b[${isGood ? 32 : 31}m${text}\u001b[0m` : text;
}
