import { expect, it } from 'vitest';
import { chanceWords, evidenceWords } from './case-words.js';

it('says how many honest ones get there by luck', () => {
  expect(chanceWords(0.024)).toBe('at most 1 in 41');
  expect(chanceWords(1)).toBe('at most 1 in 1');
  expect(chanceWords(0)).toBe('practically none');
});

it('says what the evidence compares', () => {
  expect(evidenceWords({ kind: 'thrown', evidence: 170 })).toBe(
    'A cheat explains the results 170 times better than the chances of the pool.',
  );
  expect(evidenceWords({ kind: 'alternate', evidence: 20 })).toContain('One person');
});
