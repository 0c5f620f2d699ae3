import { migrate, RoleRefused, roleOf, roleServices, type DbRole } from '@muster/db';
import { errorCodes } from '@muster/domain';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { emptyDatabase, migrationsDir, TestPostgres } from '../support/database.js';
import { blocked } from '../support/gate.js';
import { examples } from '../docs/pages.js';
import { roleTaker } from '../../libs/db/src/roles.js';
import { range } from './fixtures.js';
import { createDb, type Db } from '../support/prisma.js';

/** The SQL examples in the documents: a user per service, and the roles created by an administrator. */
const [ownUser = '', createRoles = ''] = examples()
  .filter(({ language }) => language === 'sql')
  .map(({ text }) => text);

let postgres: TestPostgres;
let admin: Db;
beforeAll(async () => {
  // Roles belong to the server, so this test uses one without them.
  postgres = await TestPostgres.start({ migrated: false });
  admin = createDb(postgres.url, { maxConnections: 1 });
});
afterAll(async () => {
  await admin?.$disconnect();
  await postgres?.stop();
});

/** A database user for a test. @returns the name */
async function user(attributes: string): Promise<string> {
  const name = `user_${randomUUID().replaceAll('-', '')}`;
  await admin.$executeRawUnsafe(`CREATE ROLE ${name} LOGIN PASSWORD 'secret' ${attributes}`);
  return name;
}

function as(name: string, url: string): string {
  const address = new URL(url);
  address.username = name;
  address.password = 'secret';
  return address.href;
}

/** An empty database owned by a user. @returns its address for that user */
async function databaseOf(name: string): Promise<string> {
  const url = await emptyDatabase(postgres.url);
  await admin.$executeRawUnsafe(`ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO ${name}`);
  return as(name, url);
}

/** Connections of a service, closed at the end of the test, with their warnings. */
function connect(url: string, mode: DbRole['mode'] = 'auto'): { db: Db; warnings: string[] } {
  const warnings: string[] = [];
  const warn = (message: string): number => warnings.push(message);
  const db = createDb(url, { maxConnections: 2, role: { service: 'rating', mode, warn } });
  onTestFinished(() => db.$disconnect());
  return { db, warnings };
}

/** The rights of connections. */
async function rightsOf(db: Db): Promise<string> {
  const [row] = await db.$sql.$queryRaw<{ role: string }[]>`SELECT current_user::text AS role`;
  return row?.role ?? '';
}

const dropRoles = async (): Promise<void> => {
  for (const service of roleServices) await admin.$executeRawUnsafe(`DROP ROLE IF EXISTS ${roleOf(service)}`);
};

describe('a user who may not create roles', () => {
  it('migrates, and the services keep its rights until an administrator has made them', async () => {
    const name = await user('');
    const url = await databaseOf(name);
    await migrate(url, migrationsDir);

    const without = connect(url);
    expect(await Promise.all(range(3).map(() => rightsOf(without.db)))).toEqual([name, name, name]);
    expect(without.warnings).toEqual([
      expect.stringMatching(
        /^rating works with all rights of user_\w+: the role muster_rating does not exist/,
      ),
    ]);
    const refusal: unknown = await rightsOf(connect(url, 'required').db).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RoleRefused);
    expect(refusal).toMatchObject({
      message: expect.stringContaining('muster_rating does not exist') as unknown,
    });

    const documented = createRoles.replace('TO muster;', `TO ${name};`).split('\n');
    for (const sql of documented.slice(0, -1)) await admin.$executeRawUnsafe(sql);
    await expect(rightsOf(connect(url, 'required').db)).rejects.toThrow(/no grants in this database/);
    await migrate(url, migrationsDir);
    await expect(rightsOf(connect(url, 'required').db)).rejects.toThrow(`GRANT muster_rating TO ${name}`);
    await admin.$executeRawUnsafe(documented.at(-1) ?? '');
    const { db, warnings } = connect(url);
    expect(await rightsOf(db)).toBe('muster_rating');
    await expect(db.$executeRaw`UPDATE session SET state = 'ended'`).rejects.toThrow(
      /42501|permission denied/,
    );
    expect(warnings).toEqual([]);
    expect(await rightsOf(connect(url, 'no').db)).toBe(name);
    await admin.$executeRawUnsafe(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    await dropRoles();
  });
});

