import type { TestProject } from 'vitest/node';
import { TestPostgres } from '../support/database.js';
import { PgBouncer } from '../support/pgbouncer.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the migrated database that every file makes its own after. */
    postgresUrl: string;
    /** The port of a pooler before it; 0 without one. `npm run test:pgbouncer` has one. */
    poolerPort: number;
  }
}

/** One PostgreSQL for all files that need a database and not a server: each has a database of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await TestPostgres.start({ settings: ['max_connections=600'] });
  project.provide('postgresUrl', postgres.url);
  const pooler = process.env['MUSTER_TEST_POOLER'] ? await PgBouncer.start(postgres.url) : null;
  project.provide('poolerPort', pooler?.port ?? 0);
  return async () => {
    await pooler?.stop();
    await postgres.stop();
  };
}
