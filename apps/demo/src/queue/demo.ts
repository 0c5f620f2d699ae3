import type { DemoOptions, ManagedProcess, Supervisor } from '@muster/embedded';
import { OperatorClient } from '@muster/sdk';
import { partProcess } from '../part.js';
import type { DemoReporter } from '../demo-reporter.js';
import { nothingReported, type PlayersOptions, type PlayersReport } from './players.js';
import type { GameServerOptions } from './server.js';
import { matchesSince, summarise } from './summary.js';

const build = 'dev';
const region = 'local';
const matchSeconds = 3;
const startWithinMs = 90_000;
const closeWithinMs = 15_000;
const lookMs = 250;

/** Runs the queue demo until `ended`: servers and players as separate processes. @returns the results */
export async function runQueueDemo(
  options: DemoOptions,
  teller: DemoReporter,
  ended: Promise<unknown>,
  supervisor: Supervisor,
): Promise<object> {
  const { url, operatorKey, readyAt: since } = options;
  // When everything is stopped, nobody answers: that must not delay the end.
  const operator = new OperatorClient({ url, operatorKey, patienceMs: 10_000 });
  teller.say(
    `The demo: ${options.players} players queue for 5v5, alone and in parties of 2 to 5; ${options.servers} servers play short matches.`,
  );
  let report = nothingReported();
  const players = playersProcess(options, (latest) => {
    report = latest;
  });
  const patience = AbortSignal.timeout(startWithinMs);
  for (const each of [...serverProcesses(options), players]) await supervisor.start(each, patience);
  teller.stepDone();
  const story = narrate(operator, since, teller);
  await ended;
  teller.say('Nobody queues any more; matches under way are played to their end.');
  await supervisor.stop(players.name);
  await untilClosed(operator, since, closeWithinMs);
  await story.stop();
  return summarise(operator, since, report);
}

/** The dedicated servers: the first occasionally refuses a session, the second is silent for a while. */
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
    // Other output, such as the trace of an error.
    return null;
  }
}

const isClosed = (state: string): boolean => ['rated', 'abandoned', 'void'].includes(state);

/** Reports every match as it ends, until stopped. */
function narrate(operator: OperatorClient, since: number, teller: DemoReporter): { stop(): Promise<void> } {
  const reported = new Set<string>();
  const ending = new AbortController();
  const turn = async (): Promise<void> => {
    const { matches } = await operator.matches({ order: 'newest', limit: 100 });
    for (const match of matches.toReversed()) {
      if ((match.formedAt ?? 0) < since || reported.has(match.matchId) || !isClosed(match.state)) continue;
      reported.add(match.matchId);
      teller.match(match);
    }
  };
  const done = (async () => {
    while (!ending.signal.aborted) {
      await turn().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, lookMs));
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
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}
