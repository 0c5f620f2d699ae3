import { describe, expect, it } from 'vitest';
import { arrange } from './arrangement.js';
import { quantise } from '../problem/quantise.js';
import { Standing } from './standing.js';

describe('teams during the search', () => {
  const list = [31, 7, 12, 22, 9, 18];
  const players = list.map((weight, i) => ({ id: `p${i}`, weight }));
  const weights = quantise(list);
  const arrangement = arrange({ players, teamSizes: [2, 2, 2] }, weights);

  it('are as uneven after an exchange as teams that were so from the start', () => {
    const standing = new Standing(arrangement, [
      [0, 3],
      [1, 4],
      [2, 5],
    ]);
    const traded = new Standing(arrangement, [
      [1, 3],
      [0, 4],
      [2, 5],
    ]);
    const more = weights.values[0]! - weights.values[1]!;

    const { value, squares } = traded.evened;
    expect(standing.after(0, 1, more)).toEqual({ value, squares });
    expect(standing.valuesAfter(0, 1)(more)).toBe(value);
    expect(standing.helps(0, 1, more)).toBe(true);
  });
});
