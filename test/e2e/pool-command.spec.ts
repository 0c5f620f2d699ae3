import { seededRandom } from '@muster/domain';
import { flawOfXml } from '@muster/testing';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failedCode, muster, type Ended } from '../support/muster.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

let stack: Stack;
let folder: string;
let season: string;

const at = (name: string): string => join(folder, name);
const run = (...args: string[]): Promise<Ended> => muster([...args, '--data-dir', stack.dataDir]);

/** The one line of JSON that a command printed. */
function lineOf<T>({ code, stdout, stderr }: Ended): T {
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
  return JSON.parse(stdout) as T;
}

/**
 * Of twenty players, three per side, at one of two places; a lower number is better, and the first side has an
 * advantage.
 */
function seasonRows(): string[] {
  const random = seededRandom(21);
  return Array.from({ length: 160 }, (_, i) => {
    const players = Array.from({ length: 20 }, (_player, p) => ({ p, key: random() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ p }) => p);
    const [one, two] = [players.slice(0, 3), players.slice(3, 6)];
    const sum = (team: readonly number[]): number => team.reduce((all, p) => all + p, 0);
    const odds = 0.15 * (sum(two) - sum(one)) + 0.5;
    const ranks = random() < 1 / (1 + Math.exp(-odds)) ? '1;2' : '2;1';
    const names = (team: readonly number[]): string => team.map((p) => `p${p}`).join('|');
    const time = new Date(Date.UTC(2026, 0, 1, i)).toISOString().slice(0, 19);
    const shares = `0.9|0|1;1|${(0.5 + random() / 2).toFixed(2)}|1`;
    return `s${i},${time},${names(one)};${names(two)},${ranks},${i % 2 === 0 ? 'Oval' : 'Park'}:${i},${shares}`;
  });
}

beforeAll(async () => {
  stack = await sharedStack();
  folder = await mkdtemp(join(tmpdir(), 'muster-pool-'));
  season = at('season.csv');
  const rows = ['match_id,time,teams,ranks,context,shares', ...seasonRows(), ''];
  await writeFile(season, rows.join('\n'));
});
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true });
});

