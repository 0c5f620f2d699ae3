import { seededRandom } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { steppingClock } from '../test-support/generators.js';
import { solved } from '../test-support/verdicts.js';
import { restartGreedy } from '@muster/lab-baselines';
import { stride } from './problem/budget.js';
import type { SplitPlayer, SplitProblem } from './problem/problem.js';

/** Steps of the solver in the time of an operation of the baseline: as measured, and less than that. */
const stepsPerOperation = 12;

/** Equal teams that were drawn party by party, so that they can be made; whole weights in one of three problems. */
function withParties(seed: number, teams: number, size: number, chance: number): SplitProblem {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const players: SplitPlayer[] = [];
  for (let t = 0; t < teams; t++) {
    for (let at = 0; at < size;) {
      const members = random() < chance ? Math.min(size - at, 2 + Math.floor(random() * 3)) : 1;
      for (let m = 0; m < members; m++) {
        const weight = 1_000 + 300 * normal();
        players.push({
          id: `${t}-${at + m}`,
          weight: seed % 3 === 0 ? Math.round(weight) : weight,
          ...(members > 1 ? { party: `${t}-${at}` } : {}),
        });
      }
      at += members;
    }
  }
  return { players, teamSizes: Array.from({ length: teams }, () => size) };
}

/** Ten teams of five in some 25 groups. */
function tenOfFive(seed: number): SplitProblem {
  return withParties(seed, 10, 5, 0.8);
}

/** 3 to 10 teams of 3 to 9, few to many of them in parties; and ten of five. */
const problems = Array.from({ length: 48 }, (_, i) =>
  i < 40 ? withParties(i, 3 + (i % 8), 3 + ((5 * i) % 7), 0.3 + 0.1 * (i % 7)) : tenOfFive(i),
);

describe('many teams with parties', { timeout: 60_000 }, () => {
  it.each([4_096, 20_480, 163_840])(
    'are less even than by a greedy search with swaps and restarts in at most a sixth as many cases as more even, in the time of %i swaps',
    (operations) => {
      const gains = problems.map((problem, seed) => {
        let left = operations / 4_096;
        const greedy = restartGreedy(
          problem.players,
          { teamSizes: problem.teamSizes, seed: seed + 100 },
          { stop: () => --left <= 0 },
        );
        const at = Math.floor((operations * stepsPerOperation) / stride);
        const { solutions, certificate } = solved(problem, {
          seed,
          mostSteps: Infinity,
          deadline: { now: steppingClock(), at },
        });
        const gain = (greedy?.difference ?? Infinity) - (solutions[0]?.difference ?? Infinity);
        return Math.abs(gain) <= certificate.quantum * problem.players.length + 1e-6 ? 0 : Math.sign(gain);
      });
      const ahead = gains.filter((gain) => gain > 0).length;
      const behind = gains.filter((gain) => gain < 0).length;

      expect(ahead).toBeGreaterThanOrEqual(10);
      expect(behind).toBeLessThanOrEqual(ahead / 6);
    },
  );

  it('get more even up to the deadline, rather than stop at some amount of work', () => {
    const at = 2_000;
    const { certificate, operations } = solved(tenOfFive(11), {
      mostSteps: Infinity,
      deadline: { now: steppingClock(), at },
    });

    expect(certificate).toMatchObject({ status: 'bounded', stopped: 'deadline' });
    expect(operations).toBeGreaterThan(0.9 * at * stride);
  });

  it('stop where four times the work has brought no improvement, and say so', () => {
    const deadline = { now: steppingClock(), at: 40_000 };
    const { certificate, operations } = solved(tenOfFive(11), { mostSteps: Infinity, deadline, patience: 4 });

    expect(certificate).toMatchObject({ status: 'bounded', stopped: 'stalled' });
    expect(operations).toBeLessThan(40_000 * stride);
  });
});
