import { seededRandom } from '@muster/domain';
import { flawOfXml } from '@muster/testing';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failedCode, muster, type Ended } from '../support/muster.js';

interface Figures {
  readonly accuracy: number;
  readonly logLoss: number;
  readonly brier: number;
  readonly reliability: readonly { readonly count: number }[];
}

interface Line {
  readonly file: string;
  readonly matches: number;
  readonly models: readonly {
    readonly model: string;
    readonly sameAs: string | null;
    readonly raw: Figures;
    readonly calibrated: Figures;
  }[];
  readonly notApplicable: readonly { readonly model: string; readonly reason: string }[];
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-evaluate-'));
  await writeFile(at('season.csv'), matchFile(teamMatches()));
  await writeFile(at('races.csv'), matchFile(races()));
  await writeFile(
    at('broken.csv'),
    matchFile([...teamMatches().slice(0, 40), 'oops', 'late,2024-02-30,a;b,1;2,Oval']),
  );
  await writeFile(at('draws.csv'), matchFile(['m1,2024-01-01,a;b,1;1,Oval']));
  await writeFile(at('other.csv'), 'name,score\nann,3\n');
  await writeFile(at('stats.csv'), statsFile());
});
afterAll(() => rm(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
const evaluate = (...args: string[]): Promise<Ended> => muster(['evaluate', ...args]);
const matchFile = (rows: readonly string[]): string =>
  ['match_id,time,teams,ranks,context', ...rows, ''].join('\n');

function lineOf({ stdout }: Ended): Line {
  expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
  return JSON.parse(stdout) as Line;
}

/** 24 players of known skill, three per side, with a home advantage. */
function teamMatches(): string[] {
  const random = seededRandom(11);
  return Array.from({ length: 400 }, (_, i) => {
    const players = Array.from({ length: 24 }, (_player, p) => ({ p, key: random() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ p }) => p)
      .slice(0, 6);
    const sum = (team: readonly number[]): number => team.reduce((all, p) => all + p, 0);
    const odds = 0.12 * (sum(players.slice(0, 3)) - sum(players.slice(3))) + 0.4;
    const names = players.map((p) => `player${p}`);
    const time = new Date(Date.UTC(2024, 0, 1) + i * 3_600_000).toISOString().slice(0, 19);
    const teams = `${names.slice(0, 3).join('|')};${names.slice(3).join('|')}`;
    const ranks = random() < 1 / (1 + Math.exp(-odds)) ? '1;2' : '2;1';
    return `m${i},${time},${teams},${ranks},${i % 2 === 0 ? 'Oval' : 'Park'}:${i}`;
  });
}

/** Races of ten, mostly won by better players. */
function races(): string[] {
  const random = seededRandom(12);
  return Array.from({ length: 60 }, (_, i) => {
    const order = Array.from({ length: 10 }, (_racer, p) => ({ p, key: p + 6 * random() })).toSorted(
      (a, b) => b.key - a.key,
    );
    const ranks = Array.from({ length: 10 }, (_racer, p) => 1 + order.findIndex((each) => each.p === p));
    const racers = ranks.map((_rank, p) => `racer${p}`);
    return `r${i},2024-01-01,${racers.join(';')},${ranks.join(';')},`;
  });
}

/** Stats of 30 players; better ones score more. */
function statsFile(): string {
  const random = seededRandom(13);
  const rows = Array.from({ length: 300 }, (_, i) => {
    const players = Array.from({ length: 30 }, (_player, p) => ({ p, key: random() }))
      .toSorted((a, b) => a.key - b.key)
      .slice(0, 6)
      .map(({ p }) => p);
    const sum = (team: readonly number[]): number => team.reduce((all, p) => all + p, 0);
    const first = random() < 1 / (1 + Math.exp(-0.15 * (sum(players.slice(0, 3)) - sum(players.slice(3)))));
    return players.map((p, n) => {
      const won = n < 3 === first ? 1 : 0;
      const stats = `${(p / 3 + 6 * random()).toFixed(1)},${(10 * random()).toFixed(1)}`;
      return `m${i},2024-01-01,player${p},${n < 3 ? 'red' : 'blue'},${won},100,${stats}`;
    });
  });
  return ['match_id,date,player,side,won,pct_played,scored,walked', ...rows.flat(), ''].join('\n');
}

describe('muster evaluate', () => {
  it('prints a table of every model, best first, with the reasons for missing ones', async () => {
    const { code, stdout, stderr } = await evaluate(at('season.csv'), '--models', 'all');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/season\.csv: 400 matches, 24 players\n/);
    expect(stdout).toMatch(/^Situations: side \(first, second, .* and venue \(2 of them, 200 matches each/m);
    expect(stdout).toMatch(/over the last 80 % of the decided matches: 320\.$/m);
    const rows = [...stdout.matchAll(/^([* ]) (\S+) +(?:[\d.]+ +){4}([\d.]+) +[\d.]+ +-?[\d.]+ +[\d.]+$/gm)];
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.map(([, mark]) => mark).join('')).toBe('*'.padEnd(rows.length));
    const losses = rows.map(([, , , logLoss]) => Number(logLoss));
    expect(losses).toEqual(losses.toSorted((a, b) => a - b));
    expect(stdout).toMatch(
      /\nNot applicable to this file:\n(.*\n)* {2}pub-power: It needs every player’s place/,
    );
  });

  it('prints one line of JSON, and plots the result', async () => {
    const plot = at('season.svg');
    const ended = await evaluate(at('season.csv'), '--json', '--plot', plot);

    expect(ended.code).toBe(0);
    const { file, matches, models, notApplicable } = lineOf(ended);
    expect({ file, matches }).toEqual({ file: at('season.csv'), matches: 400 });
    expect(models.find(({ model }) => model === 'openskill-bradley-terry-full')?.sameAs).toBe(
      'openskill-plackett-luce',
    );
    for (const { raw, calibrated } of models)
      for (const { accuracy, logLoss, brier } of [raw, calibrated]) {
        expect(accuracy).toBeGreaterThan(0.4);
        expect(accuracy).toBeLessThan(1);
        expect(logLoss).toBeGreaterThan(0);
        expect(brier).toBeLessThan(0.5);
      }
    const openskill = models.find(({ model }) => model === 'openskill-plackett-luce');
    expect(openskill?.calibrated.logLoss).toBeLessThan(Math.LN2);
    for (const { reason } of notApplicable) expect(reason).toMatch(/\.$/);
    const svg = await readFile(plot, 'utf8');
    expect(flawOfXml(svg)).toBeNull();
    for (const { model, sameAs } of models) expect(svg.includes(`>${model}</text>`)).toBe(sameAs === null);
    const counts = models[0]?.calibrated.reliability.map(({ count }) => count) ?? [];
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeCloseTo(320, 6);
  });

  it('evaluates the given models, reproducibly', async () => {
    const args = [at('season.csv'), '--models', 'elo,openskill-plackett-luce', '--json'];
    const [one, again] = await Promise.all([evaluate(...args), evaluate(...args)]);
    const figures = (ended: Ended) =>
      lineOf(ended).models.map(({ model, raw, calibrated }) => ({ model, raw, calibrated }));
    expect(
      figures(one)
        .map(({ model }) => model)
        .toSorted(),
    ).toEqual(['elo', 'openskill-plackett-luce']);
    expect(figures(again)).toEqual(figures(one));
  });

  it('gives the same figures and predictions in one thread and in several', async () => {
    const args = [at('season.csv'), '--models', 'elo,glicko2,openskill-plackett-luce', '--json'];
    const [one, three] = await Promise.all(
      ['1', '3'].map((threads) =>
        evaluate(...args, '--threads', threads, '--predictions', at(`predictions-${threads}.csv`)),
      ),
    );
    const figures = (ended: Ended | undefined) =>
      ended && lineOf(ended).models.map(({ model, raw, calibrated }) => ({ model, raw, calibrated }));
    expect(figures(three)).toEqual(figures(one));
    const text = await readFile(at('predictions-1.csv'), 'utf8');
    expect(await readFile(at('predictions-3.csv'), 'utf8')).toBe(text);
    expect(text.split('\n', 2)).toEqual([
      'model,match_id,line,ranks,raw,calibrated',
      expect.stringMatching(/^elo,m80,82,[12];[12],0\.\d{6};0\.\d{6},0\.\d{6};0\.\d{6}$/),
    ]);
    expect(text.trimEnd().split('\n')).toHaveLength(1 + 3 * 320);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('writes predictions as lines of JSON, and sets parameters', async () => {
    const args = [at('season.csv'), '--models', 'elo', '--json', '--predictions', at('elo.jsonl')];
    const [byDefault, slow] = [await evaluate(...args), await evaluate(...args, '--set', 'k=1')];
    expect(lineOf(slow).models[0]?.raw.logLoss).not.toBe(lineOf(byDefault).models[0]?.raw.logLoss);
    const [first = ''] = (await readFile(at('elo.jsonl'), 'utf8')).split('\n');
    expect(JSON.parse(first)).toMatchObject({ model: 'elo', matchId: 'm80', line: 82 });
  });

  it('scores races by their pairs, and names the models limited to two sides', async () => {
    const { code, stdout } = await evaluate(at('races.csv'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Situations: none; no match has two teams\.$/m);
    expect(stdout).toMatch(/^All are of more than two teams: there every pair/m);
    expect(stdout).toMatch(/^[* ] pub-power /m);
    expect(stdout).toMatch(/^ {2}synelo: \S.*\.$/m);
  });

  it('names malformed rows by line, and counts the others', async () => {
    const { code, stdout, stderr } = await evaluate(at('broken.csv'), '--models', 'elo', '--json');
    expect(code).toBe(2);
    expect(stderr).toMatch(/broken\.csv, line 42 refused: it has 1 column where the header has 5\n/);
    expect(stderr).toMatch(/broken\.csv, line 43 refused: time "2024-02-30" is not of the form/);
    expect(JSON.parse(stdout)).toMatchObject({ matches: 40, refused: 2 });
  });

  it('finds a file in MUSTER_DATA, limits the rows, and ignores situations', async () => {
    const args = ['season.csv', '--models', 'elo', '--limit', '50', '--no-situations'];
    const { code, stdout } = await muster(['evaluate', ...args], { MUSTER_DATA: folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^season\.csv: 50 matches/);
    expect(stdout).toMatch(/^Situations: none, as requested\.$/m);
    expect((await evaluate(at('season.csv'), '--models', 'elo', '--sides', 'home,away')).stdout).toMatch(
      /^Situations: side \(home, away/m,
    );
  });

  it('explains itself in its help', async () => {
    const { code, stdout } = await evaluate('--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/match_id,time,teams,ranks,context/);
    expect(stdout).toMatch(/Example: .* evaluate season-2024\.csv --models all/);
  });

  it.each<[string, string[], RegExp]>([
    ['no such file', ['nobody.csv'], /^muster: nobody\.csv is n\w+ \w+.*give the path/],
    [
      'a file of something else',
      ['other.csv'],
      /^muster: .*other\.csv is not a file of recorded matches: its/,
    ],
    ['an unknown model', ['season.csv', '--models', 'luck'], /no rating model "luck"; there is openskill-/],
    [
      'an unknown parameter',
      ['season.csv', '--set', 'speed=1'],
      /None of these models has a parameter "speed"/,
    ],
    [
      'a wrong parameter',
      ['season.csv', '--set', 'k=-1'],
      /elo: Parameter "k" is -1; it must be a number from 0/,
    ],
    ['matches without a winner', ['draws.csv'], /draws\.csv has no match with a winner/],
    [
      'a plot nowhere',
      ['season.csv', '--plot', 'none/x.svg'],
      /x\.svg is in a folder that does not exist; create/,
    ],
    ['a plot that is a folder', ['season.csv', '--plot', '.'], /is a folder; name a file in it\./],
    ['one side', ['season.csv', '--sides', 'home'], /--sides.*Give two different names separated by a comma/],
    ['an unknown aggregation', ['season.csv', '--aggregation', 'most'], /--aggregation.*mean, sum, learned/],
  ])('explains the error of %s', async (_, [file = '', ...args], words) => {
    const known = await readdir(folder);
    const inFolder = args.map((arg) => (/svg$|^\.$/.test(arg) ? join(folder, arg) : arg));
    const { code, stdout, stderr } = await evaluate(known.includes(file) ? at(file) : file, ...inFolder);
    expect(code).toBe(failedCode(stderr));
    expect(stdout).toBe('');
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n\s+at |node_modules/);
  });
});

describe('muster placement', () => {
  it('finds the stat that distinguishes players', async () => {
    const { code, stdout, stderr } = await muster(['placement', at('stats.csv')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/stats\.csv: 1,800 rows, 300 matches, 30 players\n/);
    expect(stdout).toMatch(/^ {2}R², held out +0\.\d{3} /m);
    expect(stdout).toMatch(/\n {2}scored +\+\d\.\d{3}\n {2}walked +[−+]\d\.\d{3}\n$/);
  });

  it('prints one line of JSON', async () => {
    const { code, stdout } = await muster(['placement', at('stats.csv'), '--json']);
    expect(code).toBe(0);
    const { rows, heldOutR2, rmse, rmseOfMean } = JSON.parse(stdout) as Record<string, number>;
    expect(rows).toBe(1_800);
    expect(heldOutR2).toBeGreaterThan(0.1);
    expect(rmse).toBeLessThan(rmseOfMean ?? 0);
  });

  it.each<[string, string, RegExp]>([
    ['no such file', 'nobody.csv', /^muster: \S*nobody\.csv is n\w+ \w+/],
    [
      'a match file',
      'season.csv',
      /season\.csv is not a file of player stats: its first line must be match_id,date/,
    ],
  ])('explains the error of %s', async (_, file, words) => {
    const { code, stdout, stderr } = await muster(['placement', at(file)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(words);
  });
});

const recorded = process.env['MUSTER_DATA'];

describe.skipIf(recorded === undefined)('recorded histories (skipped without the folder MUSTER_DATA)', () => {
  it.each([
    'halo2_head_to_head.csv',
    'halo2_large_teams.csv',
    'afl_2003_2014_teams.csv',
    'f1_1950_2009_races_ffa.csv',
  ])(
    'are predicted within 1 % of the best model by default, and within 5 % by every other: %s',
    async (file) => {
      const { models } = lineOf(await evaluate(join(recorded ?? '', file), '--json', '--threads', '2'));
      expect(models.length).toBeGreaterThan(6);
      const [best = NaN] = models.map(({ calibrated }) => calibrated.logLoss);
      for (const { model, raw, calibrated } of models) {
        const limits = [
          calibrated.logLoss <= best * (model === 'openskill-plackett-luce' ? 1.01 : 1.05),
          calibrated.logLoss <= Math.LN2,
          // A calibration is never worse than none, but for chance.
          calibrated.logLoss <= raw.logLoss + 0.0005,
        ];
        expect({ model, limits }).toEqual({ model, limits: [true, true, true] });
      }
    },
    180_000,
  );
});
