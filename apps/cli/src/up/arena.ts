import { OperatorClient } from '@muster/sdk';
import { join } from 'node:path';
import type { ArenaOptions } from '../demo/arena/arena.js';
import { pace, quickened } from '../demo/arena/policy.js';
import { reportLines, type ArenaReport } from '../demo/arena/report.js';
import { ArenaTelling } from './arena-telling.js';
import { demoProcess } from './demo.js';
import type { Keys } from './keys.js';
import type { UpOptions } from './options.js';
import type { Supervisor } from './supervisor.js';
import type { Teller } from './teller.js';

/** The pool of the arena's players. */
const pool = 'arena';
/** The same people come and go in every run. */
const seed = 1;

/** @throws Error with a sentence for people when what was asked for cannot be shown */
export function checkArena({ policy }: Pick<UpOptions, 'policy'>): void {
  quickened(policy);
}

/** Runs the arena demo until it is to end. @returns what it came to; also shown as a table */
export async function runArenaDemo(
  options: UpOptions,
  url: string,
  keys: Keys,
  supervisor: Supervisor,
  teller: Teller,
  demoNames: string[],
  ended: Promise<unknown>,
): Promise<ArenaReport> {
  // One that an earlier run made is left as it is: its ratings are still good.
  await new OperatorClient({ url, operatorKey: keys.operatorKey }).createPool({
    name: pool,
    model: 'synelo',
  });
  const { policy, players, dataDir } = options;
  teller.say(
    `The demo: a community server that ${players} people know, twice, with the same comings and goings: with the policy ${policy}, and without any. ` +
      `All goes ${pace} times as fast as on a real server, the waiting that the policy asks for, too.`,
  );
  const arena: ArenaOptions = {
    url,
    serverKey: keys.serverKey,
    pool,
    policy,
    players,
    seed,
    plotFile: join(dataDir, 'arena.svg'),
  };
  const told = new ArenaTelling(teller);
  demoNames.push('arena');
  await supervisor.start(
    { ...demoProcess('arena', 'demo-arena', arena), heard: (line) => told.hear(line, Date.now()) },
    AbortSignal.timeout(30_000),
  );
  await ended;
  await supervisor.stop('arena');
  teller.show(reportLines(told.report));
  return told.report;
}
