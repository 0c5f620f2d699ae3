import type { ServerView, SomeServers } from '@muster/contracts';
import { type Db, mayBeItemsFault, type Sql, transact, sqlPart } from '@muster/db';
import {
  Batcher,
  doubts,
  type DrainedBy,
  type Heartbeat,
  message,
  type ServerIdTaken,
  serverIdTaken,
  type ServerIdentity,
  type ServerRegistration,
  type ServerStanding,
  type ServerState,
  type SessionState,
  tickLoadOf,
} from '@muster/domain';
import { holdKey, type Registrar } from '../enrolment/fleet-keys.store.js';
import { superseded } from '../commands/commands.js';
import { loseSession } from '../match-life/end-session.store.js';
import { claimAllocation, endAllocation, leftGraceMs } from '../hosting/claims.store.js';
import { heardBy, heardSince } from '../watch/hearing.store.js';
import { type Beat, HeartbeatGathering, heartbeats, recordedAtOnce } from './heartbeats.store.js';
import { firstIncarnation } from './retention.store.js';

interface Recorded {
  state: ServerState;
  used: bigint;
  /** Live sessions that the heartbeats have omitted for longer than the limit. */
  forgotten: string[] | null;
  /** Whether a live session is newly named or newly omitted. */
  changed: boolean;
}

/** A server as its row says it. */
type KnownServer = Omit<ServerView, 'silent'>;

/** The servers. Each method is one transaction, with its outbox entries. */
export class PostgresFleetStore {
  private readonly gathering = new HeartbeatGathering();
  private readonly beats = new Batcher<Beat, ServerStanding | 'alone'>(
    recordedAtOnce,
    (beats) => {
      this.gathering.seen(beats.length);
      return heartbeats(this.db, this.replicaId, beats);
    },
    mayBeItemsFault,
    () => this.gathering.wait(),
  );

  /** @param replicaId the allocator, by which heartbeats are recorded */
  constructor(
    private readonly db: Db,
    private readonly replicaId: string | null = null,
  ) {}

  /**
   * Registers a server, or registers it again: then sessions that it does not resume are lost.
   *
   * @param heardAfter a server of that id at another address that was heard after this time keeps the id; absent: none does
   * @param by whose server it is; a server that is there keeps its id against those of other fleets
   * @throws ServerIdTaken, FleetRefused, FleetFull, AllocationTaken, AllocationOver
   */
  register(
    reg: ServerRegistration,
    now: number,
    heardAfter = Infinity,
    by: Registrar = { keyId: null, fleet: 'default' },
  ): Promise<{ incarnation: number; resumed: string[] }> {
    const { serverId, region, build, host, port, slots } = reg;
    const labels = JSON.stringify(reg.labels ?? {});
    const at = new Date(now);
    return transact(this.db, async (tx) => {
      if (by.keyId !== null) await holdKey(tx, by.keyId, reg, now);
      const first = await firstIncarnation(tx);
      const [server] = await tx.$queryRaw<{ incarnation: number; formerFleet: string | null }[]>`
        INSERT INTO server AS known (id, incarnation, region, build, host, port, slots, state, heartbeat_at, registered_at,
          arrived_at, heard_since, heard_by, labels, kind, key_id, fleet, doubt, proved)
        VALUES (${serverId}, ${first}, ${region}, ${build}, ${host}, ${port}, ${slots}, 'ready', ${at}, ${at}, ${at}, ${at}, ${this.replicaId},
          ${labels}::jsonb, CASE WHEN ${labels}::jsonb = '{}' THEN '' ELSE md5((${labels}::jsonb)::text) END, ${by.keyId}, ${by.fleet},
          ${doubts.unheard}, false)
        ON CONFLICT (id) DO UPDATE SET incarnation = known.incarnation + 1, region = excluded.region, build = excluded.build,
          host = excluded.host, port = excluded.port, slots = excluded.slots, labels = excluded.labels,
          key_id = excluded.key_id, fleet = excluded.fleet, proved = known.proved AND known.fleet = excluded.fleet,
          doubt = CASE WHEN known.fleet <> excluded.fleet THEN excluded.doubt WHEN known.proved THEN 0 ELSE known.doubt END,
          kind = excluded.kind, state = CASE WHEN known.drained_by_operator THEN 'draining' ELSE excluded.state END, cpu_load = 0,
          tick_load = NULL, overloaded = false, heartbeat_at = excluded.heartbeat_at, registered_at = excluded.registered_at,
          heard_since = excluded.heard_since, heard_by = excluded.heard_by,
          arrived_at = CASE WHEN known.state IN ('ready', 'draining') THEN known.arrived_at ELSE excluded.arrived_at END
        WHERE known.state NOT IN ('ready', 'draining') 
          OR (known.host = excluded.host AND known.port = excluded.port AND known.fleet = excluded.fleet)
          OR known.heartbeat_at <= ${new Date(Math.min(heardAfter, latest))}
        RETURNING incarnation, (SELECT former.fleet FROM server AS former WHERE former.id = ${serverId}) AS "formerFleet"`;
      if (!server) throw await takenBy(tx, serverId, by.fleet, now, heardAfter);
      await claimAllocation(tx, reg, now);
      const { incarnation } = server;
      const sessions = await openSessions(tx, serverId);
      const resumed = sessions.filter(
        (session) =>
          session.state === 'live' && server.formerFleet === by.fleet && reg.resume.includes(session.id),
      );
      for (const session of sessions) {
        if (resumed.includes(session)) continue;
        await loseSession(tx, session.id, message('session.restarted'), now);
      }
      const ids = resumed.map((session) => session.id);
      await tx.$executeRaw`UPDATE session SET incarnation = ${incarnation} WHERE id = ANY(${ids}::text[])`;
      return { incarnation, resumed: ids };
    });
  }

