import { message } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { change, team, teams } from '../../test-support/rosters.js';
import { chooseByPowers, findByPowers, sizesUnbalanced, type PowersRule } from './finding.js';
import type { Choice, Guards } from './imbalance.js';
import { sectorsEdge } from '../policies.js';
import type { Roster } from '../roster/roster.js';

const rule = sectorsEdge('1.2.1').rules[0] as PowersRule;
const open: Guards = { movedBefore: new Set(), swings: () => false, settles: () => false };

function choice(roster: Roster, with_: Partial<PowersRule> = {}, guards: Guards = open): Choice {
  const used = { ...rule, ...with_ };
  const imbalance = findByPowers(roster, used);
  if (!imbalance) throw new Error('balanced');
  return chooseByPowers(roster, used, imbalance, guards);
}

const dead = (...ids: string[]): Record<string, { alive: false }> =>
  Object.fromEntries(ids.map((id) => [id, { alive: false }]));

describe('sizes that are unbalanced (L7)', () => {
  const pairs = (unbalanced: (larger: number, smaller: number) => boolean): string[] =>
    Array.from({ length: 7 }, (_, larger) =>
      Array.from({ length: larger + 1 }, (__, smaller) => [larger, smaller] as const),
    )
      .flat()
      .filter(([larger, smaller]) => unbalanced(larger, smaller))
      .map((pair) => pair.join(':'));

  it('match the source’s table', () => {
    expect(pairs((larger, smaller) => sizesUnbalanced(larger, smaller, 'table'))).toEqual([
      '2:0',
      '3:0',
      '3:1',
      '4:0',
      '4:1',
      '4:2',
      '5:0',
      '5:1',
      '5:2',
      '6:0',
      '6:1',
      '6:2',
    ]);
    expect(sizesUnbalanced(5, 3, 'table')).toBe(false);
    expect(sizesUnbalanced(10, 8, 'table')).toBe(false);
  });

  it('are a difference of 2 in the general form', () => {
    const general = pairs((larger, smaller) => sizesUnbalanced(larger, smaller, 'difference'));

    expect(general).toEqual(pairs((larger, smaller) => larger - smaller >= 2));
    expect(sizesUnbalanced(10, 8, 'difference')).toBe(true);
  });
});

