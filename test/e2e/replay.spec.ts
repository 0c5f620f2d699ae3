import { seededRandom } from '@muster/domain';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/gate.js';
import { failedCode, muster, type Ended } from '../support/muster.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

interface Scored {
  matches: number;
  decided: number;
  accuracy: number;
  logLoss: number;
  brier: number;
}

interface Summary {
  matches: number;
  new: number;
  known: number;
  refused: number;
  scored: Scored;
  last80: Scored;
}

const recorded = process.env['MUSTER_DATA'];
const largeTeams = join(recorded ?? '', 'halo2_large_teams.csv');
const broken: Readonly<Record<number, string>> = {
  7: 'b1,2024-01-07,p1|p1;p2,1;2,the same player twice',
  20: 'b2,2024-01-20,"p1;p2,1;2,a quote without end',
  33: 'b3,2024-02-30,p1;p2,1;2,a day that is not',
};

/** Matches of twenty players; a lower number is better. */
function rowsOf(count: number, prefix: string, random = seededRandom(7)): string[] {
  return Array.from({ length: count }, (_, i) => {
    const players = Array.from({ length: 20 }, (_player, p) => ({ p, at: random() })).toSorted(
      (a, b) => a.at - b.at,
    );
    const [one, two] = [players.slice(0, 3), players.slice(3, 6)];
    const strength = (team: typeof one): number => team.reduce((sum, { p }) => sum + p, 0) + 8 * random();
    const ranks = i % 10 === 9 ? '1;1' : strength(one) < strength(two) ? '1;2' : '2;1';
    const names = (team: typeof one): string => team.map(({ p }) => `p${p}`).join('|');
    const time = new Date(Date.UTC(2024, 0, 1, i)).toISOString().slice(0, 19);
    return `${prefix}${i},${time},${names(one)};${names(two)},${ranks},made up`;
  });
}

let stack: Stack;
let folder: string;
let file: string;

async function write(name: string, rows: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, ['match_id,time,teams,ranks,context', ...rows, ''].join('\n'));
  return path;
}

const replay = (path: string, pool: string, ...more: string[]): Promise<Ended> =>
  muster(['replay', path, '--pool', pool, '--data-dir', stack.dataDir, ...more]);
const summaryOf = ({ stdout }: Ended): Summary => JSON.parse(stdout) as Summary;

beforeAll(async () => {
  stack = await sharedStack();
  folder = await mkdtemp(join(tmpdir(), 'muster-replay-'));
  const rows = rowsOf(37, 'm');
  // The header is line 1.
  for (const [line, row] of Object.entries(broken)) rows.splice(Number(line) - 2, 0, row);
  file = await write('forty.csv', rows);
});
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true });
});

