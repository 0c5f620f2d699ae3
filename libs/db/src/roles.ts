import { Misconfigured } from '@muster/domain';
import type { Db } from './client.js';
import { NotMigrated } from './not-migrated.js';

/** The services with a database role. */
export const roleServices = ['queue', 'assignment', 'allocator', 'rating'] as const;
export type RoleService = (typeof roleServices)[number];

/** The role of a service. Roles belong to the database server, so all its databases share them. */
export const roleOf = (service: RoleService): string => `muster_${service}`;

/** The role of a process. */
export interface DbRole {
  readonly service: RoleService;
  /**
   * - `auto`: a connection that cannot take the role keeps the rights of its user, and `warn` is called once.
   * - `required`: such a connection fails.
   * - `no`: connections keep the rights of their user.
   */
  readonly mode: 'auto' | 'required' | 'no';
  warn(message: string): void;
}

/** The role is required and cannot be taken: an operator has to act. */
export class RoleRefused extends Misconfigured {
  override readonly name = 'RoleRefused';
}

/** A function created by the roles' migration: without it the database is not sufficiently migrated. */
const marker = 'refuse_key_change()';

/**
 * Takes the role if possible. One statement, so that a new connection costs one more round trip.
 *
 * A transaction pooler would pass the role on to other clients. It is detected by the process id: the one it reports to
 * the client differs from the server's.
 */
const takeRole = `
  SELECT CASE
    WHEN current_user = $1::text THEN 'taken'
    WHEN to_regprocedure($3::text) IS NULL THEN 'unmigrated'
    WHEN pg_backend_pid() <> $2::int THEN 'pooled'
    WHEN to_regrole($1::text) IS NULL THEN 'missing'
    WHEN NOT has_table_privilege($1::text::name, to_regclass('_prisma_migrations'), 'SELECT') THEN 'ungranted'
    WHEN NOT pg_has_role(session_user, $1::text::name,
      CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN 'refused'
    WHEN set_config('role', $1::text, false) = $1::text THEN 'taken'
  END AS outcome, session_user::text AS login`;

/** Why a connection cannot take its role, and the remedy. */
const remedies: ReadonlyMap<string, (role: string, login: string) => string> = new Map([
  ['missing', (role: string) => `the role ${role} does not exist: create it and migrate again`],
  ['ungranted', (role: string) => `the role ${role} has no grants in this database: migrate again`],
  [
    'refused',
    (role: string, login: string) => `${login} may not take the role ${role}: GRANT ${role} TO ${login}`,
  ],
  [
    'pooled',
    (role: string) =>
      `a pooler would pass the role ${role} on to other clients: connect to the server itself, or as ${role}`,
  ],
]);

/** The part of the driver's connection that is used. */
export interface RoleConnection {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * A hook that gives new connections the rights of the service's role.
 *
 * @returns a function that throws NotMigrated while the roles' migration is pending, and RoleRefused if the role is required
 * and cannot be taken; undefined in mode `no`
 */
export function roleTaker({
  service,
  mode,
  warn,
}: DbRole): ((connection: RoleConnection) => Promise<void>) | undefined {
  if (mode === 'no') return undefined;
  const role = roleOf(service);
  const reported = new Set<string>();
  return async (connection) => {
    const processId: unknown = Reflect.get(connection, 'processID');
    const { rows } = await connection.query(takeRole, [role, processId, marker]);
    const { outcome, login } = rows[0] as { outcome: string; login: string };
    if (outcome === 'taken') return;
    if (outcome === 'unmigrated') throw new NotMigrated(['the roles of the services']);
    const problem = remedies.get(outcome)?.(role, login) ?? outcome;
    if (mode === 'required') throw new RoleRefused(`DATABASE_ROLE is "required", and ${problem}.`);
    if (reported.has(outcome)) return;
    reported.add(outcome);
    warn(
      `${service} works with all rights of ${login}: ${problem}. See "Roles" in docs/operations.md; DATABASE_ROLE=no silences this.`,
    );
  };
}

/** What keeps services from their roles, a sentence each with the remedy; empty when nothing does. */
export async function roleFlaws(db: Db): Promise<string[]> {
  const rows = await db.$sql.$queryRaw<{ role: string; flaw: string | null; login: string }[]>`
    SELECT role, session_user::text AS login, CASE
        WHEN to_regrole(role) IS NULL THEN 'missing'
        WHEN NOT has_table_privilege(role::name, to_regclass('_prisma_migrations'), 'SELECT') THEN 'ungranted'
        WHEN NOT pg_has_role(session_user, role::name, 'MEMBER') THEN 'refused'
      END AS flaw FROM unnest(${roleServices.map(roleOf)}::text[]) AS role`;
  return rows.flatMap(({ role, flaw, login }) =>
    flaw === null ? [] : [remedies.get(flaw)?.(role, login) ?? flaw],
  );
}
