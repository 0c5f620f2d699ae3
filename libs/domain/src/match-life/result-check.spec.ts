import { describe, expect, it } from 'vitest';
import type { ResultRules } from '../schemas/pool-rules.js';
import { conductOf, resultFaults, type ResultClaims } from './result-check.js';

const roster = ['ann', 'bob', 'cid'];
const faultsOf = (
  claims: ResultClaims,
  ranks: readonly number[] = [1, 2],
  given: Partial<ResultRules> | null = null,
): string[] =>
  resultFaults(claims, ranks, roster, given && { scores: 'higher-wins', stats: {}, ...given }).map(
    ({ path, message }) => `${path} ${message}`,
  );

const all = (joinedAt: number, leftAt: number) => roster.map((playerId) => ({ playerId, joinedAt, leftAt }));

const manyStats = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`stat-${i}`, i]));

describe('a result that makes no sense is refused', () => {
  it.each<[string, ResultClaims, RegExp]>([
    [
      'a player left before joining',
      { players: [{ playerId: 'ann', joinedAt: 9, leftAt: 8 }] },
      /^players\.0\.leftAt must be at or after joinedAt \(9\), not 8$/,
    ],
    [
      'a player joined after the end',
      {
        players: [
          { playerId: 'ann', joinedAt: 0, leftAt: 9 },
          { playerId: 'bob', joinedAt: 10 },
        ],
      },
      /^players\.1\.joinedAt 10 is after the last leftAt \(9\)/,
    ],
    [
      'a player left before anybody joined',
      {
        players: [
          { playerId: 'ann', joinedAt: 5, leftAt: 9 },
          { playerId: 'bob', leftAt: 4 },
        ],
      },
      /^players\.1\.leftAt 4 is before the first joinedAt \(5\)/,
    ],
    ['nobody has playing time', { players: all(5, 5) }, /^players nobody has any playing time/],
    [
      'nobody has playing time, at different moments',
      { players: roster.map((playerId, i) => ({ playerId, joinedAt: i, leftAt: i })) },
      /^players nobody has any playing time/,
    ],
    [
      'the match takes no time',
      { players: [{ playerId: 'ann', joinedAt: 5, leftAt: 5 }] },
      /^players nobody has any playing time/,
    ],
    [
      'only a bot has playing time',
      { players: [...all(5, 5), { playerId: 'bot:tiny', joinedAt: 0, leftAt: 9 }] },
      /^players nobody has any playing time/,
    ],
    [
      'a player is named twice',
      { players: [{ playerId: 'ann' }, { playerId: 'bob' }, { playerId: 'ann' }] },
      /^players\.2\.playerId names ann a second time/,
    ],
    ['a leaver is named twice', { leavers: ['ann', 'ann'] }, /^leavers\.1 names ann a second time/],
    [
      'three scores of two teams',
      { scores: [3, 2, 1] },
      /^scores must have one value for each of the 2 teams, not 3$/,
    ],
    [
      'three sides of two teams',
      { sides: ['a', 'b', 'c'] },
      /^sides must have one value for each of the 2 teams, not 3$/,
    ],
    [
      'scores against the winner',
      { scores: [3, 16] },
      /^scores contradict the outcome: team 0 is ahead of team 1/,
    ],
    ['a score beyond numbers', { scores: [1e300, 0] }, /^scores\.0 must be a number from -1000000000000 to/],
    ...([-5, 1e300, 1e6 + 1] as const).map((kills): [string, ResultClaims, RegExp] => [
      `${kills} kills`,
      { players: [{ playerId: 'ann', stats: { kills } }] },
      /^players\.0\.stats\.kills must be a number from 0 to 1000000, not/,
    ]),
    [
      'half a place',
      { players: [{ playerId: 'ann', stats: { place: 1.5 } }] },
      /^players\.0\.stats\.place must be a whole number from 1 to 10000, not 1\.5/,
    ],
    [
      'a stat of the game beyond numbers',
      { players: [{ playerId: 'ann', stats: { gold: -1e300 } }] },
      /^players\.0\.stats\.gold must be a number from -1000000000000/,
    ],
    [
      'kills that are a word',
      { players: [{ playerId: 'ann', stats: { kills: 'many' } }] },
      /^players\.0\.stats\.kills must be a number from 0 to 1000000, not "many"/,
    ],
    ...[0, 41, 60].map((letters): [string, ResultClaims, RegExp] => [
      `the name of a stat of ${letters} letters`,
      { players: [{ playerId: 'ann', stats: { ['n'.repeat(letters)]: 1 } }] },
      new RegExp(`^players\\.0\\.stats has the name "n*" of ${letters} letters; a name has 1 to 40`),
    ]),
    [
      'a 33rd stat beside those that models use',
      { players: [{ playerId: 'ann', stats: { kills: 1, place: 2, ...manyStats(33) } }] },
      /^players\.0\.stats must have at most 32 names beside those that models use, not 33$/,
    ],
  ])('%s', (_says, claims, fault) => {
    const faults = faultsOf(claims);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
  });

  it('with all of its faults', () => {
    expect(
      faultsOf({ scores: [1], sides: ['a'], leavers: ['ann', 'ann'], players: [{ playerId: 'ann' }] }),
    ).toHaveLength(3);
  });

  it('a tie with unequal scores, and ranks of many teams that the scores contradict', () => {
    expect(faultsOf({ scores: [2, 2, 1] }, [1, 1, 3])).toEqual([]);
    expect(faultsOf({ scores: [2, 1, 0] }, [1, 1, 3])[0]).toMatch(/teams 1 and 0 tie/);
    expect(faultsOf({ scores: [1, 3, 2] }, [3, 1, 2])).toEqual([]);
    expect(faultsOf({ scores: [2, 3, 1] }, [3, 1, 2])[0]).toMatch(/team 2 is ahead of team 0/);
  });
});