describe('muster replay', () => {
  it('rates each match once, names malformed rows, and adds nothing the second time', async () => {
    const first = await replay(file, 'forty', '--json');
    expect(first).toMatchObject({ code: 2 });
    expect(first.stderr).toContain('Created the rating pool "forty".');
    expect(first.stderr).toContain('line 7 refused: player "p1" is in the match twice');
    expect(first.stderr).toContain('line 20 refused: a quoted field does not end on its line');
    expect(first.stderr).toContain('line 33 refused: time "2024-02-30" is not');
    const summary = summaryOf(first);
    expect(summary).toMatchObject({ matches: 40, new: 37, known: 0, refused: 3 });
    expect(summary.scored).toMatchObject({ matches: 37, decided: 34 });
    expect(summary.last80).toMatchObject({ matches: 28, decided: 28 });
    const ratings = await stack.operator.ratings('forty', { limit: 10_000 });
    expect(ratings.ratings).toHaveLength(20);

    const second = await replay(file, 'forty', '--json');
    expect(second.code).toBe(2);
    expect(second.stderr).not.toContain('Created the rating pool');
    expect(summaryOf(second)).toEqual({ ...summary, new: 0, known: 37 });
    expect(await stack.operator.ratings('forty', { limit: 10_000 })).toEqual(ratings);

    const table = await replay(file, 'forty');
    expect(table.stdout).toMatch(/rated now +0 new\n +known before +37\n +refused rows +3\n/);
  });

  it('names a contradicting row, and leaves the ratings unchanged', async () => {
    const good = await write('good.csv', rowsOf(5, 'c'));
    expect((await replay(good, 'contradicted')).code).toBe(0);
    const before = await stack.operator.ratings('contradicted');
    const rows = rowsOf(5, 'c');
    rows[2] = rows[2]?.replace(/,\d;\d,/, ',3;3,') ?? '';
    const other = await replay(await write('other.csv', rows), 'contradicted', '--json');
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(/line 4 refused: Another result of "c2" was already counted/);
    expect(summaryOf(other)).toMatchObject({ matches: 5, new: 0, known: 4, refused: 1 });
    expect(await stack.operator.ratings('contradicted')).toEqual(before);
    const { matches } = await stack.operator.matches({ pool: 'contradicted' });
    const mine = new Set(matches.map(({ matchId }) => matchId));
    const { conflicts } = await stack.operator.conflicts();
    expect(conflicts.filter(({ matchId }) => mine.has(matchId))).toHaveLength(1);
  });

  it('rates matches of many teams and of the distant past', async () => {
    const path = await write('races.csv', ['r1,1950-05-13,a;b;c;d,3;1;2;2,', 'r2,1951-05-13,a;b;c,2;1;3,']);
    const { code, stdout } = await replay(path, 'races');
    expect(code).toBe(0);
    expect(stdout).toMatch(/more than two teams +2 /);
    const oldest = await stack.operator.matches({ pool: 'races', order: 'oldest', limit: 1 });
    expect(oldest.matches[0]?.formedAt).toBe(Date.UTC(1950, 4, 13));
    const next = await stack.operator.matches({
      pool: 'races',
      order: 'oldest',
      limit: 1,
      cursor: oldest.next ?? '',
    });
    expect(next.matches[0]?.externalId).toBe('r2');
  });

  it('stops on Ctrl-C, reports its progress, and continues when it is run again', async () => {
    const rows = 120;
    const path = await write('long.csv', rowsOf(rows, 'l'));
    const args = ['replay', path, '--pool', 'long', '--data-dir', stack.dataDir, '--json'];
    let sent = false;
    const stopped = await muster(args, {}, (stderr, signal) => {
      if (sent || !stderr.includes('Created the rating pool')) return;
      sent = true;
      const begun = async () => (await stack.operator.matches({ pool: 'long' })).matches.length > 0;
      void until(begun).then(() => signal('SIGINT'));
    });
    expect(stopped.code).toBe(130);
    const done = summaryOf(stopped).new;
    expect(stopped.stderr).toContain(`Stopped after ${done} of ${rows} matches.`);
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(rows);
    const { code, ...ended } = await replay(path, 'long', '--json');
    expect(code).toBe(0);
    expect(summaryOf({ code, ...ended })).toMatchObject({ matches: rows, new: rows - done, known: done });
  });

  it.each([
    ['no such file', ['none.csv', '--pool', 'x'], /^muster: none\.csv is .*; give the path/],
    [
      'nothing runs',
      ['FILE', '--pool', 'x', '--url', 'http://127.0.0.1:1'],
      /No Muster answers at http:\/\/127\.0\.0\.1:1: start it/,
    ],
    [
      'another key',
      ['FILE', '--pool', 'x', '--operator-key', 'guess'],
      /rejects this operator key; give another/,
    ],
    [
      'no match file',
      [resolve('package.json'), '--pool', 'x'],
      /is not a file of recorded matches: its first line must be/,
    ],
    ['no pool', ['FILE'], /required option '--pool <name>'/],
    [
      'a name that no pool has',
      ['FILE', '--pool', 'Big One'],
      /The name of a pool must hold only small letters/,
    ],
  ])('explains the remedy: %s', async (_what, args, sentence) => {
    const given = args.map((arg) => (arg === 'FILE' ? file : arg));
    const { code, stdout, stderr } = await muster(['replay', ...given, '--data-dir', stack.dataDir]);
    expect(code).toBe(failedCode(stderr));
    expect(stdout).toBe('');
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it.skipIf(recorded === undefined)(
    'predicts recorded matches of large teams as well as its model should (skipped without the folder MUSTER_DATA)',
    async () => {
      const first = summaryOf(await replay(largeTeams, 'large', '--json'));
      expect(first).toMatchObject({
        matches: 972,
        new: 972,
        refused: 0,
        scored: { matches: 972, decided: 823 },
      });
      // The model alone has a log-loss of 0.670; the pool's calibration improves it.
      expect(Math.abs(first.last80.accuracy - 0.63)).toBeLessThan(0.02);
      expect(first.last80.logLoss).toBeGreaterThan(0.63);
      expect(first.last80.logLoss).toBeLessThan(0.66);
      expect(summaryOf(await replay(largeTeams, 'large', '--json'))).toEqual({
        ...first,
        new: 0,
        known: 972,
      });
    },
    180_000,
  );
});
