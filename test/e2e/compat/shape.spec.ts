import { describe, expect, it } from 'vitest';
import { compare, shapeOf } from '../../support/compat/shape.js';

const recorded = {
  matchId: 'mat_recorded',
  state: 'rated',
  reason: 'Two players met.',
  closedAt: 5,
  serverId: null,
  players: [
    { playerId: 'ann', after: { mu: 25 } },
    { playerId: 'bob', after: null },
    { playerId: 'cat', after: null },
  ],
};
const nameOf = (value: string): string | undefined => (value === 'mat_recorded' ? 'matchId.1' : undefined);
const shape = shapeOf(recorded, { nameOf });
const known = new Map([['matchId.1', 'mat_now']]);
const now = { ...recorded, matchId: 'mat_now' };

describe('the shape of a recorded answer', () => {
  it('keeps types, enumerated words, names of ids, and each kind of element once', () => {
    expect(shape).toEqual({
      matchId: '$matchId.1',
      state: '=rated',
      reason: 'string',
      closedAt: 'number',
      serverId: 'null',
      players: [
        { playerId: 'string', after: { mu: 'number' } },
        { playerId: 'string', after: 'null' },
      ],
    });
  });

  it('matches another answer with other values, more fields and more elements', () => {
    const more = { ...now, closedAt: 9, why: [], players: [...now.players, { playerId: 7 }] };
    expect(compare(shape, more, known).misses).toEqual([]);
  });

  it.each([
    ['a field is missing', { ...now, reason: undefined }, 'reason is undefined, not string'],
    [
      'a field has another name',
      { ...now, closedAt: undefined, closed_at: 5 },
      'closedAt is undefined, not number',
    ],
    ['a text became an object', { ...now, reason: { text: 'x' } }, 'reason is object, not string'],
    ['a null became something', { ...now, serverId: 'one' }, 'serverId is string, not null'],
    ['a word is another', { ...now, state: 'finished' }, 'state is "finished", not "rated"'],
    [
      'an id is that of another',
      { ...now, matchId: 'mat_other' },
      'matchId is "mat_other", not the matchId.1 "mat_now"',
    ],
    [
      'no element is like one that was there',
      { ...now, players: now.players.slice(1) },
      'players[0].after is null',
    ],
    ['a list became an object', { ...now, players: {} }, 'players is object, not an array'],
  ])('does not match an answer in which %s', (_, answer, miss) => {
    expect(compare(shape, answer, known).misses).toEqual([expect.stringContaining(miss)]);
  });

  it('matches a state that the service has left by itself meanwhile, and no earlier one', () => {
    const words = { nameOf: () => undefined };
    expect(compare(shapeOf({ state: 'placing' }, words), { state: 'assigned' }, known).misses).toEqual([]);
    expect(compare(shapeOf({ state: 'assigned' }, words), { state: 'placing' }, known).misses).toHaveLength(
      1,
    );
  });

  it('reads an id from the answer, and one id per place', () => {
    const list = shapeOf([{ id: 'a' }, { id: 'b' }], { nameOf: (value) => `id.${value}` });
    const { misses, found } = compare(list, [{ id: 'x' }, { id: 'y' }], new Map());
    expect(misses).toEqual([]);
    expect([...found]).toEqual([
      ['id.a', 'x'],
      ['id.b', 'y'],
    ]);
    expect(compare(list, [{ id: 'x' }], new Map()).misses).toEqual(['[0].id is the id.a "x", not the id.b']);
  });

  it('compares one by one if the order counts', () => {
    const teams = shapeOf([['a'], [1]], { nameOf: () => undefined, ordered: true });
    expect(compare(teams, [['b'], [2]], new Map()).misses).toEqual([]);
    expect(compare(teams, [[2], ['b']], new Map()).misses).toHaveLength(2);
  });
});
