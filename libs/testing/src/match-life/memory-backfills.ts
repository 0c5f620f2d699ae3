import {
  backfillFor,
  decideBackfill,
  decideOverdue,
  decideSeatOrder,
  decideSeatWithdrawal,
  decideWithdrawal,
  type BackfillFacts,
  type BackfillFound,
  type BackfillRequest,
  type BackfillResult,
  type BackfillStore,
  type HostedBackfill,
  type SeatCommand,
  type SeatFill,
  type SeatingFacts,
  type SeatOrder,
  type ServerIdentity,
  type TakenSeat,
} from '@muster/domain';
import type { CommandRow, MemoryRows, ServerRow, SessionRow } from './memory-rows.js';
import type { MatchLifeView } from './stores.js';

/** Backfills in memory: the same decisions as in Postgres, applied to objects one call at a time. */
export class MemoryBackfills implements BackfillStore {
  private readonly sentAt = new Map<CommandRow, number>();

  constructor(private readonly rows: MemoryRows) {}

  async request(
    sessionId: string,
    server: ServerIdentity,
    request: BackfillRequest,
    now: number,
  ): Promise<BackfillResult> {
    const session = this.rows.sessions.get(sessionId);
    const asking = session && {
      session,
      known: this.facts(request.backfillId),
      match: this.rows.fillable(session.matchId),
      offered: [...this.rows.backfills.values()]
        .filter((each) => each.sessionId === sessionId && each.team === request.team && each.state === 'open')
        .reduce((sum, { seatsLeft }) => sum + seatsLeft, 0),
    };
    return this.rows.carryOut(decideBackfill(asking ?? null, server, request, now));
  }

  async find(sessionId: string, backfillId: string, serverId: string): Promise<BackfillFound> {
    return backfillFor(this.hosted(sessionId, backfillId), serverId);
  }

  async withdraw(
    sessionId: string,
    backfillId: string,
    serverId: string,
    now: number,
  ): Promise<BackfillFound> {
    return this.rows.carryOut(decideWithdrawal(this.hosted(sessionId, backfillId), serverId, now));
  }

  async endOverdue(now: number, limit: number): Promise<string[]> {
    const ended: string[] = [];
    for (const backfill of this.rows.backfills.values()) {
      if (ended.length === limit) break;
      const sessionLive = this.isLive(backfill.sessionId);
      const { queue } = this.rows.match(backfill.matchId).formed;
      if (this.rows.carryOut(decideOverdue({ backfill, sessionLive, queue }, now)))
        ended.push(backfill.backfillId);
    }
    return ended;
  }

  async withdrawSeats(sentBefore: number, limit: number): Promise<string[]> {
    return this.rows.commands
      .filter(
        (each) =>
          each.kind === 'add-players' &&
          each.state === 'pending' &&
          (this.sentAt.get(each) ?? Infinity) <= sentBefore,
      )
      .slice(0, limit)
      .flatMap((command) => {
        const session = this.rows.sessions.get(command.sessionId);
        const server = this.rows.servers.get(command.serverId);
        const seats = session && server ? this.seatCommand(command, session, server) : null;
        return this.rows.carryOut(decideSeatWithdrawal(seats)) && seats ? [seats.order.proposalId] : [];
      });
  }

  async seatFilled(taken: TakenSeat, now: number): Promise<string | null> {
    const backfill = this.facts(taken.backfillId);
    const session = backfill && this.rows.sessions.get(backfill.sessionId);
    const facts =
      backfill && session
        ? {
            session,
            backfill,
            match: this.rows.fillable(backfill.matchId),
            ordered: this.rows.commands.some(
              ({ payload }) => 'proposalId' in payload && payload.proposalId === taken.proposalId,
            ),
          }
        : null;
    const serverId = this.rows.carryOut(decideSeatOrder(facts, taken, now));
    const command = this.rows.commands.at(-1);
    if (serverId !== null && command) this.sentAt.set(command, now);
    return serverId;
  }

  /** What stands in the way of a ticket that is to take seats. */
  seating({ proposalId, backfillId, matchId, players }: SeatFill): SeatingFacts {
    const { verdicts, livePlayers, matches } = this.rows;
    const backfill = this.facts(backfillId);
    const ids = players.map(({ playerId }) => playerId);
    const elsewhere = ids.filter((id) => (livePlayers.get(id) ?? matchId) !== matchId);
    const before = ids.filter((id) => matches.get(matchId)?.players.some(({ playerId }) => playerId === id));
    return {
      verdict: verdicts.get(proposalId) ?? null,
      backfill,
      sessionLive: backfill !== null && this.isLive(backfill.sessionId),
      busy: [...new Set([...elsewhere, ...before])],
    };
  }

  /** An unanswered command to let players in; null: it is answered. */
  seatCommand(command: CommandRow, session: SessionRow, server: ServerRow): SeatCommand | null {
    if (command.state !== 'pending') return null;
    const { serverId, seq, payload } = command;
    const { sessionId, matchId, state } = session;
    return {
      serverId,
      seq,
      // Written by `decideSeatOrder`.
      order: payload as SeatOrder,
      sessionId,
      matchId,
      sessionLive: state === 'live',
      region: server.region,
      host: session.host ?? server.host,
      port: session.port ?? server.port,
    };
  }

  view(): Pick<MatchLifeView, 'players' | 'backfills'> {
    const { matches, backfills } = this.rows;
    return {
      players: [...matches].flatMap(([matchId, { players }]) =>
        players.map(({ playerId, team, ticketId, leftAt }) => ({
          matchId,
          playerId,
          team,
          ticketId,
          left: leftAt !== null,
        })),
      ),
      backfills: [...backfills.values()].map(({ backfillId, matchId, team, state, seatsLeft }) => ({
        backfillId,
        matchId,
        team,
        state,
        seatsLeft,
      })),
    };
  }

  private facts(backfillId: string): BackfillFacts | null {
    const row = this.rows.backfills.get(backfillId);
    if (!row) return null;
    const players = this.rows.fillable(row.matchId).players.filter((each) => each.backfillId === backfillId);
    return { ...row, playerIds: players.map(({ playerId }) => playerId) };
  }

  private hosted(sessionId: string, backfillId: string): HostedBackfill | null {
    const backfill = this.facts(backfillId);
    const session = this.rows.sessions.get(sessionId);
    if (backfill?.sessionId !== sessionId || !session) return null;
    const { formed, blame } = this.rows.match(backfill.matchId);
    return { backfill, serverId: session.serverId, queue: formed.queue, blame };
  }

  private isLive(sessionId: string): boolean {
    return this.rows.sessions.get(sessionId)?.state === 'live';
  }
}
