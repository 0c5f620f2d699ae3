import { expect, it } from 'vitest';
import { playingShares } from './playing-time.js';

const times = (joinedAt: number | null, leftAt: number | null) => [{ playerId: 'ann', joinedAt, leftAt }];

it.each([
  ['who was there for all of it is not named', null, null, {}],
  ['who came late', 1_750, null, { ann: 0.25 }],
  ['who left early', null, 1_500, { ann: 0.5 }],
  ['who came late and left early', 1_200, 1_300, { ann: 0.1 }],
  ['who left before it began', null, 900, { ann: 0 }],
  ['who came after its end', 2_500, null, { ann: 0 }],
  ['who left before they came, by clocks that differ', 1_500, 1_400, { ann: 0 }],
])('%s', (_, joinedAt, leftAt, shares) => {
  expect(playingShares(times(joinedAt, leftAt), 1_000, 2_000)).toEqual(shares);
});

it('says nothing of a match that took no time', () => {
  expect(playingShares(times(null, 1_000), 1_000, 1_000)).toEqual({});
});

it('takes any name for a player', () => {
  const shares = playingShares([{ playerId: '__proto__', joinedAt: 1_500, leftAt: null }], 1_000, 2_000);
  expect(Object.entries(shares)).toEqual([['__proto__', 0.5]]);
});
