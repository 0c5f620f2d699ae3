import type {
  FillResult,
  FormedMatch,
  FormResult,
  MatchStore,
  ProposalVerdict,
  SeatFill,
} from '@muster/domain';
import { jobQueues } from '@muster/contracts';
import type { Db } from './client.js';
import { fillSeat, PlayersBusy, SeatsGone } from './fill-seat.js';
import { newsOf, outboxJson, promise } from './outbox.js';
import { atomically, type Tx } from './transaction.js';

const owner = 'assignment';

/** Undoes a transaction whose players turned out to be busy. */
class Busy extends Error {
  constructor(readonly playerIds: string[]) {
    super('players are in another live match');
  }
}

export class PostgresMatchStore implements MatchStore {
  constructor(private readonly db: Db) {}

  async form(match: FormedMatch): Promise<FormResult> {
    for (;;) {
      try {
        return await atomically(this.db, (tx) => this.formIn(tx, match));
      } catch (error) {
        if (!(error instanceof Busy)) throw error;
        // Nobody to name: whoever was in the way came free between the attempt and the question by whom.
        if (error.playerIds.length > 0) return { outcome: 'busy', playerIds: error.playerIds };
      }
    }
  }

  private async formIn(tx: Tx, match: FormedMatch): Promise<FormResult> {
    const { matchId } = match;
    const verdict = await decide(tx, matchId, 'formed', null, []);
    if (verdict) return { outcome: 'decided', verdict: verdict.verdict };
    const players = match.players.map(({ playerId, team, ticketId, mu, sigma, waitedMs, role = null }) => ({
      player_id: playerId,
      team,
      ticket_id: ticketId,
      mu,
      sigma,
      waited_ms: waitedMs,
      role,
    }));
    const ticketIds = [...new Set(match.players.flatMap((p) => (p.ticketId === null ? [] : [p.ticketId])))];
    const reason = 'Your teams are made; a server is being found.';
    const promised = [
      { queue: jobQueues.placeMatch, jobId: `place-${matchId}`, payload: { matchId } },
      ...newsOf({ kind: 'formed', matchId, ticketIds, reason }),
    ];
    // One statement. Players are held in the order of their ids, so that two matches which share some wait for one another
    // instead of locking up.
    const held = await tx.$queryRaw<{ player_id: string }[]>`
      WITH players AS (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(players)}::jsonb)
          AS row(player_id text, team int, ticket_id text, mu float8, sigma float8, waited_ms int, role text)
      ), formed AS (
        INSERT INTO match (id, origin, state, pool, queue, build, regions, rules, split, why, prediction, ranks, map, bots, proposed_at, formed_at)
        VALUES (${matchId}, 'queue', 'formed', ${match.pool}, ${match.queue}, ${match.build}, ${[...match.regions]}::text[],
          ${JSON.stringify(match.rules)}::jsonb, ${JSON.stringify(match.split)}::jsonb, ${[...match.why]}::text[],
          ${[...match.prediction]}::float8[], '{}', ${match.map}, ${[...match.bots]}::int[], ${new Date(match.proposedAt)}, ${new Date(match.formedAt)})
        RETURNING id
      ), rosters AS (
        INSERT INTO match_player (match_id, player_id, team, ticket_id, mu, sigma, waited_ms, role)
        SELECT formed.id, player_id, team, ticket_id, mu, sigma, waited_ms, role FROM formed, players
      ), promised AS (
        INSERT INTO outbox (owner, queue, job_id, payload)
        SELECT ${owner}, row.queue, row.job_id, row.payload
        FROM jsonb_to_recordset(${outboxJson(promised)}::jsonb) AS row(queue text, job_id text, payload jsonb)
      )
      INSERT INTO live_player (player_id, match_id)
      SELECT player_id, formed.id FROM formed, players ORDER BY player_id
      ON CONFLICT DO NOTHING RETURNING player_id`;
    if (held.length < players.length) {
      const ids = players.map((player) => player.player_id);
      const others = await tx.livePlayer.findMany({ where: { playerId: { in: ids }, NOT: { matchId } } });
      throw new Busy(others.map((other) => other.playerId));
    }
    return { outcome: 'formed' };
  }

  async seat(seat: SeatFill, now: number): Promise<FillResult> {
    for (;;) {
      try {
        return await atomically(this.db, async (tx): Promise<FillResult> => {
          const verdict = await decide(tx, seat.proposalId, 'formed', null, []);
          if (verdict) return { outcome: 'decided', verdict: verdict.verdict };
          await fillSeat(tx, seat, now);
          return { outcome: 'filled' };
        });
      } catch (error) {
        if (error instanceof SeatsGone) return { outcome: 'gone' };
        if (!(error instanceof PlayersBusy)) throw error;
        // Nobody to name: see `form`.
        if (error.playerIds.length > 0) return { outcome: 'busy', playerIds: error.playerIds };
      }
    }
  }

  refuse(
    matchId: string,
    reason: string,
    failedTicketIds: readonly string[],
    ticketIds: readonly string[],
  ): Promise<ProposalVerdict> {
    return atomically(this.db, async (tx) => {
      const earlier = await decide(tx, matchId, 'refused', reason, failedTicketIds);
      if (earlier) return earlier;
      const failed = [...failedTicketIds];
      await promise(
        tx,
        owner,
        newsOf({ kind: 'refused', matchId, ticketIds: [...ticketIds], failedTicketIds: failed, reason }),
      );
      return { verdict: 'refused', reason, failedTicketIds: failed };
    });
  }

  settle(matchId: string, reason: string): Promise<ProposalVerdict> {
    return atomically(this.db, async (tx) => {
      const earlier = await decide(tx, matchId, 'refused', reason, []);
      return earlier ?? { verdict: 'refused', reason, failedTicketIds: [] };
    });
  }

  async formedBefore(time: number, limit: number): Promise<string[]> {
    const matches = await this.db.match.findMany({
      where: { state: 'formed', formedAt: { lt: new Date(time) }, placement: null },
      select: { id: true },
      orderBy: { formedAt: 'asc' },
      take: limit,
    });
    return matches.map((match) => match.id);
  }
}

/** Whoever inserts first decides. @returns the earlier verdict, or null when this call decided */
async function decide(
  tx: Tx,
  matchId: string,
  outcome: 'formed' | 'refused',
  reason: string | null,
  failedTicketIds: readonly string[],
): Promise<ProposalVerdict | null> {
  const count = await tx.$executeRaw`
    INSERT INTO proposal_verdict (match_id, outcome, reason, failed_ticket_ids)
    VALUES (${matchId}, ${outcome}, ${reason}, ${[...failedTicketIds]}::text[]) ON CONFLICT DO NOTHING`;
  if (count === 1) return null;
  const row = await tx.proposalVerdict.findUniqueOrThrow({ where: { matchId } });
  return {
    verdict: row.outcome === 'formed' ? 'formed' : 'refused',
    reason: row.reason,
    failedTicketIds: row.failedTicketIds,
  };
}
