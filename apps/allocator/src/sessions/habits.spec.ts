import { expect, it } from 'vitest';
import { withoutHabits } from './habits.js';

it('habits are taken out of a result before it is stored', () => {
  const players = [{ playerId: 'ann', role: 'tank', habits: { device: 'd-1' } }, { playerId: 'bob' }];
  expect(withoutHabits({ winner: 0, players })).toEqual({
    body: { winner: 0, players: [{ playerId: 'ann', role: 'tank' }, { playerId: 'bob' }] },
    habits: { ann: { device: 'd-1' } },
  });
  expect(withoutHabits({ winner: null })).toEqual({ body: { winner: null }, habits: {} });
});
