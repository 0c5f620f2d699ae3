import type { Db } from '../client.js';

/** A key with which servers of a fleet register. */
export interface KnownFleetKey {
  readonly id: string;
  readonly fleet: string;
  readonly mustSign: boolean;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Whether its servers ended with it. */
  readonly endsServers: boolean;
}

/** A server that an operator removed. */
export interface RevokedServer {
  readonly serverId: string;
  /** Tokens of this incarnation and of those before are refused. */
  readonly incarnation: number;
}

/** What every service needs to know of credentials of servers, as they verify them. */
export class PostgresEnrolment {
  constructor(private readonly db: Db) {}

  /** All keys. Their number is limited where they are created. */
  keys(): Promise<KnownFleetKey[]> {
    return this.db.$sql.$queryRaw<KnownFleetKey[]>`
      SELECT id, fleet, must_sign AS "mustSign", expires_at AS "expiresAt", revoked_at AS "revokedAt", ends_servers AS "endsServers"
      FROM enrolment_key`;
  }

  /** Servers that were removed in the last milliseconds. */
  revokedLately(ms: number): Promise<RevokedServer[]> {
    return this.db.$sql.$queryRaw<RevokedServer[]>`
      SELECT server_id AS "serverId", incarnation FROM revoked_server
      WHERE at > clock_timestamp() - make_interval(secs => ${ms / 1000}::float8)`;
  }
}
