import { NotMigrated } from './migrated.js';

/** The services that have a role of their own in the database. */
export const roleServices = ['queue', 'assignment', 'allocator', 'rating'] as const;
export type RoleService = (typeof roleServices)[number];

/** The role of a service. Roles belong to the database server, so all databases on it share them. */
export const roleOf = (service: RoleService): string => `muster_${service}`;

/** Whose rights a process works with. */
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

/** A function that the migration with the roles makes: a database without it is not migrated far enough. */
const marker = 'refuse_key_change()';

/**
 * Takes the role if it can be taken. One statement, so that a new connection costs one round trip more.
 *
 * A pooler that shares out connections by transaction would hand the role on to other clients. It is known by its process id: the
 * one that it tells the client is not the server's.
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

/** What keeps a connection from its role, and what an operator can do about it. */
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
      `a pooler would hand the role ${role} on to other clients: connect to the server itself, or as ${role}`,
  ],
]);

/** What is used of a connection of the driver. */
interface Connection {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * A hook for new connections that gives each the rights of the service's role.
 *
 * @returns a function that throws NotMigrated while the database lacks the roles' migration, and Error when the role is
 *   required and cannot be taken; undefined in mode `no`
 */
export function roleTaker({
  service,
  mode,
  warn,
}: DbRole): ((connection: Connection) => Promise<void>) | undefined {
  if (mode === 'no') return undefined;
  const role = roleOf(service);
  const told = new Set<string>();
  return async (connection) => {
    const processId: unknown = Reflect.get(connection, 'processID');
    const { rows } = await connection.query(takeRole, [role, processId, marker]);
    const { outcome, login } = rows[0] as { outcome: string; login: string };
    if (outcome === 'taken') return;
    if (outcome === 'unmigrated') throw new NotMigrated(['the roles of the services']);
    const problem = remedies.get(outcome)?.(role, login) ?? outcome;
    if (mode === 'required') throw new Error(`DATABASE_ROLE is "required", and ${problem}.`);
    if (told.has(outcome)) return;
    told.add(outcome);
    warn(
      `${service} works with all rights of ${login}: ${problem}. See "Roles" in docs/operations.md; DATABASE_ROLE=no silences this.`,
    );
  };
}
