import type { OperatorClient } from '@muster/sdk';
import { readFileSync } from 'node:fs';
import type { ManagedProcess } from '../embedded/index.js';
import { matchesSince } from '../demo/summary.js';
import { nothingReported, type PlayersReport } from '../demo/players.js';
import type { Keys } from './keys.js';
import type { UpOptions } from './options.js';
import { programOf } from './program.js';
import type { Teller } from './teller.js';

const build = 'dev';
const region = 'local';
const matchSeconds = 3;

/** A part of a demo as a process of its own. @param command the hidden command that runs it */
export function demoProcess(name: string, command: string, options: object): ManagedProcess {
  return {
    name,
    command: process.execPath,
    args: ['--enable-source-maps', programOf('cli'), command],
    env: { DEMO_OPTIONS: JSON.stringify(options) },
    stopSignal: 'SIGTERM',
    ready: () => Promise.resolve(),
  };
}

/** The demo's dedicated servers: the first refuses a session now and then, the second falls silent for a while. */
export function demoServers(url: string, keys: Keys, { servers, players }: UpOptions): ManagedProcess[] {
  const slots = Math.max(2, Math.ceil(players / 10 / Math.max(1, servers - 1)) + 1);
  return Array.from({ length: servers }, (_, i) => {
    const serverId = `arena-${i + 1}`;
    return demoProcess(`server-${i + 1}`, 'demo-server', {
      url,
      serverKey: keys.serverKey,
      serverId,
      slots,
      build,
      region,
      refuseShare: i === 0 ? 0.15 : 0,
      silentAfterSeconds: i === 1 && servers > 1 ? 20 : 0,
      matchSeconds,
    });
  });
}

export function demoPlayers(url: string, keys: Keys, { players }: UpOptions): ManagedProcess {
  return demoProcess('players', 'demo-players', {
    url,
    login: keys.login,
    players,
    queue: '5v5',
    build,
    region,
  });
}

/** The players' last report, from their log. */
export function readReport(logFile: string): PlayersReport {
  const lines = readFileSync(logFile, 'utf8').split('\n').toReversed();
  for (const line of lines) {
    try {
      const report: unknown = JSON.parse(line);
      if (typeof report === 'object' && report !== null && 'ticketsAccepted' in report)
        return report as PlayersReport;
    } catch {
      // A line that is cut short, or that is no report.
    }
  }
  return nothingReported();
}

/** Tells of every match as it ends, until stopped. */
export function narrate(operator: OperatorClient, since: number, teller: Teller): { stop(): Promise<void> } {
  const told = new Set<string>();
  const ending = new AbortController();
  const turn = async (): Promise<void> => {
    const { matches } = await operator.matches({ order: 'newest', limit: 100 });
    for (const match of matches.toReversed()) {
      if (
        (match.formedAt ?? 0) < since ||
        told.has(match.matchId) ||
        !['rated', 'abandoned', 'void'].includes(match.state)
      )
        continue;
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

/** Waits until every match since a time has come to its end, at most `ms`. */
export async function untilClosed(operator: OperatorClient, since: number, ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    const matches = await matchesSince(operator, since).catch(() => null);
    if (matches?.every((match) => ['rated', 'abandoned', 'void'].includes(match.state))) return;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
