import type { ReportedMatch, ReportedRated } from './ledger.js';
import { unchanged, type Decision } from '../match-life/decision.js';
import { message } from '../messages/index.js';

/** The match that counts under the external id of a report. */
export interface KnownReport {
  readonly matchId: string;
  /** Null: the coordinator's own match. */
  readonly digest: string | null;
  readonly prediction: readonly number[];
}

/** `fresh`: no match is known under the external id; the report is entered and rated. */
export type ReportDecided =
  { readonly outcome: 'fresh' } | (ReportedRated & { readonly outcome: 'again' | 'contradicts' });

/** The parts of a report that decide whether it counts. */
export type ReportFacts = Pick<ReportedMatch, 'externalId' | 'digest' | 'reportedBy' | 'teams' | 'ranks'>;

/**
 * A server reports a match that the coordinator did not form. The first report under an external id counts. The same report again
 * changes nothing, and another one is kept for operators.
 *
 * @param known null: none counts yet under this external id
 */
export function decideReport(
  known: KnownReport | null,
  { externalId, digest, reportedBy, teams, ranks }: ReportFacts,
  now: number,
): Decision<ReportDecided> {
  if (!known) return unchanged({ outcome: 'fresh' });
  const { matchId, prediction } = known;
  if (known.digest === digest) return unchanged({ outcome: 'again', matchId, prediction });
  const reason = message('result.other-known', { externalId });
  return {
    outcome: { outcome: 'contradicts', matchId, prediction },
    changes: {
      matchId,
      conflict: { reportedBy, reason, digest, body: { teams, ranks }, receivedAt: now },
    },
    jobs: [],
  };
}

/** The first of some reports of a pool for each external id, in the order given: of those that come at once, it counts. */
export function firstReports<Report extends { readonly match: Pick<ReportedMatch, 'externalId'> }>(
  reports: readonly Report[],
): Report[] {
  const known = new Set<string>();
  return reports.filter(({ match: { externalId } }) => {
    if (known.has(externalId)) return false;
    known.add(externalId);
    return true;
  });
}
