import { endpoints } from '@muster/contracts';
import { policies } from '@muster/live-balance';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { usualPolicy } from '../../up/options.js';
import { pace, quickened } from './policy.js';

const shown = Object.keys(policies).filter((name) => name !== 'none');

describe('quickened', () => {
  it.each(shown)(
    '%s waits as much shorter as the demo is faster, is else as it was, and the interface takes it',
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

  it('refuses what there is not, and what is shown beside it anyway', () => {
    expect(() => quickened('nothing')).toThrow(/There is no policy "nothing" to show; take one of .*synelo/);
    expect(() => quickened('none')).toThrow(/take one of/);
    expect(() => quickened('toString')).toThrow(/take one of/);
  });
});

describe('the usual policy', () => {
  it('is the one that was measured to keep matches fair for the longest time', () => {
    const [, table = ''] = readFileSync('docs/live-balance.md', 'utf8').split('## How fair matches stay');
    const measured = [...table.matchAll(/^\| ([\w.-]+) +\| ([\d.]+) % /gm)].map(([, name, fair]) => ({
      name,
      fair: Number(fair),
    }));
    const best = measured.slice(0, Object.keys(policies).length + 1).toSorted((a, b) => b.fair - a.fair)[0];

    expect(best?.name).toBe(usualPolicy);
  });
});