describe('when teams are unbalanced (L7)', () => {
  it.each([
    ['nobody', teams([], []), null],
    ['two against none', teams([1, 2], []), { by: 'size', from: 0, to: 1 }],
    ['three against one, the one on the first team', teams([9], [1, 2, 3]), { by: 'size', from: 1, to: 0 }],
    ['two against one', teams([1, 2], [3]), null],
    // Ranks 5 6 7 against 8 9 10: 18 to 27.
    ['three against three stronger by 9', teams([1, 2, 3], [4, 5, 6]), null],
    // Ranks 5 6 7 8 against 9 10 11 12: 26 to 42.
    ['four against four stronger by 16', teams([1, 2, 3, 4], [5, 6, 7, 8]), { by: 'power', from: 1, to: 0 }],
    // Ranks 5 8 9 against 6 7 10, within a point.
    ['an even three against three', teams([1, 4, 5], [2, 3, 6]), null],
    // The larger team is the weaker: size wins.
    ['four weak against two strong', teams([1, 2, 3, 4], [23, 24]), { by: 'size', from: 0, to: 1 }],
  ])('%s', (_, roster, expected) => {
    const found = findByPowers(roster, rule);

    expect(found && { by: found.by, from: found.from, to: found.to }).toEqual(expected);
  });

  it('treats a difference of exactly the threshold as unbalanced', () => {
    // Powers 5 7 9 11 against 6 8 10 12: 32 to 36.
    const by = (leastPower: number): unknown =>
      findByPowers(teams([1, 3, 5, 7], [2, 4, 6, 8]), { ...rule, leastPower });

    expect(by(4)).toMatchObject({ by: 'power', strengths: [32, 36] });
    expect(by(4.01)).toBeNull();
  });

  it('counts 5 against 3 by size only in the general form', () => {
    // Ranks: 5 6 7 8 9 = 35 against 10 11 12 = 33.
    const roster = teams([1, 2, 3, 4, 5], [6, 7, 8]);

    expect(findByPowers(roster, rule)).toBeNull();
    expect(findByPowers(roster, { ...rule, sizes: 'difference' })).toMatchObject({ by: 'size', from: 0 });
  });

  it('switches the rule of powers off in even games when read to the letter', () => {
    const even = teams([1, 2, 3, 4], [5, 6, 7, 8]);
    const uneven = teams([1, 2, 3], [4, 5, 6, 7, 8]);

    expect(findByPowers(even, rule)).toMatchObject({ by: 'power' });
    expect(findByPowers(even, { ...rule, strictSizes: true })).toBeNull();
    expect(findByPowers(uneven, { ...rule, strictSizes: true })).toMatchObject({ by: 'power' });
  });

  it('detects a team that crushes the other from 1.2.2 on', () => {
    const past = teams([1, 4, 5, 8, 9], [2, 3, 6, 7, 10]);
    const points = Object.fromEntries(
      ['a0', 'a1', 'a2', 'a3', 'a4'].map((id, i) => [id, { points: 10 + i }] as const),
    );
    const lesser = Object.fromEntries(
      ['b0', 'b1', 'b2', 'b3', 'b4'].map((id, i) => [id, { points: 1 + i }] as const),
    );
    const roster = change(change(past, points), lesser);

    expect(findByPowers(roster, rule)).toBeNull();
    expect(findByPowers(roster, { ...rule, version: '1.2.2' })).toMatchObject({
      by: 'power',
      from: 0,
      to: 1,
    });
  });

  it('names teams, not players', () => {
    expect(findByPowers({ ...teams([1, 2], []), teamNames: ['Red', 'Blue'] }, rule)?.why).toEqual([
      message('balance.sizes', { larger: 2, smaller: 0 }),
    ]);
    expect(findByPowers(teams([1, 2, 3, 4], [5, 6, 7, 8]), rule)?.why).toEqual([
      message('balance.much-stronger', { from: 1, to: 0, strength: 42, against: 26 }),
    ]);
  });
});

