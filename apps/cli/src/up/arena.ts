import { OperatorClient } from '@muster/sdk';
import { join } from 'node:path';
import type { ArenaOptions, ArenaStory } from '../demo/arena/arena.js';
import { lead } from '../demo/arena/community-server.js';
import { pace, quickened } from '../demo/arena/policy.js';
import { nothingPlayed, percent, reportLines, type ArenaReport } from '../demo/arena/report.js';
import { demoProcess } from './demo.js';
import type { Keys } from './keys.js';
import type { UpOptions } from './options.js';
import type { Supervisor } from './supervisor.js';
import type { Teller } from './teller.js';

/** The pool of the arena's players. */
const pool = 'arena';
/** The same people come and go in every run. */
const seed = 1;
/** For people there is a story of each kind no more often than this, and the state of things. */
const storyEveryMs = 1_500;
const stateEverySeconds = 15;

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
  await new OperatorClient({ url, operatorKey: keys.operatorKey }).createPool({ name: pool, model: 'synelo' });
  const { policy, players, dataDir } = options;
  teller.say(
    `The demo: a community server that ${players} people know, twice, with the same comings and goings: with the policy ${policy}, and without any. ` +
      `A round takes 5 s, and what the policy waits for is ${pace} times shorter than on a real server.`,
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
  const told = new Telling(teller);
  demoNames.push('arena');
  await supervisor.start(
    { ...demoProcess('arena', 'demo-arena', arena), heard: (line) => told.hear(line) },
    AbortSignal.timeout(30_000),
  );
  await ended;
  await supervisor.stop('arena');
  teller.show(reportLines(told.report));
  return told.report;
}

type Line = ArenaStory | { readonly event: 'report'; readonly report: ArenaReport };

/** Retells what the process of the arena prints: everything to programs, to people not too much. */
class Telling {
  report = nothingPlayed();
  private readonly last = new Map<string, number>();
  private untold = 0;

  constructor(private readonly teller: Teller) {}

  hear(text: string): void {
    const line = lineOf(text);
    if (line?.event === 'report') this.hearReport(line.report);
    else if (line?.event === 'story') this.hearStory(line);
  }

  private hearReport(report: ArenaReport): void {
    const isDue = report.seconds - (this.last.get('state') ?? 0) >= stateEverySeconds;
    this.report = report;
    if (!isDue) return;
    this.last.set('state', report.seconds);
    const shares = report.servers.map(
      ({ policy, fairShare }) => `${percent(fairShare ?? 0)} ${policy === 'none' ? 'without' : `with ${policy}`}`,
    );
    const { servers, seconds } = report;
    this.teller.happening('state', `Fair time so far: ${shares.join(', ')}.`, { seconds, servers });
  }

  private hearStory(story: ArenaStory): void {
    const now = Date.now();
    const isDue = now - (this.last.get(story.what) ?? 0) >= storyEveryMs;
    if (isDue) this.last.set(story.what, now);
    else this.untold++;
    const since = this.untold > 0 ? ` (${this.untold} more since the last line)` : '';
    this.teller.happening(story.what, isDue ? `${words(story)}${since}` : null, story);
    if (isDue) this.untold = 0;
  }
}

function words({ text, policy, playerIds = [], chance }: ArenaStory): string {
  const who = playerIds.length === 0 ? '' : ` ${playerIds.join(', ').replaceAll('arena-', '')}:`;
  const came = chance ? `${who} ${lead(chance[0])} → ${lead(chance[1])}` : who;
  return `${policy === 'none' ? 'without' : policy}  ${text}${came}`;
}

function lineOf(text: string): Line | null {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null && 'event' in line ? (line as Line) : null;
  } catch {
    return null;
  }
}
