import { describe, expect, it } from 'vitest';
import { changedText } from './change.js';

const rules = {
  model: 'glicko2',
  parameters: { tau: 0.4 },
  aggregation: 'mean' as const,
  circumstances: [],
  partyBonus: 'none' as const,
  shadowMatches: 0,
  shadowCap: null,
  divisions: [],
  divisionMargin: null,
  staleAfterDays: 30,
  convergedBelow: 0.5,
};
const inactivity = { afterDays: 30 };
const text = (more: object, given: readonly string[]): string[] =>
  changedText({ name: 'duel', version: 3, rules: { ...rules, ...more } }, given);

describe('changedText', () => {
  it('says from when a change applies', () => {
    expect(text({}, ['parameters'])).toEqual([
      'Changed "duel" to version 3: it applies from the next match on.',
      'Parameters of glicko2: tau=0.4.',
      'To rate its history under these rules as well: muster pools rebuild duel --model glicko2',
    ]);
  });

  it('says that inactivity changes ratings at once', () => {
    expect(text({ inactivity }, ['inactivity'])[0]).toBe(
      'Changed "duel" to version 3: the rule of inactivity counts the time that has already passed, so ratings of players who have been away change at once.',
    );
    expect(text({}, ['inactivity'])[0]).toMatch(/at once what their last match left\.$/);
    expect(text({ inactivity }, ['parameters', 'inactivity']).slice(0, 2)).toEqual([
      'Changed "duel" to version 3: it applies from the next match on.',
      expect.stringMatching(/^Except that the rule of inactivity /),
    ]);
  });
});
