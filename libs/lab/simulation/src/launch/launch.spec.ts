import { defaultQueues, WaitingPool } from '@muster/matchmaking';
import type { QueueRules } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { simulateLaunch, type LaunchDay } from './launch.js';

const rulesOf = (name: string): QueueRules => {
  const rules = defaultQueues.find((queue) => queue.name === name);
  if (!rules) throw new Error(`there is no queue ${name}`);
  return rules;
};
const day = (queue: string, newcomers: number, seed: number): Promise<LaunchDay> =>
  simulateLaunch({
    rules: rulesOf(queue),
    matcher: (rules) => new WaitingPool(rules),
    newcomers,
    seed,
  });

describe('R3 a launch day, on which everybody is new', () => {
  it('places duellists nearer the truth than OpenSkill, with a calibrated error', async () => {
    const days = 16;
    let [within, nearer] = [0, 0];
    for (let seed = 1; seed <= days; seed++) {
      const { seeded, within1Sigma, rmse, openskillRmse } = await day('1v1', 16, seed);
      expect(seeded).toBe(16);
      within += within1Sigma / days;
      nearer += rmse / openskillRmse / days;
    }
    // Of 256 calibrated sigmas 0.683 contain the truth, give or take 0.03; npm run bench:launch plays longer days.
    expect(within).toBeGreaterThan(0.62);
    expect(within).toBeLessThan(0.745);
    expect(nearer).toBeLessThan(0.97);
  });

  it('gives everybody a rating though every round leaves places free, and is deterministic', async () => {
    const first = await day('5v5', 23, 4);
    expect(first.seeded).toBe(23);
    expect(first.claimed).toBeLessThan(25 / 3);
    expect(await day('5v5', 23, 4)).toEqual(first);
  });
});
