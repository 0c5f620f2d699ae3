import type { DemoOptions } from '@muster/embedded';
import { OperatorClient } from '@muster/sdk';
import { join } from 'node:path';
import type { DemoReporter } from '../demo-reporter.js';
import { Arena } from './arena.js';
import { pace } from './policy.js';
import { reportLines } from './report.js';
import { ArenaReporter } from './reporter.js';

/** The pool of the arena's players. */
const pool = 'arena';
/** The same people join and leave in every run. */
const seed = 1;
const reportEveryMs = 1_000;

/** Runs the arena demo until `ended`. @returns the results; also shown as a table */
export async function runArenaDemo(
  options: DemoOptions,
  teller: DemoReporter,
  ended: Promise<unknown>,
): Promise<object> {
  const { url, operatorKey, serverKey, policy, players, dataDir } = options;
  // An existing pool stays unchanged: its ratings are still good.
  await new OperatorClient({ url, operatorKey }).createPool({ name: pool, model: 'synelo' });
  teller.say(
    `The demo: a community server that ${players} people know, twice, with the same comings and goings: with the policy ${policy}, and without any. ` +
      `All goes ${pace} times as fast as on a real server, the waiting that the policy asks for, too.`,
  );
  const telling = new ArenaReporter(teller);
  const plotFile = join(dataDir, 'arena.svg');
  const arena = new Arena({ url, serverKey, pool, policy, players, seed, plotFile }, (story) =>
    telling.story(story, Date.now()),
  );
  teller.stepDone();
  const timer = setInterval(() => telling.state(arena.report), reportEveryMs);
  await Promise.race([arena.start(), ended]);
  await ended;
  clearInterval(timer);
  await arena.stop();
  teller.show(reportLines(arena.report));
  return arena.report;
}
