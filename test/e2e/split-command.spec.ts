import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failedCode, muster, type Ended } from '../support/muster.js';

const list = join('docs', 'examples', 'seventeen-players.txt');
const listed = readFileSync(list, 'utf8').trim().split('\n');
const split = (...args: string[]): Promise<Ended> => muster(['split', ...args]);
const piped = (input: string, ...args: string[]): Promise<Ended> =>
  muster(['split', ...args], {}, undefined, input);

interface PrintedTeam {
  readonly players: readonly string[];
  readonly bots: number;
  readonly botWeight: number;
  readonly botSum: number;
  readonly sum: number;
}

/** The printed teams, as numbers. */
function teamsIn(stdout: string): PrintedTeam[] {
  return [...stdout.matchAll(/^Team \d+: .*\n((?: {2}.*\n)+)/gm)].map(([, lines = '']) => {
    const all = lines
      .trimEnd()
      .split('\n')
      .map((line) => line.trim());
    const [, bots, botWeight, botSum] = /^\+ (\d+) \* (\S+) = (\S+)$/.exec(all.at(-2) ?? '') ?? [];
    const [, sum] = /^= (\S+)$/.exec(all.at(-1) ?? '') ?? [];
    return {
      players: all.slice(0, -2),
      bots: Number(bots),
      botWeight: Number(botWeight),
      botSum: Number(botSum),
      sum: Number(sum),
    };
  });
}

const weightOf = (player: string): number => Number(player.split(' ')[0]);

/** Every player of the list is on one team, and the printed numbers add up. */
function expectToAddUp(teams: readonly PrintedTeam[], players: readonly string[]): void {
  expect(teams.flatMap((team) => team.players).toSorted()).toEqual(players.toSorted());
  for (const { players: members, bots, botWeight, botSum, sum } of teams) {
    expect(bots * botWeight).toBeCloseTo(botSum, 9);
    expect(members.reduce((all, player) => all + weightOf(player), 0) + botSum).toBeCloseTo(sum, 9);
  }
}

describe('muster split', () => {
  it('splits the example list by the rules of the map, with the quality of the result', async () => {
    const { code, stdout, stderr } = await split(list);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const teams = teamsIn(stdout);
    expectToAddUp(teams, listed);
    // No team may have more than 9 of 17, and a bot of the mean weight balances the eight.
    expect(teams.map(({ players, bots }) => `${players.length} + ${bots}`).toSorted()).toEqual([
      '8 + 1',
      '9 + 0',
    ]);
    expect(teams.map(({ botWeight }) => botWeight)).toEqual([20, 20]);
    expect(stdout).toMatch(/^17 players for 2 teams\nMap for 6 to 12 players \(target 8\), so 18 places\n/);
    const [, ratio] = /^Ratio (\S+), .* \(seed 0, power 1\)\.$/m.exec(stdout) ?? [];
    const sums = teams.map(({ sum }) => sum);
    expect(Number(ratio)).toBeCloseTo(Math.min(...sums) / Math.max(...sums), 9);
    expect(stdout).toMatch(/^There are 24,310 ways to split them by the rules\.$/m);
    expect(stdout).toMatch(/^Proven: no split has a ratio above 0\.9973262032\.$/m);
  });

  it('draws the same teams for the same seed, and other teams for others', async () => {
    const [one, again, ...others] = await Promise.all(
      ['7', '7', '8', '9', '10'].map((seed) => split(list, '--seed', seed)),
    );
    expect(one?.code).toBe(0);
    expect(again?.stdout).toBe(one?.stdout);
    const teamsOf = (ended: Ended | undefined): string => JSON.stringify(teamsIn(ended?.stdout ?? ''));
    expect(others.map(teamsOf).some((teams) => teams !== teamsOf(one))).toBe(true);
    for (const ended of others) expectToAddUp(teamsIn(ended.stdout), listed);
  });

  it('reads standard input, and distinguishes two players of one name', async () => {
    const { code, stdout } = await piped(
      '# tonight\n\n9 Bob\n5 Bob\n3.5 Ann B.\n',
      '--bot',
      '4.5',
      '--min',
      '4',
    );
    expect(code).toBe(0);
    const teams = teamsIn(stdout);
    expectToAddUp(teams, ['9 Bob', '5 Bob', '3.5 Ann B.']);
    expect(teams.map(({ players, bots }) => players.length + bots)).toEqual([4, 4]);
  });

  it('fills three teams', async () => {
    const { code, stdout } = await split(list, '--teams', '3');
    expect(code).toBe(0);
    const teams = teamsIn(stdout);
    expectToAddUp(teams, listed);
    const largest = Math.max(...teams.map(({ players }) => players.length));
    expect(largest).toBeLessThanOrEqual(9);
    expect(teams.map(({ players, bots }) => players.length + bots)).toEqual([largest, largest, largest]);
  });

  it('prints one JSON document', async () => {
    const { code, stdout } = await split(list, '--json', '--seed', '3', '--best', '5', '--power', '2');
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as {
      teams: { players: { weight: number; name: string }[]; bots: number; sum: number }[];
    };
    expect(document).toMatchObject({
      players: 17,
      places: 18,
      map: { min: 6, max: 12, target: 8 },
      botWeight: 20,
      draw: { best: 5, seed: 3, power: 2, from: 5 },
      ranked: true,
      certificate: { status: 'proven' },
      ways: 24_310,
      shift: 0,
    });
    for (const { players, bots, sum } of document.teams)
      expect(players.reduce((all, { weight }) => all + weight, 20 * bots)).toBeCloseTo(sum, 9);
  });

  it('explains itself in its help', async () => {
    const { code, stdout } = await split('--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/92 Riddick/);
    expect(stdout).toMatch(/Example: .* split docs\/examples\/seventeen-players\.txt/);
  });

  it.each<[string, string[], string, RegExp]>([
    ['no such file', ['nobody.txt'], '', /^muster: nobody\.txt is not there; give the path/],
    ['a folder', ['docs'], '', /^muster: docs is a folder; name a file in it\./],
    [
      'a line without a number',
      [],
      '5 Ann\nBob\n',
      /^muster: standard input, line 2: "Bob" does not begin with a number; write the weight, then the name/,
    ],
    ['one player', [], '5 Ann\n', /^muster: 2 teams need at least 2 players, and the list has 1; add/],
    ['an empty list', [], '', /^muster: .* the list has 0/],
    ['a map with min above max', [list, '--min', '9', '--max', '8'], '', /^muster: --min 9 is above --max 8/],
    ['an unknown option', [list, '--luck'], '', /^error: unknown option '--luck'\n.*--help/],
    ['one team', [list, '--teams', '1'], '', /--teams.*Give a whole number from 2 to 16\./],
    ['a bot of no weight', [list, '--bot', 'heavy'], '', /--bot.*Give a number/],
    ['a negative power', [list, '--power', '-1'], '', /--power.*Give a number of at least 0\./],
    ['two lists', [list, list], '', /too many arguments/],
  ])('explains the error of %s', async (_, args, input, words) => {
    const { code, stdout, stderr } = await piped(input, ...args);
    expect(code).toBe(failedCode(stderr));
    expect(stdout).toBe('');
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n\s+at |node_modules/);
  });
});
