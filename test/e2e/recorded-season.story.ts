import type { RatingView } from '@muster/contracts';
import { seededRandom } from '@muster/domain';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { muster } from '../support/muster.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';

const pool = 'recorded';
const dayMs = 86_400_000;
const matches = 1_500;
const madeUp = 200;
const recorded = process.env['MUSTER_DATA'];
const rules = { keep: 0.5, uncertainty: 0.8, placementMatches: 2 };
const asItWas = { keep: 1, uncertainty: 0, placementMatches: 0 };

let stack: Stack;
let folder: string;
let halves: readonly [string, string];

/** Recorded duels, or duels made up without the folder MUSTER_DATA: the teams and ranks of each. */
async function duels(): Promise<string[]> {
  if (recorded !== undefined) {
    const lines = (await readFile(join(recorded, 'halo2_head_to_head.csv'), 'utf8'))
      .split('\n')
      .slice(1, matches + 1);
    return lines.map((line) => line.split(',').slice(2, 4).join(','));
  }
  const random = seededRandom(17);
  return Array.from({ length: madeUp }, () => {
    const one = Math.floor(60 * random());
    const other = (one + 1 + Math.floor(59 * random())) % 60;
    return `p${one};p${other},${(one + 30 * random()) / (other + 30 * random()) > 1 ? '1;2' : '2;1'}`;
  });
}

/** They are played anew within the last days: who played years ago is on no leaderboard. */
async function write(name: string, rows: readonly string[], first: number): Promise<string> {
  const path = join(folder, name);
  const from = Date.now() - 3 * dayMs;
  const lines = rows.map(
    (row, i) =>
      `r${first + i},${new Date(from + (first + i) * 60_000).toISOString().slice(0, 19)},${row},recorded`,
  );
  await writeFile(path, ['match_id,time,teams,ranks,context', ...lines, ''].join('\n'));
  return path;
}

const replay = async (file: string): Promise<void> => {
  const { code, stderr } = await muster([
    'replay',
    file,
    '--pool',
    pool,
    '--json',
    '--data-dir',
    stack.dataDir,
  ]);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
};

async function ratings(): Promise<RatingView[]> {
  const all: RatingView[] = [];
  for (;;) {
    const after = all.at(-1)?.playerId;
    const page = await stack.operator.ratings(pool, {
      limit: 1_000,
      ...(after === undefined ? {} : { after }),
    });
    all.push(...page.ratings);
    if (page.ratings.length < 1_000) return all;
  }
}

/** Players with a visible rating by mean, as a leaderboard ranks them. */
function ranked(all: readonly RatingView[]): [string, number][] {
  return all
    .filter(({ shadow, seasonMatches = 1 }) => !shadow.hidden && seasonMatches > 0)
    .toSorted((a, b) => b.mu - a.mu || (a.playerId < b.playerId ? 1 : -1))
    .map(({ playerId, mu }) => [playerId, mu]);
}

/** The whole leaderboard once it has followed all results. */
async function leaderboard(wanted: readonly [string, number][]): Promise<[string, number][]> {
  for (;;) {
    const rows: [string, number][] = [];
    for (let from = 1; from <= wanted.length; from += 100) {
      const page = await stack.operator.leaderboard(pool, { from, limit: 100 });
      rows.push(...page.rows.map(({ playerId, mu = NaN }): [string, number] => [playerId, mu]));
    }
    if (JSON.stringify(rows) === JSON.stringify(wanted)) return rows;
    await new Promise((done) => setTimeout(done, 200));
  }
}

beforeAll(async () => {
  stack = await storiesStack();
  folder = await mkdtemp(join(tmpdir(), 'muster-recorded-'));
  const all = await duels();
  const middle = all.length / 2;
  halves = [
    await write('first.csv', all.slice(0, middle), 0),
    await write('second.csv', all.slice(middle), middle),
  ];
  const inactivity = { afterDays: 0.01, forgottenAfterDays: 5, decay: { division: 'Silver', perDay: 1 } };
  await stack.operator.createPool({ name: pool, shadowMatches: 0, season: rules, inactivity });
  await replay(halves[0]);
  // It counted for the matches. Without it readers of a moment later find the same values.
  await stack.operator.changePool(pool, { inactivity: null });
});
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true });
});

describe('a season on recorded history', () => {
  it('does what the dry run said, and archives what was', async () => {
    const before = await ratings();
    expect(await leaderboard(ranked(before))).toHaveLength(before.length);
    const preview = await stack.operator.previewSeason(pool);
    await stack.operator.beginSeason(pool, 1);
    const happened = await stack.operator.previewSeason(pool, { rules: asItWas });
    expect(happened.before).toEqual(preview.after);

    const archive = await stack.operator.seasonStandings(pool, 0, { limit: 1_000 });
    expect(archive.season.ranked).toBe(before.length);
    const last = new Map(before.map(({ playerId, mu, sigma }) => [playerId, { mu, sigma }]));
    for (const { playerId, mu, sigma } of archive.standings)
      expect({ mu, sigma }).toEqual(last.get(playerId));
    const means = archive.standings.map(({ mu = NaN }) => mu);
    expect(means).toEqual(means.toSorted((a, b) => b - a));
  });

  it('is rated on, and a rebuild gives the same ratings, archive and leaderboard, to the bit', async () => {
    await replay(halves[1]);
    const live = await ratings();
    const board = ranked(live);
    expect(board.length).toBeGreaterThan(20);
    expect(await leaderboard(board)).toEqual(board);
    expect((await stack.operator.leaderboard(pool)).season).toBe(1);
    const archive = await stack.operator.seasonStandings(pool, 0, { limit: 1_000 });

    await stack.operator.rebuildPool(pool, { reason: 'A test.' });
    while ((await stack.operator.rebuilds(pool)).rebuilds[0]?.state === 'running')
      await new Promise((done) => setTimeout(done, 100));
    expect((await stack.operator.rebuilds(pool)).rebuilds[0]).toMatchObject({ state: 'done' });
    expect(await ratings()).toEqual(live);
    expect(await leaderboard(board)).toEqual(board);
    expect(await stack.operator.seasonStandings(pool, 0, { limit: 1_000 })).toEqual(archive);
  });
});
