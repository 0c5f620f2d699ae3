import { Unsolvable, type PoolRules } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { changedRules } from './change-rules.js';
import { openRules } from './open-rules.js';
import { defaultPoolRules } from './rules.js';

const change = (given: Partial<PoolRules>, before: PoolRules) => () => changedRules(given, before);

const pool: PoolRules = { ...defaultPoolRules, model: 'glicko2', integrity: { uncertainty: 0.5 } };

describe('a change of rules', () => {
  it('is refused, with the reason, where other rules of the pool do not fit it', () => {
    expect(change({ model: 'hive' }, pool)).toThrow(/hive ratings cannot be raised by signals/);
    expect(change({ model: 'hive' }, { ...pool, integrity: {} })).not.toThrow();
    const resting = { ...pool, integrity: null, inactivity: { afterDays: 30, forgottenAfterDays: 365 } };
    expect(change({ model: 'elo' }, resting)).toThrow(/elo ratings cannot grow with time/);
    expect(change({ parameters: { tau: 0.4 } }, resting)).not.toThrow();
  });

  it('treats aspects without any as none', () => {
    expect(changedRules({ aspects: {} }, pool).aspects).toBeNull();
    expect(changedRules({ aspects: { side: 0.3 } }, pool).aspects).toEqual({ side: 0.3 });
    expect(changedRules({}, { ...pool, aspects: { map: 1 } }).aspects).toEqual({ map: 1 });
  });

  it('refuses strengths that are likely slips, and leaves stored ones alone', () => {
    expect(() => changedRules({ aspects: { side: 9 } }, pool)).toThrow(Unsolvable);
    expect(change({ aspects: { side: 9 } }, pool)).toThrow(/"side" must be at most 3, not 9: .* 95 %/);
    const stored = { ...pool, aspects: { side: 9 } };
    expect(openRules(stored).rules).toBe(stored);
    expect(change({ shadowMatches: 3 }, stored)).not.toThrow();
    expect(change({ aspects: { side: 9, map: 0.2 } }, stored)).not.toThrow();
    expect(change({ aspects: { side: 8 } }, stored)).toThrow(/not 8/);
  });
});
