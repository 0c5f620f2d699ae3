import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { archive, type ArchiveOptions, type Archived } from '../../apps/cli/src/archive/archive.js';
import { deleteMatches, selectOld } from '../../apps/cli/src/archive/matches.store.js';
import { RatingStores } from '../support/rating-stores.js';
import { databaseForEach, noon } from './fixtures.js';
import { aPool, ended } from './ledger-fixtures.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();
const dayMs = 86_400_000;
let folder: string;
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-archive-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fileOf = (): string => join(folder, `a${++made}.jsonl.gz`);

/** Archives what ended a day before `noon`. */
function archived(path: string, more: Partial<ArchiveOptions> = {}): Promise<Archived> {
  const options = { dataDir: '/nowhere', json: false, olderThan: 1, delete: true, ...more };
  return archive(path, options, { DATABASE_URL: data().url }, noon);
}

async function linesOf(path: string): Promise<{ id: string; players: { player_id: string }[] }[]> {
  const text = gunzipSync(await readFile(path)).toString();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id: string; players: { player_id: string }[] });
}

async function idsIn(db: Db): Promise<string[]> {
  return (await db.match.findMany({ select: { id: true }, orderBy: { id: 'asc' } })).map(({ id }) => id);
}

/** Rated matches of the days before noon, the first a day ago. */
async function rated(days: readonly number[]): Promise<RatingStores> {
  const ledger = new RatingStores(data().db);
  await ledger.pools.create(aPool());
  for (const day of days) {
    const matchId = `d${day}`;
    await ended(
      data().db,
      { matchId, teams: [['ann'], ['bob']], ranks: [1, 2] },
      { endedAt: noon - day * dayMs },
    );
    await ledger.matches.rate(matchId, noon);
  }
  return ledger;
}

it('writes old matches with their players, oldest first, and deletes those alone', async () => {
  const ledger = await rated([3, 2, 0]);
  const { db } = data();
  const events = await db.ratingEvent.count();
  const changes = await db.ratingChange.findMany({ orderBy: [{ sequence: 'asc' }, { playerId: 'asc' }] });
  const path = fileOf();
  expect(await archived(path, { delete: false })).toMatchObject({ matches: 2, deleted: 0 });
  expect(await idsIn(db)).toEqual(['d0', 'd2', 'd3']);
  expect(await linesOf(path)).toMatchObject([
    {
      id: 'd3',
      state: 'rated',
      ranks: [1, 2],
      players: [
        { player_id: 'ann', team: 0 },
        { player_id: 'bob', team: 1 },
      ],
    },
    { id: 'd2', orders: [] },
  ]);

  expect(await archived(fileOf())).toMatchObject({ matches: 2, deleted: 2 });
  expect(await idsIn(db)).toEqual(['d0']);
  expect(await db.matchPlayer.count()).toBe(2);
  // The ledger stays as it was, with the history of each rating.
  expect(await db.ratingEvent.count()).toBe(events);
  expect(await db.ratingChange.findMany({ orderBy: [{ sequence: 'asc' }, { playerId: 'asc' }] })).toEqual(
    changes,
  );
  expect(await ledger.history.of(await ledger.ratings.pool('ladder'), 'ann', 10)).toHaveLength(3);
  expect(await archived(fileOf())).toMatchObject({ matches: 0, deleted: 0 });
});

it('leaves matches that run, that have a session, or that were reported', async () => {
  await rated([5, 4, 3, 2]);
  const { db } = data();
  await db.$executeRaw`UPDATE match SET state = 'placed', ended_at = NULL, closed_at = NULL WHERE id = 'd5'`;
  await db.$executeRaw`UPDATE match SET origin = 'reported', external_id = 'x' WHERE id = 'd4'`;
  await db.$executeRaw`INSERT INTO session (id, match_id, server_id, slot_ordinal, state, incarnation, reserved_at, answer_by)
    VALUES ('s', 'd3', 'server', 0, 'ended', 1, now(), now())`;
  expect(await archived(fileOf())).toMatchObject({ matches: 1, deleted: 1 });
  expect(await idsIn(db)).toEqual(['d3', 'd4', 'd5']);
});

it('deletes no match that changed after it was written', async () => {
  await rated([4, 3, 2]);
  const { db } = data();
  await db.$executeRaw`UPDATE match SET state = 'ended' WHERE id = 'd4'`;
  await db.$executeRaw`UPDATE match SET ended_at = ${new Date(noon)} WHERE id = 'd3'`;
  expect(await deleteMatches(db, ['d4', 'd3', 'd2', 'unknown'], noon - dayMs)).toBe(1);
  expect(await idsIn(db)).toEqual(['d3', 'd4']);
});

it('reads by the index of ends, whatever the number of other matches', async () => {
  await rated([3, 2]);
  const { db } = data();
  await db.$executeRaw`
    INSERT INTO match (id, origin, pool, state, formed_at, ended_at, closed_at)
    SELECT 'n' || n, 'queue', 'ladder', 'rated', ${new Date(noon)}, ${new Date(noon)}, ${new Date(noon)} FROM generate_series(1, 20000) AS n`;
  await db.$executeRaw`ANALYZE match`;
  const plan = await db.$sql.$queryRaw<
    { 'QUERY PLAN': string }[]
  >`EXPLAIN (ANALYZE) ${selectOld(noon - dayMs, null, 500)}`;
  const told = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(told).toMatch(/Index Scan using match_over on match/);
  expect(told).not.toMatch(/Seq Scan on match\b|Rows Removed by Filter: \d{3,}/);
});

it('refuses a file that exists, and leaves none behind when the database is away', async () => {
  const path = fileOf();
  await archived(path);
  await expect(archived(path)).rejects.toThrow(/exists: give a new file/);
  const none = fileOf();
  const away = { DATABASE_URL: 'postgresql://muster@127.0.0.1:1/muster' };
  const options = { dataDir: '/nowhere', json: false, olderThan: 1, delete: true };
  await expect(archive(none, options, away, noon)).rejects.toThrow(/ECONNREFUSED/);
  expect((await readdir(folder)).filter((name) => name.startsWith(`a${made}.`))).toEqual([]);
});

it('is readable by usual tools', async () => {
  await rated([2]);
  const path = fileOf();
  await archived(path);
  expect(execFileSync('gzip', ['-dc', path]).toString().trim().split('\n')).toHaveLength(1);
});
