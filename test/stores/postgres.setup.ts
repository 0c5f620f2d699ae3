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

/** One PostgreSQL for all files of this folder: each has a database of its own in it, and the server is no test's subject. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await TestPostgres.start();
  project.provide('postgresUrl', postgres.url);
  const pooler = process.env['MUSTER_TEST_POOLER'] ? await PgBouncer.start(postgres.url) : null;
  project.provide('poolerPort', pooler?.port ?? 0);
  return async () => {
    await pooler?.stop();
    await postgres.stop();
  };
}
