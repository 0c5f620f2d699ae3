import type { Db } from '@muster/db';
import {
  grouped,
  type AskedTicket,
  type JudgedTicket,
  type LivePage,
  type LiveTicket,
  type TicketAttributes,
} from '@muster/domain';

interface LiveRow {
  readonly matchId: string;
  readonly ticketId: string | null;
  readonly queue: string | null;
  readonly build: string | null;
  readonly state: string;
  readonly playerId: string;
  readonly team: number;
  readonly mu: number;
  readonly sigma: number;
  readonly enqueuedAt: number;
  readonly isHeld: boolean;
  readonly sessionId: string | null;
  readonly serverId: string | null;
  readonly region: string | null;
  readonly host: string | null;
  readonly port: number | null;
  /** Of the leader alone. */
  readonly attributes: TicketAttributes | null;
}

/** The players of running matches in one page. A message of this many and a match more is under a megabyte. */
const playersAtOnce = 2_000;

/** Clocks of two stores: a match may seem to have been formed this much before its tickets, in milliseconds. */
const skewMs = 60_000;

/** The tickets of matches as Postgres knows them, for a queue whose store lost them. */
export class PostgresLiveTickets {
  constructor(private readonly db: Db) {}

  /** See `AssignmentClient.liveTickets` of the queue. */
  async page(after: string, limit: number, formedSince: number): Promise<LivePage> {
    const matchIds = await (formedSince !== 0
      ? this.recentMatches(after, limit, formedSince)
      : this.liveMatches(after, limit));
    const rows = await this.db.$sql.$queryRaw<LiveRow[]>`
      SELECT page.match_id AS "matchId", p.ticket_id AS "ticketId", m.queue, m.build, m.state, p.player_id AS "playerId", p.team, p.mu, p.sigma, p.attributes,
        (extract(epoch FROM coalesce(p.joined_at, p.formed_at)) * 1000)::float8 - coalesce(p.waited_ms, 0) AS "enqueuedAt",
        l.player_id IS NOT NULL AS "isHeld", m.session_id AS "sessionId", m.server_id AS "serverId", m.region, s.host, s.port
      FROM unnest(${matchIds}::text[]) AS page (match_id) JOIN match m ON m.id = page.match_id JOIN match_player p ON p.match_id = page.match_id
      LEFT JOIN live_player l ON l.player_id = p.player_id AND l.match_id = page.match_id
      LEFT JOIN session s ON s.id = m.session_id
      ORDER BY page.match_id, p.ticket_id, p.player_id`;
    return { tickets: ticketsIn(rows), last: matchIds.at(-1) ?? null };
  }

  private async liveMatches(after: string, limit: number): Promise<string[]> {
    const rows = await this.db.$sql.$queryRaw<{ id: string }[]>`
      SELECT DISTINCT match_id AS id FROM (
        SELECT match_id FROM live_player WHERE match_id > ${after} ORDER BY match_id LIMIT ${playersAtOnce}
      ) AS live ORDER BY match_id LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  }

  private async recentMatches(after: string, limit: number, formedSince: number): Promise<string[]> {
    const rows = await this.db.$sql.$queryRaw<{ id: string }[]>`
      WITH recent AS MATERIALIZED (
        SELECT id FROM match WHERE state IN ('formed', 'placed', 'ended') AND formed_at >= ${new Date(formedSince)} AND id > ${after}
      )
      SELECT DISTINCT id FROM (
        SELECT id FROM recent JOIN live_player ON match_id = id ORDER BY id LIMIT ${playersAtOnce}
      ) AS live ORDER BY id LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  }

  /** The last match of each ticket. Tickets that were in none are missing. */
  judge(tickets: readonly AskedTicket[]): Promise<JudgedTicket[]> {
    const asked = tickets.map(({ ticketId, playerId, enqueuedAt }) => ({
      ticket_id: ticketId,
      player_id: playerId,
      since: new Date(enqueuedAt - skewMs),
    }));
    return this.db.$sql.$queryRaw<JudgedTicket[]>`
      SELECT DISTINCT ON (asked.ticket_id) asked.ticket_id AS "ticketId", m.id AS "matchId", m.state,
        (extract(epoch FROM m.closed_at) * 1000)::float8 AS "closedAt"
      FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS asked (ticket_id text, player_id text, since timestamptz)
      JOIN match_player p ON p.player_id = asked.player_id AND p.formed_at >= asked.since AND p.ticket_id = asked.ticket_id
      JOIN match m ON m.id = p.match_id
      ORDER BY asked.ticket_id, p.formed_at DESC`;
  }
}

function ticketsIn(rows: readonly LiveRow[]): LiveTicket[] {
  const tickets = grouped(rows, ({ matchId, ticketId }) => JSON.stringify([matchId, ticketId]));
  return [...tickets.values()].flatMap((players): LiveTicket[] => {
    const [row] = players;
    if (!row || row.ticketId === null || !players.some(({ isHeld }) => isHeld)) return [];
    return [
      {
        ticketId: row.ticketId,
        matchId: row.matchId,
        queue: row.queue ?? '',
        build: row.build ?? '',
        enqueuedAt: row.enqueuedAt,
        players: players.map(({ playerId, mu, sigma, isHeld }) => ({ playerId, mu, sigma, isHeld })),
        assignment: assignmentOf(row),
        attributes: players.find(({ attributes }) => attributes)?.attributes ?? null,
      },
    ];
  });
}

function assignmentOf(row: LiveRow): LiveTicket['assignment'] {
  const { state, matchId, sessionId, serverId, region, host, port, team } = row;
  const hasServer = state !== 'formed' && sessionId !== null && serverId !== null && region !== null;
  return hasServer && host !== null && port !== null
    ? { matchId, sessionId, serverId, region, host, port, team }
    : null;
}