describe('who moves (L8)', () => {
  /** Powers 26 to 42; the second team's points ascend with their ids. */
  const stomp = change(teams([1, 2, 3, 4], [5, 6, 7, 8]), {
    b0: { points: 1 },
    b1: { points: 2 },
    b2: { points: 3 },
    b3: { points: 4 },
  });

  it('waits for a death among the lowest two thirds', () => {
    // ⌊0.67 · 4⌋ = 2.
    expect(choice(stomp)).toEqual({ outcome: 'waits', forOneOf: ['b0', 'b1'] });
    expect(choice(change(stomp, dead('b2', 'b3')))).toEqual({ outcome: 'waits', forOneOf: ['b0', 'b1'] });
  });

  it.each([
    ['who died', ['b1'], 'b1'],
    // b0 has 9: 33 to 35 is left; b1 has 10: 36 to 32.
    ['the one who leaves powers most even, of two', ['b0', 'b1', 'b3'], 'b0'],
  ])('moves %s', (_, ids, expected) => {
    expect(choice(change(stomp, dead(...ids)))).toMatchObject({
      outcome: 'moves',
      moves: [{ playerId: expected, from: 1, to: 0 }],
    });
  });

  it.each([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
    [6, 4],
    [9, 6],
    [10, 6],
  ])('of %i movable players, the lowest %i may move', (number, may) => {
    const players = team(
      0,
      Array.from({ length: number }, (_, i) => i),
    );
    const roster = { teams: 2, players: players.map((player, points) => ({ ...player, points })) };
    const guards = { ...open };
    const found = {
      by: 'size' as const,
      from: 0,
      to: 1,
      sizes: [number, 0],
      strengths: [1000, 0],
      why: [],
    };
    const chosen = chooseByPowers(roster, { ...rule, leastPower: 1000 }, found, guards);

    expect(chosen.outcome === 'waits' ? chosen.forOneOf.length : 0).toBe(may);
    expect(chosen.outcome).toBe(may > 0 ? 'waits' : 'nobody-fits');
  });

  it('treats players of equal score alike, whatever their names', () => {
    // ⌊0.67 · 4⌋ = 2: b0, and one of three who have 2 points each.
    const alike = change(stomp, { b1: { points: 2 }, b2: { points: 2 }, b3: { points: 2 } });

    expect(choice(alike)).toMatchObject({ outcome: 'waits', forOneOf: ['b0', 'b1', 'b2', 'b3'] });
    expect(choice(change(alike, { b3: { points: 3 } }))).toMatchObject({ forOneOf: ['b0', 'b1', 'b2'] });
  });

  it('skips parties, players moved before and bots, and counts two thirds of the others', () => {
    const roster = change(stomp, {
      ...dead('b0', 'b1', 'b2', 'b3'),
      b0: { partyId: 'x', alive: false },
      b3: { partyId: 'x', alive: false, points: 0 },
    });

    // b1 and b2 are left: one of them may.
    expect(choice(roster)).toMatchObject({ outcome: 'moves', moves: [{ playerId: 'b1' }] });
    // The source's code would let nobody of the team move while the one who died is in a party; its prose does.
    expect(choice(change(roster, { b1: { moved: true } }))).toMatchObject({ outcome: 'nobody-fits' });
    expect(choice(roster, {}, { ...open, movedBefore: new Set(['b1']) })).toMatchObject({
      outcome: 'nobody-fits',
    });
    expect(choice(change(roster, { b1: { bot: true } }))).toMatchObject({ outcome: 'nobody-fits' });
  });

  it('treats the only member of a party as a player without one', () => {
    expect(choice(change(stomp, { b0: { partyId: 'solo', alive: false } }))).toMatchObject({
      moves: [{ playerId: 'b0' }],
    });
  });

  it('does not leave the other team ahead by 10, unlike the source', () => {
    // Powers 6 7 9 12 against 5 8 10 11 13. The lowest two thirds are b4, b3 and b2.
    const roster = change(teams([2, 3, 5, 8], [1, 4, 6, 7, 9]), {
      b0: { points: 9 },
      b1: { points: 9 },
      b4: { points: 0, alive: false },
      b3: { points: 1, alive: false },
      b2: { points: 2 },
    });
    const found = findByPowers(roster, rule);

    expect(found).toMatchObject({ strengths: [34, 47], from: 1 });
    // Moving b3 (11) leaves 45 to 36: 9 ahead. Moving b4 (13) leaves 47 to 34.
    expect(choice(roster)).toMatchObject({ moves: [{ playerId: 'b3' }] });
    expect(choice(change(roster, { b3: { alive: true } }))).toEqual({
      outcome: 'waits',
      forOneOf: ['b3', 'b2'],
    });
  });

  it('excludes a lead of exactly 10', () => {
    const found = { by: 'power' as const, from: 1, to: 0, sizes: [4, 4], strengths: [26, 42], why: [] };
    const lowestOf = (strengths: number[]): Choice =>
      chooseByPowers(stomp, rule, { ...found, strengths }, open);

    // b0 has 9, b1 has 10. Ahead after: −16 + 18, −16 + 20.
    expect(lowestOf([26, 42])).toMatchObject({ forOneOf: ['b0', 'b1'] });
    // −10 + 18, −10 + 20 = 10.
    expect(lowestOf([26, 36])).toMatchObject({ forOneOf: ['b0'] });
    expect(lowestOf([26, 34])).toMatchObject({ outcome: 'nobody-fits' });
  });

  it('reports that no player fits where size and power point opposite ways and the guard forbids it', () => {
    // Four weak players against two strong ones.
    const roster = change(teams([1, 2, 3, 4], [23, 24]), dead('a0', 'a1'));

    expect(findByPowers(roster, rule)).toMatchObject({ by: 'size', strengths: [26, 19] });
    // a0 has 5: 21 to 24; a1 has 6: 20 to 25.
    expect(choice(roster)).toMatchObject({ moves: [{ playerId: 'a0' }] });
    const tight = choice(roster, { leastPower: 3 });
    expect(tight).toEqual({
      outcome: 'nobody-fits',
      why: [message('balance.too-strong', { to: 1 })],
    });
  });

  it('asks whether a move swings the match', () => {
    const swings: Guards = { ...open, swings: ([move]) => move?.playerId === 'b0' };

    expect(choice(change(stomp, dead('b0')), {}, swings)).toEqual({ outcome: 'waits', forOneOf: ['b1'] });
  });
});