describe('databases of one server', () => {
  it.each([
    ['a superuser', 'SUPERUSER'],
    ['a user who may create roles', 'CREATEROLE'],
  ])('are migrated at once by %s: each has the roles', async (_who, attributes) => {
    const name = await user(attributes);
    const urls = await Promise.all(range(4).map(() => databaseOf(name)));
    const applied = await Promise.all(urls.map((url) => migrate(url, migrationsDir)));
    expect(new Set(applied.map((each) => each.applied.length)).size).toBe(1);
    for (const url of urls) expect(await rightsOf(connect(url, 'required').db)).toBe('muster_rating');
    for (const url of urls)
      await admin.$executeRawUnsafe(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    await dropRoles();
  });

  it('may be migrated while another one is making the roles', async () => {
    const url = await emptyDatabase(postgres.url);
    const db = createDb(url, { maxConnections: 1 });
    onTestFinished(() => db.$disconnect());
    let migrated: Promise<unknown> = Promise.resolve();
    await admin.$transaction(
      async (tx) => {
        for (const service of roleServices)
          await tx.$executeRawUnsafe(`CREATE ROLE ${roleOf(service)} NOLOGIN`);
        migrated = migrate(url, migrationsDir);
        await blocked(db, 1, migrated);
      },
      { timeout: 30_000 },
    );
    await migrated;
    expect(await rightsOf(connect(url, 'required').db)).toBe('muster_rating');
    await db.$disconnect();
    await admin.$executeRawUnsafe(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    await dropRoles();
  });
});

describe('a connection of a service', () => {
  let url: string;
  beforeAll(async () => {
    url = await emptyDatabase(postgres.url);
    await migrate(url, migrationsDir);
  });

  it('waits for the migration that makes the roles', async () => {
    const error: unknown = await rightsOf(connect(await emptyDatabase(postgres.url)).db).catch(
      (thrown: unknown) => thrown,
    );
    expect(errorCodes(error)).toContain('not-migrated');
  });

  it('works as a user of its own, who needs to own nothing', async () => {
    await admin.$executeRawUnsafe(ownUser);
    const own = as('game_rating', url).replace(':secret@', ':change%20me@');
    expect(await rightsOf(connect(own, 'required').db)).toBe('muster_rating');
    await admin.$executeRawUnsafe(`ALTER ROLE muster_rating LOGIN PASSWORD 'secret'`);
    expect(await rightsOf(connect(as('muster_rating', url), 'required').db)).toBe('muster_rating');
  });

  it('takes no role behind a pooler, which would hand it on to others', async () => {
    const asked: unknown[] = [];
    const warnings: string[] = [];
    const role = {
      service: 'rating',
      mode: 'auto',
      warn: (message: string) => warnings.push(message),
    } as const;
    const db = createDb(url, { maxConnections: 1 });
    onTestFinished(() => db.$disconnect());
    // A pooler reports the process id of its own connection to the client.
    const pooled = {
      processID: 1,
      query: async (text: string, values: unknown[]) => {
        const rows = await db.$queryRawUnsafe<unknown[]>(text, ...values);
        asked.push(...rows);
        return { rows };
      },
    };
    await roleTaker(role)?.(pooled);
    expect(asked).toEqual([{ outcome: 'pooled', login: new URL(url).username }]);
    expect(warnings).toEqual([expect.stringContaining('a pooler would pass the role muster_rating on')]);
    expect(await rightsOf(db)).toBe(new URL(url).username);
  });
});
