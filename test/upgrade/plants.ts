import { checkout } from '@muster/embedded';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkout } from './release-before.js';
import { createDb } from '../support/prisma.js';

/** Incompatible changes. The test must fail with each of them: they show that it can. */
export const plants = {
  queue: 'this release sends results to be rated to a job queue of another name',
  wire: 'rating answers the question for ratings under another name alone',
  key: 'this release keeps tickets under another key',
  column: 'a migration of this release renames a column that both releases use',
} as const;
export type PlantName = keyof typeof plants;

export const isPlant = (name: string): name is PlantName => Object.hasOwn(plants, name);

/** The changes of the bundles. The sweeps that would repair the loss of a job are changed with it. */
const edits: Readonly<Partial<Record<PlantName, readonly (readonly [string, string])[]>>> = {
  queue: [['"rate-match"', '"rate-matches"']],
  // A release without the call for many is asked one by one, so both go.
  wire: [
    ['GetManyRatings', 'GetAllRatings'],
    ['GetRatings', 'GetRatingsOf'],
  ],
  key: [[':ticket:', ':tickets:']],
};

/** This release with a planted change of its programs. */
export async function planted(name: PlantName | null): Promise<Checkout> {
  const changes = name === null ? undefined : edits[name];
  const now = { title: 'this release', root: checkout };
  if (!changes) return now;
  const root = join(checkout, '.muster/planted');
  const dist = join(root, 'dist');
  await rm(root, { recursive: true, force: true });
  await cp(join(checkout, 'dist'), dist, { recursive: true });
  let count = 0;
  for (const file of await readdir(dist)) {
    if (!file.endsWith('.js')) continue;
    const path = join(dist, file);
    const before = await readFile(path, 'utf8');
    const after = changes.reduce((text, [from, to]) => text.replaceAll(from, to), before);
    if (after === before) continue;
    count++;
    await writeFile(path, after);
  }
  if (count === 0)
    throw new Error(`The plant ${name} changes nothing: its text is no longer in the bundles.`);
  return { ...now, root };
}

/** The planted migration, if there is one. */
export async function plantMigration(name: PlantName | null, databaseUrl: string): Promise<void> {
  if (name !== 'column') return;
  const db = createDb(databaseUrl, { maxConnections: 1 });
  try {
    await db.$executeRaw`ALTER TABLE rating RENAME COLUMN matches TO played`;
  } finally {
    await db.$disconnect();
  }
}