/** The tests are one story: each continues with the pool of the previous one. */
describe('muster pool, player and match', () => {
  it('creates a pool, and reports an existing one', async () => {
    const args = ['pool', 'create', 'season', '--model', 'elo', '--set', 'k=24', '--mode', 'ctf'];
    const made = await run(...args, '--modifier', 'low-gravity', '--shadow-matches', '5');
    expect(made).toEqual({
      code: 0,
      stdout: 'Created the rating pool "season" (ctf + low-gravity), rated by elo (k=24).\n',
      stderr: '',
    });
    const again = await run(...args);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/already exists, at version 1, rated by elo \(k=24\)\. It is unchanged/);
    const other = await run('pool', 'create', 'season', '--model', 'glicko2', '--json');
    expect(other.code).toBe(1);
    expect(JSON.parse(other.stdout)).toMatchObject({ created: false, differences: ['model'] });
  });

  it('lists pools and models', async () => {
    const { stdout } = await run('pool', 'list');
    expect(stdout).toMatch(/^name +game mode +modifiers +model +version +generation\n/);
    expect(stdout).toMatch(/^season +ctf +low-gravity +elo +1 +1$/m);
    // No terminal, no colours.
    expect(stdout).not.toContain('\u001B');
    const listed = lineOf<{ pools: { name: string }[] }>(await run('pool', 'list', '--json'));
    expect(listed.pools.map(({ name }) => name)).toContain('season');
    const models = await run('pool', 'models');
    expect(models.stdout).toMatch(/^elo {2}Elo\n/m);
    expect(models.stdout).toMatch(/^ {4}k +32 +0 to 100000 +logistic: most points that one game can move$/m);
    expect((await run('pool', 'models', 'elo')).stdout).not.toContain('glicko2');
  });

  it('replays a file into it, with shares, sides and venues', async () => {
    const refused = await run('replay', season, '--pool', 'season', '--model', 'glicko2');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      'exists and is rated by elo, not glicko2. Replay into another pool with --pool, or rebuild this one: muster pools rebuild season --model glicko2',
    );
    const wide = await run('replay', season, '--pool', 'season', '--set', 'k=8');
    expect(wide.stderr).toContain('exists with k=24, not 8.');

    const first = await run('replay', season, '--pool', 'season', '--model', 'elo', '--json');
    expect(first.stderr).toContain(
      'Situations: side (first, second, by the order of the teams) and venue (2 of them',
    );
    expect(lineOf(first)).toMatchObject({ matches: 160, new: 160, refused: 0 });
    // The place is not part of the result: with another place it is the same match.
    const plain = await run('replay', season, '--pool', 'season', '--no-situations', '--json');
    expect(lineOf(plain)).toMatchObject({ new: 0, known: 160, refused: 0 });
  });

  it('replays into a pool of another model, which it creates', async () => {
    const args = [
      'replay',
      season,
      '--pool',
      'duels',
      '--model',
      'glicko2',
      '--set',
      'tau=0.4',
      '--limit',
      '5',
    ];
    const { code, stderr } = await run(...args);
    expect({ code, made: stderr.includes('Created the rating pool "duels".') }).toEqual({
      code: 0,
      made: true,
    });
    const { rules } = await stack.operator.pool('duels');
    expect(rules).toMatchObject({ model: 'glicko2', parameters: { tau: 0.4 } });
    const unknown = await run('replay', season, '--pool', 'none', '--model', 'best');
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toMatch(
      /could not be created: .*There is no rating model "best"; there is .*glicko2/,
    );
  });

  it('rebuilds it under another model, with progress and result', async () => {
    const args = ['pool', 'rebuild', 'season', '--model', 'openskill-plackett-luce'];
    const { code, stdout, stderr } = await run(
      ...args,
      '--set',
      'beta=4.5',
      '--reason',
      'it predicts better',
    );
    expect(code).toBe(0);
    expect(stderr).toContain('Rebuilding "season" under openskill-plackett-luce.');
    expect(stdout).toMatch(
      /^Rated 160 events of "season" under openskill-plackett-luce in \d+\.\d s; generation 2 is in force\.\n/,
    );
    expect(stdout).toMatch(/Log-loss of the predictions, calibrated: 0\.\d{4} before, 0\.\d{4} now/);
    const { rules, generation } = await stack.operator.pool('season');
    expect({ ...rules, generation }).toMatchObject({ parameters: { beta: 4.5 }, generation: 2 });
    expect((await run('pool', 'rebuilds', 'season')).stdout).toMatch(
      /done +openskill-plackett-luce +160 +160 +0 +2 +it predicts better$/m,
    );
  });

  it('shows rules with their meaning, and the calibration with its uncertainty', async () => {
    const { stdout } = await run('pool', 'show', 'season');
    expect(stdout).toMatch(/^Rating pool season, ctf \+ low-gravity, version \d+, generation 2$/m);
    expect(stdout).toMatch(
      /^ {2}beta +4\.5 +set \(default 2\.08333\) .*standard deviation of one performance$/m,
    );
    expect(stdout).toMatch(/^divisions +Bronze, Silver from 14\.58, .*Platinum from 25/m);
    // The rebuild learned it.
    expect(stdout).toMatch(/^Calibration, learned from \d+ matches$/m);
    expect(stdout).toMatch(/^ {2}scale: +\d\.\d{3} ± 0\.\d{3}, so the model/m);
    expect(stdout).toMatch(/^ {2}side:first +\+\d\.\d{3} +± \d\.\d{3} +\d\d\.\d %$/m);
    expect(stdout).toMatch(/^ {2}side:first@venue:Oval +/m);
    expect(lineOf(await run('pool', 'show', 'season', '--json'))).toEqual(
      await stack.operator.pool('season'),
    );
  });

  it('shows the quality of predictions, and plots it', async () => {
    const plots = ['--plot', at('time.svg'), '--calibration-plot', at('calibration.svg')];
    const { code, stdout } = await run('pool', 'health', 'season', '--periods', '5', ...plots);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Health of season, .*: 160 predictions, 20 players$/m);
    expect(stdout).toMatch(/^ {2}raw +160 +160 +0\.\d{3} +0\.\d{4} +0\.\d{4}$/m);
    expect(stdout).toMatch(/^ {2}a coin flip +0\.500 +0\.6931 +0\.2500$/m);
    expect(stdout.match(/^ {2}2026-01-0\d .* \d+ %/gm)).toHaveLength(5);
    const [time, calibration] = await Promise.all(
      ['time.svg', 'calibration.svg'].map((name) => readFile(at(name), 'utf8')),
    );
    expect([flawOfXml(time ?? ''), flawOfXml(calibration ?? '')]).toEqual([null, null]);
    expect(time).toContain('Health of season');
    expect(calibration).toContain('Calibration of season');
    const few = lineOf<{ periods: unknown[] }>(
      await run('pool', 'health', 'season', '--matches', '40', '--periods', '4', '--json'),
    );
    expect(few).toMatchObject({ overall: { calibrated: { matches: 40 } } });
    expect(few.periods).toHaveLength(4);
  });

  it('changes rules from now on, and keeps the others', async () => {
    const { stdout } = await run(
      'pool',
      'change',
      'season',
      '--set',
      'tau=0.1',
      '--divisions',
      'Low, High=30',
    );
    expect(stdout).toMatch(/^Changed "season" to version \d+: it applies from the next match on\.\n/);
    expect((await stack.operator.pool('season')).rules).toMatchObject({
      parameters: { beta: 4.5, tau: 0.1 },
      divisions: [
        { name: 'Low', from: null },
        { name: 'High', from: 30 },
      ],
    });
    // Another model has other units: borders keep their distance from the start value, in start uncertainties.
    const rebuilt = await run('pool', 'rebuild', 'season', '--model', 'elo', '--json');
    expect(lineOf(rebuilt)).toMatchObject({
      state: 'done',
      model: 'elo',
      overall: { after: { raw: { matches: 160 } } },
    });
    const { divisions } = (await stack.operator.pool('season')).rules;
    expect(divisions[1]?.from).toBeCloseTo(1500 + 350 * (5 / (25 / 3)), 6);
  });

  it('stops waiting on Ctrl-C, and the rebuild continues', async () => {
    let sent = false;
    const args = ['pool', 'rebuild', 'season', '--data-dir', stack.dataDir, '--json'];
    const stopped = await muster(args, {}, (stderr, signal) => {
      if (sent || !stderr.includes('Rebuilding "season"')) return;
      sent = true;
      signal('SIGINT');
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain(
      'The rebuild continues; "muster pools rebuilds season" shows its progress.',
    );
    const { rebuildId } = JSON.parse(stopped.stdout) as { rebuildId: string };
    await expect
      .poll(
        async () =>
          (await stack.operator.rebuilds('season')).rebuilds.find((each) => each.rebuildId === rebuildId)
            ?.state,
        { timeout: 30_000, interval: 200 },
      )
      .toBe('done');
  });

  it('shows, sets and resets a player’s rating, with actor and reason', async () => {
    const before = await run('player', 'get', 'p3', '--pool', 'season', '--history', '2');
    expect(before.stdout).toMatch(/^pool +season\nplayer +p3\nmu +1,?\d{3}/m);
    expect(before.stdout.match(/^ *2026-01-0.* match .* mat_\S+/gm)).toHaveLength(2);

    const set = [
      'player',
      'set',
      'p3',
      '1800',
      '--sigma',
      '60',
      '--pool',
      'season',
      '--reason',
      'plays in the league',
    ];
    expect((await run(...set)).stdout).toMatch(/^mu +1,800$/m);
    const reset = [
      'player',
      'reset',
      'p3',
      '--pool',
      'season',
      '--reason',
      'the account changed hands',
      '--json',
    ];
    expect(lineOf(await run(...reset))).toMatchObject({ mu: 1500, matches: 0 });

    const { stdout } = await run('player', 'get', 'p3', '--pool', 'season');
    expect(stdout).toMatch(/ reset +1800 ± 60 +1500 ± 350 .* operator +the account changed hands$/m);
    expect(stdout).toMatch(/ set +.* 1800 ± 60 .* operator +plays in the league$/m);
    const read = lineOf<{ history: { kind: string }[] }>(
      await run('player', 'get', 'p3', '--pool', 'season', '--history', '2', '--json'),
    );
    expect(read.history.map(({ kind }) => kind)).toEqual(['reset', 'set']);
    expect((await run('player', 'get', 'nobody', '--pool', 'season')).stdout).toContain('There are none.');
  });

  it('voids a match, and reports the rebuild that follows', async () => {
    const { changes } = await stack.operator.ratingHistory('season', 'p5', { limit: 1 });
    const { eventId = '' } = changes.find(({ kind }) => kind === 'match') ?? {};
    const voided = await run('match', 'void', eventId, '--reason', 'a player cheated');
    expect(voided.code).toBe(0);
    expect(voided.stdout).toMatch(/^voided +yes$/m);
    await expect
      .poll(async () => (await run('match', 'void', eventId, '--reason', 'a player cheated')).stdout, {
        timeout: 30_000,
      })
      .toMatch(/^ +state +done$/m);
    const after = await stack.operator.ratingHistory('season', 'p5', { limit: 100 });
    const kinds = after.changes.filter((change) => change.eventId === eventId).map(({ kind }) => kind);
    expect(kinds).toEqual(['void']);
  });

  it.each([
    [
      'an unknown pool',
      ['pool', 'show', 'none'],
      /There is no rating pool "none"; "muster pools list" lists the pools/,
    ],
    ['the health of none', ['pool', 'health', 'none'], /There is no rating pool "none"/],
    [
      'an unknown model',
      ['pool', 'create', 'x', '--model', 'best'],
      /no rating model "best"; there is .*elo/,
    ],
    ['an unknown model to show', ['pool', 'models', 'best'], /no rating model "best"; there is .*elo/],
    [
      'a rebuild under none',
      ['pool', 'rebuild', 'season', '--model', 'best'],
      /There is no rating model "best"; there is .*elo/,
    ],
    [
      'an unknown parameter',
      ['pool', 'create', 'x', '--model', 'elo', '--set', 'q=3'],
      /There is no parameter "q"; there is .*\bk\b/,
    ],
    [
      'a parameter out of range',
      ['pool', 'change', 'season', '--set', 'k=-3'],
      /Parameter "k" is -3; it must be a number from 0 to/,
    ],
    [
      'a parameter without a value',
      ['pool', 'change', 'season', '--set', 'k'],
      /Give a name and a value, such as/,
    ],
    ['nothing to change', ['pool', 'change', 'season'], /Give a change, such as --set/],
    [
      'another fit',
      ['pool', 'rebuild', 'season', '--refit'],
      /Only ratings of the model hive can be fitted to a whole history/,
    ],
    [
      'a plot that cannot be',
      ['pool', 'health', 'season', '--plot', '/none/x.svg'],
      /is in a folder that does not exist/,
    ],
    ['no reason', ['player', 'set', 'p1', '20'], /required option '--reason <text>'/],
    ['no number', ['player', 'set', 'p1', 'high', '--reason', 'r'], /It must be a number, not "high"/],
    ['an invalid id', ['match', 'void', 's1', '--reason', 'r'], /Give the id of a match, such as mat_/],
    [
      'cases of an unknown pool',
      ['case', 'list', '--pool', 'nope'],
      /There is no rating pool "nope"; "muster pools list" lists the pools/,
    ],
    [
      'a season without rules',
      ['season', 'preview', 'season'],
      /has no season rules: give --rules, or set them with "muster pools change season --season RULES"\./,
    ],
    [
      'an unknown match',
      ['match', 'void', 'mat_00000000', '--reason', 'r'],
      /There is no match mat_00000000/,
    ],
    [
      'no coordinator',
      ['pool', 'list', '--url', 'http://127.0.0.1:1'],
      /No Muster answers at http:\/\/127\.0\.0\.1:1/,
    ],
    ['another key', ['pool', 'list', '--operator-key', 'guess'], /rejects this operator key; give another/],
  ])('explains the remedy: %s', async (_what, args, sentence) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: failedCode(stderr), stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('teaches', async () => {
    for (const name of ['create', 'show', 'change', 'health', 'rebuild']) {
      const { code, stdout } = await muster(['pools', name, '--help']);
      expect({ name, code, teaches: stdout.includes(`muster pools ${name} ladder`) }).toEqual({
        name,
        code: 0,
        teaches: true,
      });
    }
    const { code, stdout } = await muster(['pool', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('muster pools models');
  });
});
