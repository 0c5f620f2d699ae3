import { expect, it } from 'vitest';
import { binsOf } from './bins.js';

it('counts favourites by their chance, of matches of two teams', () => {
  const counts = binsOf([[0.5, 0.5], [0.45, 0.55], [0.31, 0.69], [0, 1], [0.2, 0.3, 0.5], []]).map(
    (bin) => bin.count,
  );
  expect(counts).toEqual([1, 1, 0, 1, 0, 0, 0, 0, 0, 1]);
});
