// `npm run test:stall`: two replicas of each service under load; stores, services and single replicas are stopped
// (SIGSTOP) and resumed (SIGCONT), and single replicas have a wrong clock. Then the damage is read from the stores.
import { parseArgs } from 'node:util';
import { seededRandom } from '@muster/domain';
import { Stack } from '../../support/stack.js';
import { Crowd } from '../crowd.js';
import { settle } from '../settle.js';
import { judge } from '../verdict.js';
import { faketime, wrongClocks } from './faketime.js';
import { Harm } from './harm.js';
import {
  choose,
  faultNames,
  goesOn,
  describeDisturbance,
  nameOf,
  plan,
  services,
  shortPlan,
  wholePlan,
  type Disturbance,
} from './plan.js';
import { play, type Round } from './round.js';
import { build, serversOf } from '../servers.js';

const help = `npm run test:stall -- [options]

Stops stores and services under load and asks the stores what was harmed. Prints a line a round, then one line of JSON.

  --short            one stop of each kind: some four minutes instead of half an hour
  --whole            faults as well: ${Object.keys(faultNames).join(', ')}
  --only NAMES       these alone, with commas: postgres, redis, ${services.join(', ')}, queue-1, …, clock, or faults
  --seconds N,N      stops of these lengths alone: 5, 15, 45
  --players N        how many players queue (60)
  --help
`;
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '' },
    players: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
if (values.help) {
  say(help);
  process.exit(0);
}
const list = (text: string): string[] => text.split(',').filter((part) => part !== '');
const all = values.short ? shortPlan : values.whole ? wholePlan : plan;
const chosen = choose(all, list(values.only), list(values.seconds).map(Number));
if (chosen.length === 0) {
  process.stderr.write(`Nothing is called so.\n\n${help}`);
  process.exit(2);
}

/** The time-out of locks and statements. */
const maxDelayMs = 20_000;

const rounds: Round[] = [];
let broken = 0;
const isClock = (one: Disturbance): boolean => nameOf(one) === 'clock';
const others = chosen.filter((one) => !isClock(one));
if (others.length > 0) await run('sound clocks', others, {});
for (const clock of chosen.filter(isClock)) {
  const library = faketime();
  if (library === null) say(`SKIPPED  ${describeDisturbance(clock)}: libfaketime is not installed`);
  else await run(describeDisturbance(clock), [clock], wrongClocks(library, clock.clockSeconds));
}
const good = rounds.filter(isGood).length;
say(`${good} rounds passed, ${rounds.length - good} failed; ${broken} invariants broken`);
say(JSON.stringify({ rounds }));
process.exit(good === rounds.length && broken === 0 ? 0 : 1);

/** Plays rounds against one system, and audits all invariants at the end. */
async function run(
  title: string,
  disturbances: readonly Disturbance[],
  env: Record<string, string>,
): Promise<void> {
  say(`Two replicas of each service, ${values.players} players, ${title}.`);
  const stack = await Stack.start(['--replicas', '2', '--log-level', 'warn'], { env });
  const random = seededRandom(7);
  const fleet = serversOf({
    url: stack.url,
    serverKey: stack.run.serverKey,
    // Some matches outlast a short stop, so that every event of a match may fall into one.
    matchMs: () => 1_000 + 7_000 * random() ** 2,
    random,
  });
  const harm = new Harm(stack);
  const crowd = new Crowd(stack, Number(values.players), build);
  try {
    await fleet.start();
    await crowd.start();
    for (const disturbance of disturbances) {
      const round = await play({ stack, crowd, fleet, harm }, disturbance, (what, ids) => {
        if (ids.length > 0) say(`         ${what}: ${ids.slice(0, 5).join('; ')} (${ids.length} in all)`);
      });
      rounds.push(round);
      const after =
        round.recoverySeconds === null
          ? 'nothing was rated afterwards'
          : `rated again after ${round.recoverySeconds} s`;
      say(`${isGood(round) ? 'passed' : 'FAILED'}   ${describeDisturbance(disturbance)}: ${after}`);
    }
    await Promise.race([crowd.stop(), pause(90_000)]);
    await settle(stack, 60_000);
    for (const { promise, broken: evidence } of await judge(stack, crowd, fleet, maxDelayMs)) {
      if (evidence.length === 0) continue;
      broken++;
      say(`BROKEN   ${promise}: ${evidence.slice(0, 5).join('; ')} (${evidence.length} in all)`);
    }
    if (fleet.report.trouble.size > 0)
      say(`         the servers met: ${JSON.stringify(Object.fromEntries(fleet.report.trouble))}`);
  } finally {
    await harm.close();
    await fleet.stop();
    await stack.stop();
  }
}

function isGood(round: Round): boolean {
  return (
    round.liveMatchesAbandoned + round.resultsRefused + round.ticketsStuck + round.playersStuck === 0 &&
    round.recoverySeconds !== null &&
    (!goesOn(round) || round.recoverySeconds < round.seconds)
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