  /**
   * Records a heartbeat. A session that is live since before `forgottenBefore` and omitted from heartbeats since before
   * that time is lost.
   *
   * @returns null when the server is unknown or this incarnation is no longer in force
   */
  async heartbeat(
    server: ServerIdentity,
    request: Heartbeat,
    forgottenBefore: number,
    now: number,
  ): Promise<ServerStanding | null> {
    const beat = { server, request, forgottenBefore, now };
    const recorded = await this.beats.submit('', beat);
    return recorded === 'alone' ? this.heartbeatAlone(beat) : recorded;
  }

  /**
   * Drains a server: it takes no new sessions. Its own drain ends when it registers again, an operator's does not.
   *
   * @param by the server by default; an operator may drain a server that is lost or has left: it drains when it returns
   * @returns null when there is no such server
   */
  drain(
    serverId: string,
    by: DrainedBy = 'server',
    acting: number | null = null,
  ): Promise<ServerStanding | null> {
    return transact(this.db, async (tx) => {
      await holdActing(tx, serverId, acting);
      await tx.$executeRaw`
        UPDATE server SET state = CASE WHEN state = 'ready' THEN 'draining' ELSE state END,
          drained_by_operator = drained_by_operator OR ${by === 'operator'}
        WHERE id = ${serverId}`;
      return standing(tx, serverId);
    });
  }

  /**
   * A draining server takes new sessions again, whoever drained it. Heartbeats write no state, so neither call is undone by one
   * that was sent before.
   *
   * @returns null when there is no such server
   */
  undrain(serverId: string, acting: number | null = null): Promise<ServerStanding | null> {
    return transact(this.db, async (tx) => {
      await holdActing(tx, serverId, acting);
      await tx.$executeRaw`
        UPDATE server SET state = CASE WHEN state = 'draining' THEN 'ready' ELSE state END, drained_by_operator = false
        WHERE id = ${serverId}`;
      return standing(tx, serverId);
    });
  }

