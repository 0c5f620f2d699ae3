import { matchUpdateJobs, readReason, writeReason } from '@muster/contracts';
import { type Db, enqueueAfterCommit, mayBeItemsFault, processTime, type Sql, transact } from '@muster/db';
import { Batcher, Pace } from '@muster/domain';
import type {
  FillResult,
  FormedMatch,
  FormResult,
  ProposalVerdict,
  Explanation,
  SeatFill,
} from '@muster/domain';
import { fillSeat, PlayersBusy, SeatsGone } from './fill-seat.store.js';
import { formMatches, PlayersHeld } from './form-matches.store.js';

const owner = 'assignment';

/** Matches formed in one transaction. */
const formedAtOnce = 32;
/** The minimum time between two such transactions, in milliseconds. */
const formingMs = 25;

/** Formed matches, and verdicts on proposals. Each method is one transaction with its outbox entries. */
export class PostgresMatchStore {
  private readonly pace = new Pace(formingMs, processTime);
  private readonly formed = new Batcher<FormedMatch, FormResult>(
    formedAtOnce,
    this.pace.counting((matches) => transact(this.db, (tx) => formMatches(tx, matches))),
    (error) => error instanceof PlayersHeld || mayBeItemsFault(error),
    this.pace.next,
  );

  constructor(private readonly db: Db) {}

  /** Stores the match, holds its players and enqueues its placement; or refuses, and then nothing is stored. */
  async form(match: FormedMatch): Promise<FormResult> {
    for (;;) {
      try {
        return await this.formed.submit('', match);
      } catch (error) {
        if (!(error instanceof PlayersHeld)) throw error;
        // No names: the blocking players were released between the attempt and the query.
        if (error.playerIds.length > 0) return { outcome: 'busy', playerIds: error.playerIds };
      }
    }
  }

  /** Seats a ticket in a running match and enqueues the message to its server; or nothing is stored. */
  async seat(seat: SeatFill, now: number): Promise<FillResult> {
    for (;;) {
      try {
        return await transact(this.db, async (tx): Promise<FillResult> => {
          const verdict = await decide(tx, seat.proposalId, 'formed', null, []);
          if (verdict) return { outcome: 'decided', verdict: verdict.verdict };
          await fillSeat(tx, seat, now);
          return { outcome: 'filled' };
        });
      } catch (error) {
        if (error instanceof SeatsGone) return { outcome: 'gone' };
        if (!(error instanceof PlayersBusy)) throw error;
        // No names: see `form`.
        if (error.playerIds.length > 0) return { outcome: 'busy', playerIds: error.playerIds };
      }
    }
  }

  /**
   * Refuses a proposal for good, and enqueues the update of its tickets.
   *
   * @param stale the ratings in its tickets are to be read again
   * @returns the verdict in force, which may be `formed`
   */
  refuse(
    matchId: string,
    reason: Explanation,
    failedTicketIds: readonly string[],
    ticketIds: readonly string[],
    stale = false,
  ): Promise<ProposalVerdict> {
    return transact(this.db, async (tx) => {
      const earlier = await decide(tx, matchId, 'refused', reason, failedTicketIds);
      if (earlier) return earlier;
      const failed = [...failedTicketIds];
      await enqueueAfterCommit(
        tx,
        owner,
        matchUpdateJobs({
          kind: 'refused',
          matchId,
          ticketIds: [...ticketIds],
          failedTicketIds: failed,
          ...(stale ? { stale } : {}),
          ...writeReason(reason),
        }),
      );
      return { verdict: 'refused', reason, failedTicketIds: failed };
    });
  }

  /** The verdict on a proposal; an undecided one is refused by this call, so that the answer is final. */
  settle(matchId: string, reason: Explanation): Promise<ProposalVerdict> {
    return transact(this.db, async (tx) => {
      const earlier = await decide(tx, matchId, 'refused', reason, []);
      return earlier ?? { verdict: 'refused', reason, failedTicketIds: [] };
    });
  }

  /** Whether there is a verdict on a proposal. */
  async isDecided(matchId: string): Promise<boolean> {
    const rows = await this.db.$sql.$queryRaw<object[]>`
      SELECT 1 FROM proposal_verdict WHERE match_id = ${matchId}`;
    return rows.length > 0;
  }

  /** Deletes a batch of verdicts older than a time. @returns whether there may be more */
  async deleteVerdicts(before: number, limit: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM proposal_verdict WHERE match_id = ANY(ARRAY(
        SELECT match_id FROM proposal_verdict WHERE decided_at < ${new Date(before)} ORDER BY decided_at LIMIT ${limit}
        FOR UPDATE SKIP LOCKED))`;
    return count >= limit;
  }

  /** Formed matches older than this, for a reconciler that enqueues their placement again. */
  async formedBefore(time: number, limit: number): Promise<{ matchId: string; trace?: string }[]> {
    const matches = await this.db.$sql.$queryRaw<{ id: string; trace: string | null }[]>`
      SELECT id, trace FROM match WHERE state = 'formed' AND formed_at < ${new Date(time)}
        AND NOT EXISTS (SELECT 1 FROM placement WHERE placement.match_id = match.id)
      ORDER BY formed_at LIMIT ${limit}`;
    return matches.map(({ id: matchId, trace }) => ({ matchId, ...(trace === null ? {} : { trace }) }));
  }
}

interface VerdictRow {
  outcome: string;
  reason: string | null;
  messages: unknown;
  failed_ticket_ids: string[];
}

/** The first insert decides. @returns the earlier verdict, or null when this call decided */
async function decide(
  tx: Sql,
  matchId: string,
  outcome: 'formed' | 'refused',
  explanation: Explanation | null,
  failedTicketIds: readonly string[],
): Promise<ProposalVerdict | null> {
  const { reason, messages } = explanation === null ? { reason: null } : writeReason(explanation);
  const count = await tx.$executeRaw`
    INSERT INTO proposal_verdict (match_id, outcome, reason, messages, failed_ticket_ids)
    VALUES (${matchId}, ${outcome}, ${reason}, ${messages ? JSON.stringify(messages) : null}::jsonb, ${[...failedTicketIds]}::text[])
    ON CONFLICT DO NOTHING`;
  if (count === 1) return null;
  const [row] = await tx.$queryRaw<VerdictRow[]>`
    SELECT outcome, reason, messages, failed_ticket_ids FROM proposal_verdict WHERE match_id = ${matchId}`;
  if (!row) throw new Error(`the verdict of match ${matchId} is neither new nor there`);
  return {
    verdict: row.outcome === 'formed' ? 'formed' : 'refused',
    reason: row.reason === null ? null : readReason({ reason: row.reason, messages: row.messages }),
    failedTicketIds: row.failed_ticket_ids,
  };
}
