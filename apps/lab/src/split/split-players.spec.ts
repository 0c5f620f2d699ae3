import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPlayers, type ListedPlayer } from './player-lines.js';
import { splitPlayers, type DrawnSplit, type SplitCommandOptions } from './split-players.js';

const list = new URL('../../../../docs/examples/seventeen-players.txt', import.meta.url);
const seventeen = readPlayers(readFileSync(list, 'utf8'), 'seventeen-players.txt');
const options: SplitCommandOptions = {
  min: 6,
  max: 12,
  target: 8,
  bot: 20,
  teams: 2,
  best: 20,
  seed: 0,
  power: 1,
};

const sumOf = (players: readonly ListedPlayer[]): number =>
  players.reduce((sum, { weight }) => sum + weight, 0);

/** Every player is on one team, and every team's sum is that of its players and bots. */
function expectWhole(
  { teams, ratio }: DrawnSplit,
  players: readonly ListedPlayer[],
  { bot }: SplitCommandOptions,
): void {
  const byText = (player: ListedPlayer): string => `${player.weight} ${player.name}`;
  expect(
    teams
      .flatMap((team) => team.players)
      .map(byText)
      .toSorted(),
  ).toEqual(players.map(byText).toSorted());
  for (const team of teams) expect(team.sum).toBeCloseTo(sumOf(team.players) + team.bots * bot, 6);
  expect(new Set(teams.map((team) => team.players.length + team.bots)).size).toBe(1);
  const sums = teams.map((team) => team.sum);
  expect(ratio).toBeCloseTo(Math.min(...sums) / Math.max(...sums), 9);
}

describe('splitPlayers', () => {
  it('splits the seventeen into nine, and eight with a bot, as evenly as 727 and a bot of 20 can be', () => {
    const drawn = splitPlayers(seventeen, { ...options, best: 1 });
    expectWhole(drawn, seventeen, options);
    expect(drawn.teams.map(({ players, bots }) => players.length + bots)).toEqual([9, 9]);
    expect(drawn.teams.map(({ bots }) => bots).toSorted()).toEqual([0, 1]);
    expect(drawn.teams.map(({ sum }) => sum).toSorted()).toEqual([373, 374]);
    expect(drawn.answer.certificate.status).toBe('proven');
  });

  it('draws the same split for the same seed, and various ones of the best for others', () => {
    const seeds = Array.from({ length: 40 }, (_, seed) => seed);
    const drawn = seeds.map((seed) => splitPlayers(seventeen, { ...options, seed }));
    expect(seeds.map((seed) => splitPlayers(seventeen, { ...options, seed }))).toEqual(drawn);
    for (const split of drawn) expectWhole(split, seventeen, options);
    expect(new Set(drawn.map(({ answer }) => answer.chosen)).size).toBeGreaterThan(5);
    expect(Math.max(...drawn.map(({ answer }) => answer.chosen))).toBeLessThan(20);
    expect(Math.min(...drawn.map(({ ratio }) => ratio))).toBeGreaterThan(0.99);
  });

  it('keeps to the rules of the map', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 14 }),
        fc.record({
          min: fc.integer({ min: 1, max: 12 }),
          more: fc.integer({ min: 0, max: 12 }),
          target: fc.integer({ min: 1, max: 30 }),
          bot: fc.integer({ min: 1, max: 50 }),
        }),
        (weights, { min, more, target, bot }) => {
          const players = weights.map((weight, i) => ({ weight, name: `p${i % 3}` }));
          const rules = { ...options, min, max: min + more, target, bot };
          const drawn = splitPlayers(players, rules);
          expectWhole(drawn, players, rules);
          const sizes = drawn.teams.map((team) => team.players.length);
          const wanted = Math.min(Math.max(target, min), min + more);
          const places = Math.max(2 * Math.ceil(wanted / 2), 2 * Math.max(...sizes));
          expect(drawn.teams.map((team) => team.players.length + team.bots)).toEqual([
            places / 2,
            places / 2,
          ]);
          const cap = Math.max(Math.floor((18 * players.length) / 32), Math.ceil(players.length / 2));
          expect(Math.max(...sizes)).toBeLessThanOrEqual(cap);
          expect(drawn.answer.certificate.status).toBe('proven');
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds the optimum of a small list, by exhaustive search', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 4, maxLength: 9 }),
        fc.integer({ min: 1, max: 40 }),
        (weights, bot) => {
          const players = weights.map((weight, i) => ({ weight, name: `p${i}` }));
          const rules = { ...options, bot, best: 1 };
          expect(splitPlayers(players, rules).ratio).toBeCloseTo(bestRatio(weights, bot), 9);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([[3], [4]])('makes %i teams, the smaller ones filled with bots', (teams) => {
    const rules = { ...options, teams };
    const drawn = splitPlayers(seventeen, rules);
    expect(drawn.teams).toHaveLength(teams);
    expectWhole(drawn, seventeen, rules);
  });

  it.each([
    [{ min: 9, max: 8 }, 2, /--min 9 is above --max 8/],
    [{}, 1, /2 teams need at least 2 players, and the list has 1/],
    [{}, 0, /the list has 0/],
    [{ teams: 4 }, 3, /4 teams need at least 4 players/],
  ])('rejects %j with %i players', (over, count, message) => {
    expect(() => splitPlayers(seventeen.slice(0, count), { ...options, ...over })).toThrow(message);
  });
});

/** By exhaustive search: 8 places or as many as the larger team needs, no team above its cap. */
function bestRatio(weights: readonly number[], bot: number): number {
  const n = weights.length;
  const cap = Math.max(Math.floor((18 * n) / 32), Math.ceil(n / 2));
  let best = 0;
  for (let set = 1; set < 2 ** n - 1; set++) {
    const first = weights.filter((_, i) => set & (1 << i));
    const second = weights.filter((_, i) => !(set & (1 << i)));
    const larger = Math.max(first.length, second.length);
    if (larger > cap) continue;
    const places = Math.max(4, larger);
    const [a = 0, b = 0] = [first, second].map(
      (team) => team.reduce((sum, weight) => sum + weight, 0) + bot * (places - team.length),
    );
    best = Math.max(best, Math.min(a, b) / Math.max(a, b));
  }
  return best;
}
