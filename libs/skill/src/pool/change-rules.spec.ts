import type { PoolRules } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { changedRules, changeFlaw } from './change-rules.js';
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
});
