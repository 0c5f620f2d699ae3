import { NotAllowed, UnknownPool, type PoolRules, type RatingPool } from '@muster/domain';
import { defaultPoolRules, uncalibrated } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { ReportDoor } from './report-door.js';

const poolOf = (name: string, rules: Partial<PoolRules>): RatingPool => ({
  name,
  gameMode: null,
  modifiers: [],
  rules: { ...defaultPoolRules, ...rules },
  calibration: uncalibrated,
  version: 1,
  generation: 1,
});

describe('who may report matches to a pool', () => {
  let now = 0;
  let reads = 0;
  const rules = new Map<string, Partial<PoolRules>>();
  let queued: string[];
  let door: ReportDoor;
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
    door = new ReportDoor(ledger, { isQueued: async (pool) => queued.includes(pool) }, { now: () => now });
  });

  it('is no server, where a queue matches by it', async () => {
    await expect(door.check('ladder', 'fleet')).rejects.toThrow(NotAllowed);
    await expect(door.check('ladder', 'fleet')).rejects.toThrow(/A queue matches by the pool "ladder"/);
  });

  it('is a server, where no queue matches by it or its rules allow it', async () => {
    await expect(door.check('league', 'fleet')).resolves.toBeUndefined();
    await expect(door.check('open', 'fleet')).resolves.toBeUndefined();
  });

  it('is an operator, whatever the pool', async () => {
    await door.check('ladder', 'operator');
    expect(reads).toBe(0);
  });

  it('is asked once in a while, not at every report', async () => {
    for (let i = 0; i < 10; i++) await door.check('league', 'fleet');
    expect(reads).toBe(1);
    queued.push('league');
    now += 5_001;
    await expect(door.check('league', 'fleet')).rejects.toThrow(NotAllowed);
  });

  it('is told that there is no such pool', async () => {
    await expect(door.check('nowhere', 'fleet')).rejects.toThrow(UnknownPool);
  });
});
