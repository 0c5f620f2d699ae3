import type { Db } from '@muster/db';
import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { noteCommand, personHere } from '../database/audit.store.js';
import { withDatabase } from '../database/database.js';
import { wholeFile, writeCompressed } from '../backup/files.js';
import { deleteMatches, oldMatches, type Archivable, type Place } from './matches.store.js';

/** What `muster archive` was told. */
export interface ArchiveOptions {
  readonly dataDir: string;
  readonly json: boolean;
  /** The age in days from which matches are archived. */
  readonly olderThan: number;
  /** Whether archived matches are deleted from the database. */
  readonly delete: boolean;
}

/** What was archived. */
export interface Archived {
  /** Matches that ended before this time, in milliseconds since the epoch. */
  readonly before: number;
  readonly matches: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly deleted: number;
}

const matchesAtOnce = 500;
const dayMs = 86_400_000;

/**
 * Writes old matches as compressed JSON lines, and deletes those that were written if asked to. A match is deleted only
 * when the whole file is on the disk.
 *
 * @param now milliseconds since the epoch
 * @throws Error with a user-facing message; what was not written is not deleted
 */
export async function archive(
  path: string,
  options: ArchiveOptions,
  env: NodeJS.ProcessEnv,
  now: number,
): Promise<Archived> {
  const before = now - options.olderThan * dayMs;
  return withDatabase('archive', options, env, async (db) => {
    const tally = { matches: 0 };
    const { bytes, sha256 } = await wholeFile(path, (unfinished) =>
      writeCompressed(dirname(unfinished), basename(unfinished), Readable.from(lines(db, before, tally))),
    );
    if (options.delete) {
      const reason = `Matches before ${new Date(before).toISOString()} are deleted.`;
      const target = basename(path);
      await noteCommand(db.$sql, { call: 'archiveMatches', target, reason, who: personHere(env) });
    }
    const deleted = options.delete ? await deleteWritten(db, path, before) : 0;
    return { before, matches: tally.matches, bytes, sha256, deleted };
  });
}

async function* lines(db: Db, before: number, tally: { matches: number }): AsyncGenerator<string> {
  let after: Place | null = null;
  for (;;) {
    const rows: Archivable[] = await oldMatches(db, before, after, matchesAtOnce);
    const last = rows.at(-1);
    if (!last) return;
    for (const { line } of rows) yield `${line}\n`;
    tally.matches += rows.length;
    after = last;
  }
}

/** Deletes the matches that a file names, which may be more than fit into memory. */
async function deleteWritten(db: Db, path: string, before: number): Promise<number> {
  const text = createReadStream(path).pipe(createGunzip());
  let deleted = 0;
  let ids: string[] = [];
  for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
    const match = JSON.parse(line) as { id: string };
    ids.push(match.id);
    if (ids.length < matchesAtOnce) continue;
    deleted += await deleteMatches(db, ids, before);
    ids = [];
  }
  return deleted + (await deleteMatches(db, ids, before));
}

/** What a user is told of an archive. */
export function archiveSummary(path: string, { before, matches, bytes, deleted }: Archived): string {
  const until = new Date(before).toISOString();
  const written = `Archived ${matches} matches that ended before ${until} to ${path} (${bytes} bytes).`;
  return `${written}\n${deleted === 0 ? 'Nothing was deleted.' : `Deleted ${deleted} of them from the database.`}`;
}
