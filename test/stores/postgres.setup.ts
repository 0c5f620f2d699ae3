import type { TestProject } from 'vitest/node';
import { TestPostgres } from '../support/database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the migrated database that every file makes its own after. */
    postgresUrl: string;
  }
}

/** One PostgreSQL for all files of this folder: each has a database of its own in it, and the server is no test's subject. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await TestPostgres.start();
  project.provide('postgresUrl', postgres.url);
  return () => postgres.stop();
}
