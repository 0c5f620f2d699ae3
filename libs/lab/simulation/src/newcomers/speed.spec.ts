import { seededRandom } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { evenBoundOf, simulateSpeed, type PlacementSpeed, type SpeedTrial } from './speed.js';

const run = (trial: Partial<SpeedTrial>, players = 800): PlacementSpeed =>
  simulateSpeed({ teamSize: 1, calibration: 10, followed: 40, ...trial }, players, seededRandom(30));

describe('the speed of placement, simulated', () => {
  it('of calibration is higher than that of OpenSkill in duels, and near its bound', () => {
    const [calibration, openskill] = [run({}), run({ calibration: 0 })];
    expect(calibration.matches).toBeLessThan(openskill.matches ?? 0);
    expect(calibration.errorAfterTen).toBeLessThan(1.15 * evenBoundOf(1, 40).errorAfterTen);
  });

  it('passes the bound of results with stats, the more they explain', () => {
    const five = { teamSize: 5, followed: 60 };
    const [none, half, most] = [undefined, 0.5, 0.75].map((explained) => run({ ...five, explained }, 400));
    expect(half?.errorAfterTen).toBeLessThan(none?.errorAfterTen ?? 0);
    expect(most?.errorAfterTen).toBeLessThan(half?.errorAfterTen ?? 0);
    expect(most?.errorAfterTen).toBeLessThan(evenBoundOf(5, 60).errorAfterTen);
    expect(most?.matches).toBeLessThan(evenBoundOf(5, 60).matches ?? 0);
  });
});
