import type { BackfillFound } from '../matches/backfill.js';
import { message } from '../messages/index.js';
import { acquit } from '../match-life/offences.js';
import type { MatchOffence } from '../schemas/offences.js';
import { unchanged, type Decision, type MatchJob } from '../match-life/decision.js';
import { backfillViewOf, type BackfillFacts } from './state.js';

/** A backfill with the server of its session and the queue of its match. */
export interface HostedBackfill {
  readonly backfill: BackfillFacts;
  readonly serverId: string;
  readonly queue: string | null;
  /** The offences of the match. */
  readonly blame: readonly MatchOffence[];
}

/** @param hosted null: the session has no such backfill */
export function backfillFor(hosted: HostedBackfill | null, serverId: string): BackfillFound {
  if (!hosted) return { outcome: 'unknown' };
  return hosted.serverId === serverId
    ? { outcome: 'found', backfill: backfillViewOf(hosted.backfill) }
    : { outcome: 'not-yours' };
}

/**
 * A server wants no more players. A backfill that is closed stays as it is. While none of its seats was taken, the penalties of
 * its leavers go with it.
 */
export function decideWithdrawal(
  hosted: HostedBackfill | null,
  serverId: string,
  now: number,
): Decision<BackfillFound> {
  const found = backfillFor(hosted, serverId);
  if (!hosted || found.outcome !== 'found' || found.backfill.state !== 'open') return unchanged(found);
  const { backfillId, matchId, seats, seatsLeft } = found.backfill;
  const { queue } = hosted;
  const isGone = (offence: MatchOffence): boolean =>
    seatsLeft === seats && offence.backfillId === backfillId && !offence.lifted;
  const { jobs } = acquit(
    { matchId, queue, blame: hosted.blame },
    message('penalty.request-withdrawn'),
    now,
    isGone,
  );
  // It is remembered: another request may name the leaver, who is in the match no more.
  const blame = hosted.blame.map((each) =>
    isGone(each) ? { ...each, lifted: true, withdrawnAt: now } : each,
  );
  return {
    outcome: { outcome: 'found', backfill: { ...found.backfill, state: 'withdrawn' } },
    changes: {
      matchId,
      backfill: { backfillId, to: 'withdrawn', closedAt: now },
      ...(jobs.length > 0 ? { blame } : {}),
    },
    jobs: [closedJob(backfillId, queue), ...jobs],
  };
}

/** The matcher looks for no more players. */
export function closedJob(backfillId: string, queue: string | null): MatchJob {
  return { kind: 'closed', backfillId, queue: queue ?? '' };
}
