import { expect, it } from 'vitest';
import { newestFirst } from './newest-first.js';

const events = (...ids: string[]) => ids.map((id) => ({ id }));

it('puts the newest first, each once, and keeps no more than asked', () => {
  expect(newestFirst(events('b', 'a'), events('b', 'c', 'd'), 3)).toEqual(events('d', 'c', 'b'));
  expect(newestFirst([], [], 3)).toEqual([]);
});
