import type { DemoOptions, ManagedProcess, Supervisor } from '@muster/embedded';
import { OperatorClient } from '@muster/sdk';
import { partProcess } from '../part.js';
import type { Teller } from '../teller.js';
import { nothingReported, type PlayersOptions, type PlayersReport } from './players.js';
import type { GameServerOptions } from './server.js';
import { matchesSince, summarise } from './summary.js';

const build = 'dev';
const region = 'local';
const matchSeconds = 3;
const startWithinMs = 90_000;
const closeWithinMs = 15_000;

/** Runs the queue demo until `ended`: servers and players as processes of their own. @returns what it came to */
export async function runQueueDemo(
  options: DemoOptions,
  teller: Teller,
  ended: Promise<unknown>,
  supervisor: Supervisor,
): Promise<object> {
  const { url, operatorKey, readyAt: since } = options;
  // When everything is stopped, nobody will answer: that must not hold up the end.
  const operator = new OperatorClient({ url, operatorKey, patienceMs: 10_000 });
  teller.say(
    `The demo: ${options.players} players queue for 5v5, alone and in parties of 2 to 5; ${options.servers} servers play short matches.`,
  );
  let report = nothingReported();
  const players = playersProcess(options, (latest) => {
    report = latest;
  });
  const patience = AbortSignal.timeout(startWithinMs);
  for (const process of [...serverProcesses(options), players]) await supervisor.start(process, patience);
  teller.begun();
  const story = narrate(operator, since, teller);
  await ended;
  teller.say('Nobody queues any more; matches under way are played to their end.');
  await supervisor.stop(players.name);
  await untilClosed(operator, since, closeWithinMs);
  await story.stop();
  return summarise(operator, since, report);
}

/** The dedicated servers: the first refuses a session now and then, the second falls silent for a while. */
function serverProcesses({ url, serverKey, servers, players }: DemoOptions): ManagedProcess[] {
  const slots = Math.max(2, Math.ceil(players / 10 / Math.max(1, servers - 1)) + 1);
  return Array.from({ length: servers }, (_, i) => {
    const options: GameServerOptions = {
      url,
      serverKey,
      serverId: `arena-${i + 1}`,
      slots,
      build,
      region,
      refuseShare: i === 0 ? 0.15 : 0,
      silentAfterSeconds: i === 1 && servers > 1 ? 20 : 0,
      matchSeconds,
    };
    return partProcess(`server-${i + 1}`, 'server', options);
  });
}

function playersProcess(
  { url, login, players }: DemoOptions,
  reported: (report: PlayersReport) => void,
): ManagedProcess {
  const options: PlayersOptions = { url, login, players, queue: '5v5', build, region };
  return {
    ...partProcess('players', 'players', options),
    onLine: (text) => {
      const report = reportOf(text);
      if (report) reported(report);
    },
  };
}

function reportOf(text: string): PlayersReport | null {
  try {
    const report: unknown = JSON.parse(text);
    const isReport = typeof report === 'object' && report !== null && 'ticketsAccepted' in report;
    return isReport ? (report as PlayersReport) : null;
  } catch {
    // The trace of an error, for example.
    return null;
  }
}

const isClosed = (state: string): boolean => ['rated', 'abandoned', 'void'].includes(state);

/** Reports every match as it ends, until stopped. */
function narrate(operator: OperatorClient, since: number, teller: Teller): { stop(): Promise<void> } {
  const told = new Set<string>();
  const ending = new AbortController();
  const turn = async (): Promise<void> => {
    const { matches } = await operator.matches({ order: 'newest', limit: 100 });
    for (const match of matches.toReversed()) {
      if ((match.formedAt ?? 0) < since || told.has(match.matchId) || !isClosed(match.state)) continue;
      told.add(match.matchId);
      teller.match(match);
    }
  };
  const done = (async () => {
    while (!ending.signal.aborted) {
      await turn().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    await turn().catch(() => undefined);
  })();
  return {
    async stop() {
      ending.abort();
      await done;
    },
  };
}

/** Waits until every match since a time is closed, at most `ms`. */
async function untilClosed(operator: OperatorClient, since: number, ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    const matches = await matchesSince(operator, since).catch(() => null);
    if (matches?.every((match) => isClosed(match.state))) return;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
