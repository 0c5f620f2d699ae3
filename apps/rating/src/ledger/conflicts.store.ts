import { readOtherResult, type ConflictDecision } from '@muster/contracts';
import { transact, type Db, type Sql } from '@muster/db';
import { ResultInvalid, type ReportedMatch, type VoidResult } from '@muster/domain';
import { eventOf } from './ended-match.js';
import { holdMatch, voidMatch } from './matches.store.js';
import { rateReported } from './reported.store.js';

/** What an operator says about a conflict. */
export interface DecidedConflict {
  readonly matchId: string;
  readonly decision: ConflictDecision;
  /** Of `other`: the report that is to count; needed when there are several. */
  readonly conflictId?: number | undefined;
  readonly by: string;
  readonly why: string;
}

/** Ids for what a decision makes. */
export interface ConflictIds {
  /** Of the match that counts instead of the one that was decided about: the same for every decision about it. */
  readonly countsAs: string;
  readonly rebuildIds: readonly [string, string];
}

export type ConflictOutcome =
  | { readonly outcome: 'unknown' }
  /** There are several reports, and none or an unknown one is named. */
  | { readonly outcome: 'which'; readonly conflictIds: readonly number[] }
  | { readonly outcome: 'refused'; readonly result: VoidResult }
  /** The decision in force. */
  | { readonly outcome: 'decided'; readonly decision: ConflictDecision };

interface Conflict {
  readonly id: number;
  readonly decision: ConflictDecision | null;
  readonly body: unknown;
  readonly digest: string;
  readonly reportedBy: string;
}

/** A later one takes the place of those before it. */
const strengths: readonly (ConflictDecision | null)[] = [null, 'kept', 'other', 'void'];

/** Decisions about results that contradict each other, in Postgres. */
export class PostgresConflicts {
  constructor(private readonly db: Db) {}

  /**
   * Decides all conflicts of a match, with what follows for the ratings, in one transaction: of operators who decide at once the
   * second finds the decision of the first. A match that is void stays so, and one that counts by another report is kept no more.
   */
  decide(said: DecidedConflict, ids: ConflictIds, now: number): Promise<ConflictOutcome> {
    return transact(this.db, async (tx): Promise<ConflictOutcome> => {
      const { matchId, decision, by, why } = said;
      const conflicts = await tx.$queryRaw<Conflict[]>`
        SELECT id, decision, body, digest, reported_by AS "reportedBy" FROM result_conflict WHERE match_id = ${matchId}
        ORDER BY id FOR UPDATE`;
      if (conflicts.length === 0) return { outcome: 'unknown' };
      const inForce =
        strengths.findLast((each) => conflicts.some((conflict) => conflict.decision === each)) ?? null;
      if (inForce !== null && strengths.indexOf(inForce) >= strengths.indexOf(decision))
        return { outcome: 'decided', decision: inForce };
      if (decision !== 'kept') {
        const refused =
          decision === 'other'
            ? await countOther(tx, said, conflicts, ids, now)
            : await voidAll(tx, said, inForce, ids, now);
        if (refused) return refused;
      }
      await tx.$executeRaw`
        UPDATE result_conflict SET decision = ${decision}, decided_at = ${new Date(now)}, decided_by = ${by}, decided_why = ${why}
        WHERE match_id = ${matchId}`;
      return { outcome: 'decided', decision };
    });
  }
}

/** Voids the match, and the one that counted instead of it. */
async function voidAll(
  tx: Sql,
  { matchId, by, why: reason }: DecidedConflict,
  inForce: ConflictDecision | null,
  { countsAs, rebuildIds: [first, second] }: ConflictIds,
  now: number,
): Promise<ConflictOutcome | null> {
  const result = await voidMatch(tx, matchId, { by, reason, penalties: 'drop', rebuildId: first }, now);
  if (isRefused(result)) return { outcome: 'refused', result };
  if (inForce === 'other')
    await voidMatch(tx, countsAs, { by, reason, penalties: 'drop', rebuildId: second }, now);
  return null;
}

/** Voids the match, and rates what the other report says as a match of its own, at the time when it was played. */
async function countOther(
  tx: Sql,
  { matchId, conflictId, by, why: reason }: DecidedConflict,
  conflicts: readonly Conflict[],
  { countsAs, rebuildIds: [rebuildId] }: ConflictIds,
  now: number,
): Promise<ConflictOutcome | null> {
  const chosen = conflicts.filter(({ id }) => conflictId === undefined || id === conflictId);
  const [report] = chosen;
  if (!report || chosen.length > 1) return { outcome: 'which', conflictIds: conflicts.map(({ id }) => id) };
  const match = await holdMatch(tx, matchId);
  const result = await voidMatch(tx, matchId, { by, reason, penalties: 'keep', rebuildId }, now);
  if (!match || isRefused(result)) return { outcome: 'refused', result };
  const { ranks, teams } = readOtherResult(report.body, match.ranks.length);
  const fits = teams ? teams.length === ranks.length : ranks.length === match.ranks.length;
  if (!fits)
    throw new ResultInvalid(`The other report has ranks of ${ranks.length} teams; the match had others.`);
  const event = eventOf(matchId, { ...match, ranks }, now);
  // Who was there, and for how long, is as in the report that counted; its scores belong to its ranks.
  const { scores: _scores, ...played } = event.played ?? {};
  const other: ReportedMatch = {
    matchId: countsAs,
    externalId: `${matchId} other`,
    pool: match.pool,
    playedAt: event.at,
    teams: teams ?? event.teams,
    ranks: teams ? ranks : event.ranks,
    played,
    digest: report.digest,
    reportedBy: report.reportedBy,
  };
  await rateReported(tx, match.pool, [{ match: other, now }]);
  return null;
}

const isRefused = ({ outcome }: VoidResult): boolean => outcome === 'unknown' || outcome === 'not-over';
