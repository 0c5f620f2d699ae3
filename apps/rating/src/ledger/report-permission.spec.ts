import { NotAllowed, UnknownPool, type PoolRules, type RatingPool } from '@muster/domain';
import { defaultPoolRules, uncalibrated } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { ReportPermission } from './report-permission.js';

const poolOf = (name: string, rules: Partial<PoolRules>): RatingPool => ({
  name,
  gameMode: null,
  modifiers: [],
  rules: { ...defaultPoolRules, ...rules },
  calibration: uncalibrated,
  version: 1,
  generation: 1,
});

describe('permission to report matches to a pool', () => {
  let now = 0;
  let reads = 0;
  const rules = new Map<string, Partial<PoolRules>>();
  let queued: string[];
  let permission: ReportPermission;
  beforeEach(() => {
    now = 1_000;
    reads = 0;
    rules.clear();
    rules.set('ladder', {}).set('league', {}).set('open', { serverResults: true });
    queued = ['ladder', 'open'];
    const ledger = {
      pool: async (name: string) => {
        reads += 1;
        const known = rules.get(name);
        if (!known) throw new UnknownPool(`There is no rating pool "${name}".`);
        return poolOf(name, known);
      },
    };
    permission = new ReportPermission(
      ledger,
      { isQueued: async (pool) => queued.includes(pool) },
      { now: () => now },
    );
  });

  it('is denied to servers if a queue uses the pool', async () => {
    await expect(permission.check('ladder', 'fleet')).rejects.toThrow(NotAllowed);
    await expect(permission.check('ladder', 'fleet')).rejects.toThrow(/A queue uses the pool "ladder"/);
  });

  it('is granted to servers if no queue uses the pool or its rules allow it', async () => {
    await expect(permission.check('league', 'fleet')).resolves.toBeUndefined();
    await expect(permission.check('open', 'fleet')).resolves.toBeUndefined();
  });

  it('is granted to operators for every pool', async () => {
    await permission.check('ladder', 'operator');
    expect(reads).toBe(0);
  });

  it('is cached, not read at every report', async () => {
    for (let i = 0; i < 10; i++) await permission.check('league', 'fleet');
    expect(reads).toBe(1);
    queued.push('league');
    now += 5_001;
    await expect(permission.check('league', 'fleet')).rejects.toThrow(NotAllowed);
  });

  it('fails for an unknown pool', async () => {
    await expect(permission.check('nowhere', 'fleet')).rejects.toThrow(UnknownPool);
  });
});
