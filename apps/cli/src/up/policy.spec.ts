import { policies } from '@muster/live-balance';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { usualPolicy } from './options.js';
import { checkPolicy } from './policy.js';

describe('the policy that the arena shows', () => {
  it.each(Object.keys(policies).filter((name) => name !== 'none'))('may be %s', (name) => {
    expect(() => checkPolicy(name)).not.toThrow();
  });

  it.each(['nothing', 'none', 'toString'])('may not be %s, and those that there are are named', (name) => {
    expect(() => checkPolicy(name)).toThrow(/There is no policy ".*" to show; take one of .*synelo/);
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
