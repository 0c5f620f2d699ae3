import { expect, it } from 'vitest';
import { positionOf } from './position.js';

it.each([
  ['51', 51],
  [undefined, 1],
  ['', 1],
  ['-4', 1],
  ['1.5', 1],
  ['x', 1],
])('%j is position %s', (text, position) => {
  expect(positionOf(text)).toBe(position);
});
