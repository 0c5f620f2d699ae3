import type { Blamed } from '@muster/domain';
import { jobQueues } from './job-queues.js';
import { readOffences, type EndOfMatch, type MatchUpdate, type RatingsChanged } from './jobs.js';

/** A job enqueued through the outbox: it is written in the transaction that makes it necessary, and sent after the commit. */
export interface OutboxJob {
  readonly queue: string;
  readonly jobId: string;
  readonly payload: unknown;
}

/** The update of a match for its tickets. A match without tickets (a reported one) has no update. */
export function matchUpdateJobs(update: MatchUpdate): OutboxJob[] {
  const { kind, matchId, ticketIds } = update;
  const [first] = ticketIds;
  if (first === undefined) return [];
  // A match that goes on ends for its tickets one after the other: updates of one id that wait together would be one.
  const goesOn = kind === 'abandoned' && update.matchState === 'placed';
  const jobId = goesOn ? `${kind}-${encodeURIComponent(first)}-${matchId}` : `${kind}-${matchId}`;
  return [{ queue: jobQueues.matchUpdates, jobId, payload: update }];
}

/** Reports to the queue which players did not come to a match or left it; no job when there are none. */
export function conductJobs(matchId: string, queue: string, blamed: Blamed, at: number): OutboxJob[] {
  const { noShows, leavers } = blamed;
  if (noShows.length + leavers.length === 0) return [];
  const payload = { matchId, queue, at, noShows, leavers };
  return [{ queue: jobQueues.conduct, jobId: `conduct-${matchId}`, payload }];
}

/**
 * The update that ends a match for its tickets, with the offences in the match's row. The queue penalises first and then
 * releases the players.
 *
 * @param blame the column `match.blame`
 */
export function matchEndJobs(update: EndOfMatch, queue: string | null, blame: unknown): OutboxJob[] {
  const offences = readOffences(blame).flatMap(({ playerId, kind, at, lifted }) =>
    lifted ? [] : [{ playerId, kind, at }],
  );
  return matchUpdateJobs(
    offences.length === 0 ? update : { ...update, blame: { queue: queue ?? '', offences } },
  );
}

/**
 * Tells the queue whose ratings changed; its waiting tickets are matched by them.
 *
 * @param playerIds null: all of the pool may have
 * @param change what changed them: unique in the pool
 */
export function ratingsChangedJob(
  pool: string,
  playerIds: readonly string[] | null,
  change: string,
): OutboxJob {
  const payload: RatingsChanged = { pool, playerIds };
  // Ids of events are chosen by callers, and a colon has a meaning in ids of jobs.
  return { queue: jobQueues.ratingsChanged, jobId: encodeURIComponent(`ratings-${pool}-${change}`), payload };
}