  /**
   * Drains some servers of a region or a build as an operator does, or ends that. Those that have left are left out. The next
   * servers in the order of their ids that are not so yet: a call that is repeated goes on where the one before ended.
   *
   * @returns the ids of those that were changed
   */
  drainSome({ region, build }: SomeServers, drained: boolean, limit: number): Promise<string[]> {
    const [from, to] = drained ? ['ready', 'draining'] : ['draining', 'ready'];
    return transact(this.db, async (tx) => {
      const some = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM server
        WHERE state <> 'left' AND (drained_by_operator <> ${drained} OR state = ${from})
          AND region = coalesce(${region ?? null}, region) AND build = coalesce(${build ?? null}, build)
        ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE`;
      const ids = some.map(({ id }) => id);
      await tx.$executeRaw`
        UPDATE server SET state = CASE WHEN state = ${from} THEN ${to} ELSE state END, drained_by_operator = ${drained}
        WHERE id = ANY(${ids}::text[])`;
      return ids;
    });
  }

  /**
   * Removes a server; its open sessions are lost.
   *
   * @param isRemoved whether an operator does: every service refuses its tokens from now on
   * @returns null when there is no such server
   */
  leave(
    serverId: string,
    now: number,
    isRemoved = false,
    acting: number | null = null,
  ): Promise<ServerStanding | null> {
    return transact(this.db, async (tx) => {
      await holdActing(tx, serverId, acting);
      const count = await tx.$executeRaw`
        UPDATE server SET state = 'left', incarnation = incarnation + 1 WHERE id = ${serverId} AND state <> 'left'`;
      if (isRemoved)
        await tx.$executeRaw`
          INSERT INTO revoked_server AS known (server_id, incarnation, at) SELECT id, incarnation - 1, clock_timestamp() FROM server WHERE id = ${serverId}
          ON CONFLICT (server_id) DO UPDATE SET incarnation = excluded.incarnation, at = excluded.at WHERE known.incarnation < excluded.incarnation`;
      if (count > 0) {
        for (const { id } of await openSessions(tx, serverId))
          await loseSession(tx, id, message('session.server-left'), now);
        await endAllocation(tx, serverId, now + leftGraceMs);
      }
      return standing(tx, serverId);
    });
  }

  /**
   * The builds of the servers that are ready or draining. Reads one index entry per build, independent of the number of
   * servers.
   */
  async builds(limit: number): Promise<string[]> {
    const rows = await this.db.$sql.$queryRaw<{ build: string }[]>`
      WITH RECURSIVE named (build) AS (
        (SELECT build FROM server WHERE state IN ('ready', 'draining') ORDER BY build LIMIT 1)
        UNION ALL
        SELECT (
          SELECT server.build FROM server WHERE state IN ('ready', 'draining') AND server.build > named.build
          ORDER BY server.build LIMIT 1)
        FROM named WHERE named.build IS NOT NULL)
      SELECT build FROM named WHERE build IS NOT NULL LIMIT ${limit}`;
    return rows.map(({ build }) => build);
  }

  /** A page of servers in the order of their ids. @param after the last id of the page before */
  servers(after: string, limit: number): Promise<KnownServer[]> {
    return this.db.$sql.$queryRaw<KnownServer[]>`
      SELECT id AS "serverId", region, build, fleet, host, port, slots, labels, (
        SELECT count(*)::int FROM session WHERE server_id = server.id AND session.state IN ('reserved', 'live')) AS "slotsInUse",
        state, cpu_load AS "cpuLoad", tick_load AS "tickLoad", overloaded, (extract(epoch FROM heartbeat_at) * 1000)::float8 AS "heartbeatAt"
      FROM server WHERE id > ${after} ORDER BY id LIMIT ${limit}`;
  }

  private async heartbeatAlone({
    server,
    request,
    forgottenBefore,
    now,
  }: Beat): Promise<ServerStanding | null> {
    const { serverId, incarnation } = server;
    const { cpuLoad, sessions, load = 'under' } = request;
    const at = new Date(now);
    const named = [...(sessions ?? [])];
    const before = new Date(forgottenBefore);
    const times = [sqlPart`${at}::timestamptz`, sqlPart`${before}::timestamptz`] as const;
    // Between a limit of load and the margin below it nothing changes. "Not in (select …)" is looked up in a hash; "<> ALL" of a parameter
    // compares each session with each name. A delayed call must not overwrite a later one; a timestamp written by a wrong
    // clock must not persist.
    const [beat] = await this.db.$sql.$queryRaw<Recorded[]>`
      UPDATE server SET cpu_load = ${cpuLoad}, tick_load = ${tickLoadOf(request)},
        overloaded = ${load === 'over'} OR (overloaded AND ${load === 'between'}), heartbeat_at = CASE
        WHEN heartbeat_at > ${at}::timestamptz + interval '1 minute' THEN ${at} ELSE greatest(heartbeat_at, ${at}) END,
        heard_by = ${heardBy(this.replicaId, ...times)}, heard_since = ${heardSince(...times)}
      WHERE id = ${serverId} AND incarnation = ${incarnation} AND state IN ('ready', 'draining')
      RETURNING state,
        (SELECT count(*) FROM session WHERE server_id = ${serverId} AND session.state IN ('reserved', 'live')) AS used,
        (SELECT array_agg(id) FROM session WHERE server_id = ${serverId} AND session.state = 'live'
          AND omitted_at < ${before} AND id NOT IN (SELECT unnest(${named}::text[]))) AS forgotten,
        EXISTS (SELECT 1 FROM session WHERE server_id = ${serverId} AND session.state = 'live' AND live_at < ${before}
          AND (omitted_at IS NULL) = (id NOT IN (SELECT unnest(${named}::text[])))) AS changed`;
    if (!beat) return null;
    if (sessions !== undefined) {
      // One heartbeat that omits a session proves little: it may have been sent before the session began, and delayed.
      if (beat.changed)
        await this.db.$sql.$executeRaw`
          UPDATE session SET omitted_at = CASE WHEN omitted_at IS NULL THEN ${at}::timestamptz END
          WHERE server_id = ${serverId} AND state = 'live' AND live_at < ${before}
            AND (omitted_at IS NULL) = (id NOT IN (SELECT unnest(${named}::text[])))`;
      for (const id of beat.forgotten ?? [])
        await transact(this.db, (tx) => loseSession(tx, id, message('session.forgotten'), now));
    }
    return { state: beat.state, slotsInUse: Number(beat.used) };
  }
}

/**
 * Holds a server that acts for itself by its latest registration: one that is lost may still leave, and one that has left may say so
 * again.
 *
 * @param acting its incarnation; null for an operator
 * @throws ServerSuperseded if it has registered again since
 */
async function holdActing(tx: Sql, serverId: string, acting: number | null): Promise<void> {
  if (acting === null) return;
  const [server] = await tx.$queryRaw<{ incarnation: number; state: ServerState }[]>`
    SELECT incarnation, state FROM server WHERE id = ${serverId} FOR NO KEY UPDATE`;
  if (!server) return;
  // A server that is lost or leaves is counted up, so that what it sent before is told apart.
  const isGone = server.state === 'lost' || server.state === 'left';
  const inForce = isGone ? server.incarnation - 1 : server.incarnation;
  if (inForce !== acting) throw superseded({ serverId, incarnation: acting });
}

/** The latest time of a JavaScript date. */
const latest = 8.64e15;

async function takenBy(
  tx: Sql,
  serverId: string,
  fleet: string,
  now: number,
  heardAfter: number,
): Promise<ServerIdTaken> {
  const [holder] = await tx.$queryRaw<{ fleet: string; host: string; port: number; heardAt: Date }[]>`
    SELECT fleet, host, port, heartbeat_at AS "heardAt" FROM server WHERE id = ${serverId}`;
  if (!holder) throw new Error(`server ${serverId} was not written`);
  const { heardAt, fleet: itsFleet, ...address } = holder;
  // Where the server of another fleet is, is not for this one to know.
  const shown = itsFleet === fleet ? { serverId, ...address } : { serverId };
  return serverIdTaken(shown, heardAt.getTime(), heardAfter, now);
}

function openSessions(tx: Sql, serverId: string): Promise<{ id: string; state: SessionState }[]> {
  return tx.$queryRaw`SELECT id, state FROM session WHERE server_id = ${serverId} AND state IN ('reserved', 'live')`;
}

async function standing(tx: Sql, serverId: string): Promise<ServerStanding | null> {
  const [row] = await tx.$queryRaw<ServerStanding[]>`
    SELECT state, (
      SELECT count(*)::int FROM session WHERE server_id = ${serverId} AND session.state IN ('reserved', 'live')) AS "slotsInUse"
    FROM server WHERE id = ${serverId}`;
  return row ?? null;
}
