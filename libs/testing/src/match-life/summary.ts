import { jobQueues } from '@muster/contracts';
import type { MatchLifeView } from './stores.js';

/** The part on which model and stores have to agree. */
export interface LifeSummary {
  readonly matches: Readonly<Record<string, string>>;
  readonly servers: Readonly<Record<string, string>>;
  readonly sessions: Readonly<Record<string, string>>;
  readonly held: Readonly<Record<string, string>>;
  readonly waiting: readonly string[];
  readonly results: readonly string[];
  readonly conflicts: readonly string[];
  readonly ratings: readonly string[];
  readonly endings: readonly string[];
  readonly rateJobs: readonly string[];
}

/** The same for the content of stores. */
export function summaryOf(view: MatchLifeView): LifeSummary {
  const matchesOf = (test: (kind: string, queue: string) => boolean): string[] =>
    view.jobs
      .filter(({ queue, jobId }) => test(jobId.split('-')[0] ?? '', queue))
      .map(({ jobId }) => jobId.slice(jobId.indexOf('-') + 1))
      .sort();
  const orders = new Map(
    view.commands.flatMap(({ sessionId, kind, state }) =>
      kind === 'create-session' ? [[sessionId, state] as const] : [],
    ),
  );
  return {
    matches: Object.fromEntries(view.matches),
    servers: Object.fromEntries([...view.servers].map(([id, { state, slots }]) => [id, `${state} ${slots}`])),
    sessions: Object.fromEntries(
      view.sessions.map(({ sessionId, matchId, serverId, state }) => [
        sessionId,
        `${matchId} on ${serverId}: ${state}, ${orders.get(sessionId) ?? 'none'}`,
      ]),
    ),
    held: Object.fromEntries(view.livePlayers),
    waiting: [...view.waiting].sort(),
    results: [...view.results].sort(),
    conflicts: [...view.conflicts].sort(),
    ratings: [...view.ratings].sort(),
    endings: matchesOf(
      (kind, queue) => queue === jobQueues.matchUpdates && ['rated', 'abandoned', 'remade'].includes(kind),
    ),
    rateJobs: matchesOf((kind) => kind === 'rate'),
  };
}
