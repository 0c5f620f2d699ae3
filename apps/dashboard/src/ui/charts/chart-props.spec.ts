import { expect, it } from 'vitest';
import { alone } from './chart-props.js';

it('finds the values that no line shows', () => {
  expect(alone([1, null, 2, 3, null, null, 4, null])).toEqual([0, 6]);
  expect(alone([])).toEqual([]);
  expect(alone([null, 0])).toEqual([1]);
});
