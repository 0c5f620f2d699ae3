import { transact, type Db, type Sql } from '@muster/db';
import {
  checkEnrolment,
  type EnrolmentCaps,
  NotAuthenticated,
  type ServerRegistration,
} from '@muster/domain';

/** A stored key, with the servers that are there and were registered with it. */
export interface FleetKeyRow extends EnrolmentCaps {
  readonly id: string;
  readonly fleet: string;
  readonly mustSign: boolean;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly servers: number;
  readonly slots: number;
}

/** A key to store. */
export interface NewFleetKey extends EnrolmentCaps {
  readonly keyId: string;
  readonly fleet: string;
  readonly mustSign: boolean;
  readonly by: string;
  readonly now: number;
  readonly expiresAt: number | null;
}

/** Who registers a server: the fleet of SERVER_KEY has no key. */
export interface Registrar {
  readonly keyId: string | null;
  readonly fleet: string;
}

/** A server is not counted beyond this many of its key: that of a cap, or what a list shows. */
const countedMost = 100_000;

/** Keys of fleets, in Postgres. */
export class PostgresFleetKeys {
  constructor(private readonly db: Db) {}

  /**
   * Stores a key.
   *
   * @param limit the number of valid keys
   * @returns null at the limit
   */
  create(key: NewFleetKey, limit: number): Promise<FleetKeyRow | null> {
    return transact(this.db, async (tx) => {
      // Keys are created one at a time, so that the limit holds.
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('enrolment_key', 0))::text`;
      const [{ valid } = { valid: 0 }] = await tx.$queryRaw<{ valid: number }[]>`
        SELECT count(*)::int AS valid FROM enrolment_key
        WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${new Date(key.now)})`;
      if (valid >= limit) return null;
      const { maxServers, maxSlots, regions, builds } = key;
      const expiresAt = key.expiresAt === null ? null : new Date(key.expiresAt);
      await tx.$executeRaw`
        INSERT INTO enrolment_key (id, fleet, max_servers, max_slots, regions, builds, must_sign, created_at, created_by, expires_at)
        VALUES (${key.keyId}, ${key.fleet}, ${maxServers}, ${maxSlots}, ${[...regions]}::text[], ${[...builds]}::text[],
          ${key.mustSign}, ${new Date(key.now)}, ${key.by}, ${expiresAt})`;
      return (await find(tx, key.keyId)) ?? null;
    });
  }

  /** All keys, newest first. Their number is limited, and ended ones are deleted. */
  list(): Promise<FleetKeyRow[]> {
    return rowsOf(this.db.$sql, null);
  }

  /** Replaces the caps of a key. @returns undefined if there is none */
  change(
    keyId: string,
    { maxServers, maxSlots, regions, builds }: EnrolmentCaps,
  ): Promise<FleetKeyRow | undefined> {
    return transact(this.db, async (tx) => {
      await tx.$executeRaw`
        UPDATE enrolment_key SET max_servers = ${maxServers}, max_slots = ${maxSlots}, regions = ${[...regions]}::text[],
          builds = ${[...builds]}::text[]
        WHERE id = ${keyId}`;
      return find(tx, keyId);
    });
  }

  /**
   * Revokes a key; one that is revoked keeps its time, and servers that were kept may be ended later.
   *
   * @returns undefined if there is none
   */
  revoke(keyId: string, endsServers: boolean, now: number): Promise<FleetKeyRow | undefined> {
    return transact(this.db, async (tx) => {
      await tx.$executeRaw`
        UPDATE enrolment_key SET revoked_at = coalesce(revoked_at, ${new Date(now)}), ends_servers = ends_servers OR ${endsServers}
        WHERE id = ${keyId} AND (revoked_at IS NULL OR (${endsServers} AND NOT ends_servers))`;
      return find(tx, keyId);
    });
  }

  /** Servers that are there although they ended with their key. */
  async endedServers(limit: number): Promise<string[]> {
    const rows = await this.db.$sql.$queryRaw<{ id: string }[]>`
      SELECT server.id FROM enrolment_key JOIN server ON server.key_id = enrolment_key.id
      WHERE enrolment_key.ends_servers AND server.state IN ('ready', 'draining') AND server.key_id IS NOT NULL LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  }

  /** Deletes keys that ended before a time and have no servers any more, and what is remembered of servers removed before another. */
  async deleteEnded(before: number, removedBefore: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      DELETE FROM enrolment_key WHERE least(revoked_at, expires_at) < ${new Date(before)} AND NOT EXISTS (
        SELECT 1 FROM server WHERE server.key_id = enrolment_key.id AND server.state IN ('ready', 'draining') AND server.key_id IS NOT NULL)`;
    await this.db.$sql.$executeRaw`DELETE FROM revoked_server WHERE at < ${new Date(removedBefore)}`;
  }
}

/**
 * Holds the key with which a server registers until the transaction ends, and checks its caps: registrations with one key wait for
 * each other, on any replica, so that their sum keeps within the caps.
 *
 * @throws NotAuthenticated for a key that was revoked meanwhile; FleetRefused, FleetFull
 */
export async function holdKey(
  tx: Sql,
  keyId: string,
  server: ServerRegistration,
  now: number,
): Promise<void> {
  const [key] = await tx.$queryRaw<(EnrolmentCaps & { isValid: boolean })[]>`
    SELECT max_servers AS "maxServers", max_slots AS "maxSlots", regions, builds,
      revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${new Date(now)}) AS "isValid"
    FROM enrolment_key WHERE id = ${keyId} FOR UPDATE`;
  if (!key?.isValid) throw new NotAuthenticated('The fleet key is unknown, revoked or expired.');
  // Each server has a slot at least, so a cap bounds what is counted.
  const most = key.maxServers ?? key.maxSlots ?? 0;
  // A statement of its own: the one that waited for the lock has a snapshot from before.
  const [others] = await tx.$queryRaw<{ servers: number; slots: number }[]>`
    SELECT count(*)::int AS servers, coalesce(sum(slots), 0)::int AS slots FROM (
      SELECT slots FROM server WHERE key_id = ${keyId} AND state IN ('ready', 'draining') AND id <> ${server.serverId} LIMIT ${most}
    ) AS counted`;
  checkEnrolment(key, others ?? { servers: 0, slots: 0 }, server);
}

async function find(sql: Sql, keyId: string): Promise<FleetKeyRow | undefined> {
  const [row] = await rowsOf(sql, keyId);
  return row;
}

function rowsOf(sql: Sql, keyId: string | null): Promise<FleetKeyRow[]> {
  return sql.$queryRaw<FleetKeyRow[]>`
    SELECT enrolment_key.id, fleet, max_servers AS "maxServers", max_slots AS "maxSlots", regions, builds, must_sign AS "mustSign",
      created_at AS "createdAt", created_by AS "createdBy", expires_at AS "expiresAt", revoked_at AS "revokedAt", counted.servers, counted.slots
    FROM enrolment_key CROSS JOIN LATERAL (
      SELECT count(*)::int AS servers, coalesce(sum(there.slots), 0)::int AS slots FROM (
        SELECT slots FROM server WHERE key_id = enrolment_key.id AND state IN ('ready', 'draining') LIMIT ${countedMost}
      ) AS there
    ) AS counted
    WHERE ${keyId}::text IS NULL OR enrolment_key.id = ${keyId}
    ORDER BY created_at DESC, enrolment_key.id`;
}
