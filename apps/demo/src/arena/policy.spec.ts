import { endpoints } from '@muster/contracts';
import { policies } from '@muster/live-balance';
import { describe, expect, it } from 'vitest';
import { pace, quickened } from './policy.js';

const shown = Object.keys(policies).filter((name) => name !== 'none');

describe('quickened', () => {
  it.each(shown)(
    'divides the waiting times of %s by the demo’s pace, changes nothing else, and the API accepts it',
    (name) => {
      const policy = quickened(name);
      const ours = policies[name];
      expect(policy).toEqual({
        like: name,
        rules: ours?.rules.map((rule) => ({ ...rule, delayMs: rule.delayMs / pace })),
      });
      const asked = { policy, roster: { teams: 2, players: [] } };
      expect(endpoints.checkBalance.body.safeParse(asked).success).toBe(true);
    },
  );

  it('refuses unknown policies', () => {
    expect(() => quickened('nothing')).toThrow('there is no policy "nothing"');
    expect(() => quickened('toString')).toThrow('there is no policy "toString"');
  });
});
