import { Unsolvable, type PoolRules } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { changedRules, changeFlaw } from './change-rules.js';
import { openRules } from './open-rules.js';
import { defaultPoolRules } from './rules.js';

const pool: PoolRules = { ...defaultPoolRules, model: 'glicko2', integrity: { uncertainty: 0.5 } };

describe('a change of rules', () => {
  it('is refused, with the reason, where other rules of the pool do not fit it', () => {
    expect(changeFlaw({ model: 'hive' }, pool)).toMatch(/hive ratings cannot be raised by signals/);
    expect(changeFlaw({ model: 'hive' }, { ...pool, integrity: {} })).toBeNull();
    const resting = { ...pool, integrity: null, inactivity: { afterDays: 30, forgottenAfterDays: 365 } };
    expect(changeFlaw({ model: 'elo' }, resting)).toMatch(/elo ratings cannot grow with time/);
    expect(changeFlaw({ parameters: { tau: 0.4 } }, resting)).toBeNull();
  });

  it('treats aspects without any as none', () => {
    expect(changedRules({ aspects: {} }, pool).aspects).toBeNull();
    expect(changedRules({ aspects: { side: 0.3 } }, pool).aspects).toEqual({ side: 0.3 });
    expect(changedRules({}, { ...pool, aspects: { map: 1 } }).aspects).toEqual({ map: 1 });
  });

  it('refuses strengths that are likely slips, and leaves stored ones alone', () => {
    expect(() => changedRules({ aspects: { side: 9 } }, pool)).toThrow(Unsolvable);
    expect(changeFlaw({ aspects: { side: 9 } }, pool)).toMatch(/"side" must be at most 3, not 9: .* 95 %/);
    const stored = { ...pool, aspects: { side: 9 } };
    expect(openRules(stored).rules).toBe(stored);
    expect(changeFlaw({ shadowMatches: 3 }, stored)).toBeNull();
    expect(changeFlaw({ aspects: { side: 9, map: 0.2 } }, stored)).toBeNull();
    expect(changeFlaw({ aspects: { side: 8 } }, stored)).toMatch(/not 8/);
  });
});
