import { PostgresMatchStore } from '../../apps/assignment/src/forming/match.store.js';
import { allocatorStores, type AllocatorStores } from './allocator-stores.js';
import type { FormedMatch, PlaceResult, ServerIdentity, ServerRegistration } from '@muster/domain';
import { aMatch, aServer, noon, timeouts } from './fixtures.js';
import { as } from '../support/database.js';
import type { Db } from '../support/prisma.js';

/** A session with a reserved slot, and the command to create it. */
export interface Held {
  readonly matchId: string;
  readonly sessionId: string;
  readonly server: ServerIdentity;
  readonly seq: number;
}

/** The stores of one database, with common set-up steps. */
export class House {
  readonly matches: PostgresMatchStore;
  readonly allocator: AllocatorStores;

  /** @param connect opens connections with the rights of a service */
  constructor(
    readonly db: Db,
    connect: typeof as = as,
  ) {
    this.matches = new PostgresMatchStore(connect('assignment', db));
    this.allocator = allocatorStores(connect('allocator', db));
  }

  async server(serverId: string, over: Partial<ServerRegistration> = {}): Promise<ServerIdentity> {
    const { incarnation } = await this.allocator.fleet.register(aServer(serverId, over), noon);
    return { serverId, incarnation };
  }

  /** Forms a match of two players, named after it, that needs a server. */
  async wants(matchId: string, over: Partial<FormedMatch> = {}): Promise<void> {
    await this.matches.form(aMatch(matchId, undefined, over));
    await this.allocator.placement.begin(matchId, noon);
  }

  place(matchId: string, now = noon): Promise<PlaceResult> {
    return this.allocator.placement.place(matchId, timeouts, now);
  }

  /** @returns the server with a slot for it, or the outcome without one */
  async placedOn(matchId: string, now = noon): Promise<string> {
    const result = await this.place(matchId, now);
    return result.outcome === 'reserved' ? result.serverId : result.outcome;
  }

  /** A new match with a reserved slot. */
  async reserved(matchId: string, over: Partial<FormedMatch> = {}): Promise<Held> {
    await this.wants(matchId, over);
    return this.reserve(matchId);
  }

  /** @throws Error unless a slot is free */
  async reserve(matchId: string, now = noon): Promise<Held> {
    const result = await this.place(matchId, now);
    if (result.outcome !== 'reserved') throw new Error(`${matchId} was not placed: ${result.outcome}`);
    const { serverId, sessionId } = result;
    const order = await this.db.command.findFirstOrThrow({ where: { sessionId, kind: 'create-session' } });
    const { incarnation } = await this.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    return { matchId, sessionId, server: { serverId, incarnation }, seq: order.seq };
  }

  /** A new running match. */
  async live(matchId: string, over: Partial<FormedMatch> = {}): Promise<Held> {
    const held = await this.reserved(matchId, over);
    await this.accept(held);
    return held;
  }

  accept({ server, seq }: Held, now = noon): ReturnType<AllocatorStores['commands']['answer']> {
    return this.allocator.commands.answer(server, seq, { status: 'done' }, now);
  }

  refuse({ server, seq }: Held, now = noon): ReturnType<AllocatorStores['commands']['answer']> {
    return this.allocator.commands.answer(server, seq, { status: 'refused', reason: 'full' }, now);
  }

  async stateOf(matchId: string): Promise<string> {
    return (await this.db.match.findUniqueOrThrow({ where: { id: matchId } })).state;
  }

  async sessionOf({
    sessionId,
  }: Held): Promise<{ state: string; incarnation: number; reason: string | null }> {
    const { state, incarnation, reason } = await this.db.session.findUniqueOrThrow({
      where: { id: sessionId },
    });
    return { state, incarnation, reason };
  }

  /** Kinds of match updates, in order. */
  async matchUpdateJobs(matchId: string): Promise<string[]> {
    const rows = await this.db.outbox.findMany({ where: { queue: 'ticket-news' }, orderBy: { id: 'asc' } });
    return rows.flatMap(({ jobId }) =>
      jobId.endsWith(`-${matchId}`) ? [jobId.slice(0, -matchId.length - 1)] : [],
    );
  }

  /** Players in live matches, who may not queue. */
  async playing(): Promise<string[]> {
    const rows = await this.db.livePlayer.findMany({ orderBy: { playerId: 'asc' } });
    return rows.map(({ playerId }) => playerId);
  }

  /** The time of the next attempt, in milliseconds from noon; null if the match is not waiting for a server. */
  async nextAttempt(matchId: string): Promise<number | null> {
    const row = await this.db.placement.findUnique({ where: { matchId } });
    return row && row.nextAttemptAt.getTime() - noon;
  }

  /** Contradictions between matches, sessions and players; empty in a consistent database. */
  async disorder(): Promise<string[]> {
    const rows = await this.db.$queryRaw<{ what: string }[]>`
      SELECT 'placed without a live session: ' || id AS what FROM match WHERE state = 'placed'
        AND NOT EXISTS (SELECT 1 FROM session WHERE match_id = match.id AND state = 'live')
      UNION ALL SELECT session.state || ' session of a match that is ' || match.state || ': ' || match.id
        FROM session JOIN match ON match.id = match_id
        WHERE (session.state, match.state) NOT IN (('live', 'placed'), ('reserved', 'formed'))
          AND session.state IN ('live', 'reserved')
      UNION ALL SELECT 'formed and nobody looks for a server: ' || id FROM match
        WHERE state = 'formed' AND NOT EXISTS (SELECT 1 FROM placement WHERE match_id = match.id)
      UNION ALL SELECT 'waits for a server and is ' || match.state || ': ' || match.id
        FROM placement JOIN match ON match.id = match_id WHERE match.state <> 'formed'
      UNION ALL SELECT 'players held by a match that is ' || match.state || ': ' || match.id
        FROM live_player JOIN match ON match.id = match_id WHERE match.state NOT IN ('formed', 'placed', 'ended')
      UNION ALL SELECT 'open session on a server that is ' || server.state || ': ' || session.id
        FROM session JOIN server ON server.id = server_id
        WHERE session.state IN ('reserved', 'live')
          AND (server.state IN ('lost', 'left') OR server.incarnation <> session.incarnation)`;
    return rows.map(({ what }) => what);
  }
}
