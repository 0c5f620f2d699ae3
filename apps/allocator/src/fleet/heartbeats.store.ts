import type { Db } from '@muster/db';
import {
  type Heartbeat,
  type ServerIdentity,
  type ServerStanding,
  type ServerState,
  tickLoadOf,
} from '@muster/domain';
import { beatTimes, heardBy, heardSince } from '../watch/hearing.store.js';

/** The number of heartbeats that one statement records. */
export const recordedAtOnce = 500;

/** How long a batch waits for further heartbeats while many arrive, in milliseconds. */
const gatherMs = 25;

/** Waits for further heartbeats if the batch before had several: a heartbeat alone is recorded immediately. */
export class HeartbeatGathering {
  private manyArrive = false;

  seen(count: number): void {
    this.manyArrive = count > 1;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      if (this.manyArrive) setTimeout(resolve, gatherMs);
      else setImmediate(resolve);
    });
  }
}

/** A heartbeat to record. */
export interface Beat {
  readonly server: ServerIdentity;
  readonly request: Heartbeat;
  /** Live sessions that heartbeats have omitted since before this time are lost. */
  readonly forgottenBefore: number;
  readonly now: number;
}

/** The slots in use of a server, and whether a live session is newly named or newly omitted. */
interface InUse {
  readonly used: number;
  readonly changed: boolean;
}

interface Recorded extends InUse {
  readonly id: string;
  readonly state: ServerState;
}

interface Found {
  readonly written: Readonly<Record<string, ServerState>>;
  readonly open: Readonly<Record<string, InUse>>;
}

/**
 * Records heartbeats of many servers in one statement, which waits for no lock.
 *
 * @returns for each the standing of its server, or `alone` when it has to be recorded by itself (`heartbeat`): its server
 * is held by another caller, has no such registration or sent another heartbeat of the batch, or the heartbeat newly
 * names or omits a live session
 */
export async function heartbeats(
  db: Db,
  replicaId: string | null,
  beats: readonly Beat[],
): Promise<(ServerStanding | 'alone')[]> {
  const first = new Map(beats.toReversed().map((beat) => [beat.server.serverId, beat]));
  const standings = new Map<Beat, ServerStanding>();
  for (const { id, state, used, changed } of beats.length > 1
    ? await record(db, replicaId, [...first.values()])
    : []) {
    const beat = first.get(id);
    if (beat && !changed) standings.set(beat, { state, slotsInUse: used });
  }
  return beats.map((beat) => standings.get(beat) ?? 'alone');
}

/** @returns the recorded ones */
async function record(db: Db, replicaId: string | null, beats: readonly Beat[]): Promise<Recorded[]> {
  const ids = beats.map(({ server }) => server.serverId);
  const rows = beats.map(({ server, request, forgottenBefore, now }) => ({
    id: server.serverId,
    incarnation: server.incarnation,
    cpu_load: request.cpuLoad,
    tick_load: tickLoadOf(request),
    is_over: request.load === 'over',
    keeps: request.load === 'between',
    at: new Date(now),
    before: new Date(forgottenBefore),
    named: request.sessions ?? null,
  }));
  // Servers and sessions are joined here: the planner expects few of them and would compare each with each.
  const [found] = await db.$sql.$queryRaw<Found[]>`
    WITH beat AS (
      SELECT id, incarnation, cpu_load, tick_load, is_over, keeps, at, before, named FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS row(id text, incarnation int, cpu_load float8, tick_load float8, is_over bool, keeps bool, at timestamptz, before timestamptz, named text[])
    ), held AS (
      SELECT id FROM server WHERE id = ANY(${ids}::text[]) FOR NO KEY UPDATE SKIP LOCKED
    ), written AS (
      UPDATE server SET cpu_load = beat.cpu_load, tick_load = beat.tick_load,
        overloaded = beat.is_over OR (overloaded AND beat.keeps), heartbeat_at = CASE
        WHEN heartbeat_at > beat.at + interval '1 minute' THEN beat.at ELSE greatest(heartbeat_at, beat.at) END,
        heard_by = ${heardBy(replicaId, ...beatTimes)}, heard_since = ${heardSince(...beatTimes)}
      FROM beat
      WHERE server.id = ANY(ARRAY(SELECT held.id FROM held)) AND server.id = beat.id
        AND server.incarnation = beat.incarnation AND server.state IN ('ready', 'draining')
      RETURNING server.id, server.state
    ), named AS (
      SELECT beat.id AS server_id, each.id AS session_id FROM beat CROSS JOIN unnest(beat.named) AS each (id)
    ), open AS (
      SELECT session.server_id, count(*)::int AS used, bool_or(session.state = 'live' AND beat.named IS NOT NULL AND (
        (live_at < beat.before AND (omitted_at IS NULL) = (named.session_id IS NULL))
        OR (omitted_at < beat.before AND named.session_id IS NULL))) AS changed
      FROM session JOIN beat ON beat.id = session.server_id
      LEFT JOIN named ON named.server_id = session.server_id AND named.session_id = session.id
      WHERE session.server_id = ANY(${ids}::text[]) AND session.state IN ('reserved', 'live')
      GROUP BY session.server_id
    )
    SELECT (SELECT coalesce(jsonb_object_agg(written.id, written.state), '{}') FROM written) AS written,
      (SELECT coalesce(jsonb_object_agg(open.server_id, jsonb_build_object('used', open.used, 'changed', open.changed)), '{}')
        FROM open) AS open`;
  const inUse = new Map(Object.entries(found?.open ?? {}));
  return Object.entries(found?.written ?? {}).map(([id, state]) => ({
    id,
    state,
    ...(inUse.get(id) ?? { used: 0, changed: false }),
  }));
}