describe('a result counts that a game may well have', () => {
  it.each<[string, ResultClaims]>([
    ['nothing but ranks', {}],
    ['a win with equal scores', { scores: [2, 2] }],
    ['negative scores', { scores: [-1, -7] }],
    [
      'one player who never came',
      {
        players: [
          { playerId: 'ann', joinedAt: 5, leftAt: 5 },
          { playerId: 'bob', joinedAt: 0, leftAt: 9 },
        ],
      },
    ],
    [
      'only the leaver has times',
      { players: [{ playerId: 'ann', joinedAt: 0, leftAt: 5 }], leavers: ['ann'] },
    ],
    [
      'stats that are words, or whose name objects have',
      { players: [{ playerId: 'ann', stats: { hero: 'x', constructor: 5 } }] },
    ],
    [
      'as many stats as there may be, with the longest name',
      { players: [{ playerId: 'ann', stats: { kills: 1, ['n'.repeat(40)]: 1, ...manyStats(31) } }] },
    ],
  ])('%s', (_says, claims) => {
    expect(faultsOf(claims)).toEqual([]);
  });

  it('where the pool says that the lower score wins, or that scores say nothing', () => {
    expect(faultsOf({ scores: [3, 16] }, [1, 2], { scores: 'lower-wins' })).toEqual([]);
    expect(faultsOf({ scores: [16, 3] }, [1, 2], { scores: 'lower-wins' })).toHaveLength(1);
    expect(faultsOf({ scores: [3, 16] }, [1, 2], { scores: 'any' })).toEqual([]);
  });

  it('within the bounds of the pool', () => {
    const players = [{ playerId: 'ann', stats: { kills: -5, gold: 11 } }];
    expect(faultsOf({ players }, [1, 2], { stats: { kills: { min: -10 } } })).toEqual([]);
    expect(faultsOf({ players }, [1, 2], { stats: { kills: { min: -10 }, gold: { max: 10 } } })).toHaveLength(
      1,
    );
  });
});

describe('playing time decides who offended in a match that was played', () => {
  const stayed = { playerId: 'cid', joinedAt: 0, leftAt: 9 };
  it.each<[string, ResultClaims, ReturnType<typeof conductOf>]>([
    ['a no-show without times', { noShows: ['ann'] }, { absent: ['ann'], noShows: ['ann'], leavers: [] }],
    [
      'a no-show without playing time',
      { noShows: ['ann'], players: [{ playerId: 'ann', joinedAt: 5, leftAt: 5 }, stayed] },
      { absent: ['ann'], noShows: ['ann'], leavers: [] },
    ],
    [
      'a no-show who played',
      { noShows: ['ann'], players: [{ playerId: 'ann', joinedAt: 0, leftAt: 5 }, stayed] },
      { absent: [], noShows: [], leavers: ['ann'] },
    ],
    [
      'a leaver',
      { leavers: ['ann'], players: [{ playerId: 'ann', leftAt: 5 }, stayed] },
      { absent: [], noShows: [], leavers: ['ann'] },
    ],
    [
      'a leaver who was there until the end',
      { leavers: ['ann'], players: [{ playerId: 'ann', leftAt: 9 }, stayed] },
      { absent: [], noShows: [], leavers: [] },
    ],
    [
      'a leaver, where nobody says when it ended',
      { leavers: ['ann'], players: [{ playerId: 'ann', leftAt: 9 }] },
      { absent: [], noShows: [], leavers: ['ann'] },
    ],
  ])('%s', (_says, claims, conduct) => {
    expect(conductOf(claims)).toEqual(conduct);
  });

  it('and a match that nobody played is refused', () => {
    expect(faultsOf({ noShows: roster })[0]).toMatch(/^players nobody has any playing time/);
    expect(faultsOf({ noShows: ['ann', 'ann'] })).toHaveLength(1);
    expect(faultsOf({ noShows: ['ann'], leavers: ['ann'] })[0]).toMatch(
      /^noShows\.0 names ann a second time/,
    );
    expect(faultsOf({ noShows: ['ann'] })).toEqual([]);
  });
});
