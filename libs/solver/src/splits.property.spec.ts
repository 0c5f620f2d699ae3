import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { named, steppingClock, weights } from '../test-support/generators.js';
import { leastBySize } from '../test-support/pools.js';
import { poolFaultsOf, slackOf } from '../test-support/sound.js';
import { gosperSplits } from '@muster/lab-baselines';
import type { BenchPolicy, PoolAnswer, PoolProblem, SplitOptions } from './problem/problem.js';
import { splits } from './splits.js';

const policies: BenchPolicy[] = ['anyone', 'top-plays', 'longest-waiting'];

function pools(minLength: number, maxLength: number): fc.Arbitrary<PoolProblem> {
  const waits = fc.constantFrom<'none' | 'distinct' | 'ties'>('none', 'distinct', 'ties');
  return fc
    .tuple(weights(minLength, maxLength), fc.constantFrom(...policies), waits)
    .map(([list, bench, waiting]) => ({
      bench,
      players: named(list).map(({ id, weight }, i) => ({
        id,
        weight,
        ...(waiting === 'none' ? {} : { waited: waiting === 'ties' ? i % 3 : (i * 5) % 23 }),
      })),
    }));
}

function solved(problem: PoolProblem, options: SplitOptions = {}): PoolAnswer {
  const answer = splits(problem, options);
  if (answer.outcome !== 'splits') throw new Error(`${answer.why}: ${answer.message}`);
  const faults = poolFaultsOf(problem, answer);
  if (faults.length > 0) throw new Error(faults.join('; '));
  return answer;
}

/** Where an answer contradicts the least differences by size. */
function contradictions(
  { players }: PoolProblem,
  { splits: found }: PoolAnswer,
  least: readonly number[],
): string[] {
  return found.flatMap(({ size, difference, certificate: { status, lowerBound, quantum } }, i) => {
    const optimum = least[i] ?? NaN;
    const slack = slackOf({ players, teamSizes: [] }, quantum);
    const faults: string[] = [];
    if (difference < optimum - slack) faults.push(`${difference} is below the least, ${optimum}`);
    if (lowerBound > optimum + slackOf({ players, teamSizes: [] }, 0)) {
      faults.push(`lower bound ${lowerBound} is above the least, ${optimum}`);
    }
    if (status === 'proven' && difference > optimum + slack) {
      faults.push(`${difference} is proven but above the least, ${optimum}`);
    }
    return faults.map((fault) => `size ${size}: ${fault}`);
  });
}

function shortOfBest(problem: PoolProblem, answer: PoolAnswer, least: readonly number[]): string[] {
  const open = answer.splits.filter(({ certificate }) => certificate.status !== 'proven');
  return [...contradictions(problem, answer, least), ...open.map(({ size }) => `size ${size}: not proven`)];
}

describe('splits of a pool', { timeout: 60_000 }, () => {
  it('are the best of every size, under every bench policy', () => {
    fc.assert(
      fc.property(pools(4, 8), (problem) => {
        expect(shortOfBest(problem, solved(problem), leastBySize(problem))).toEqual([]);
      }),
      { numRuns: 380 },
    );
  });

  it('are the best of nine and ten players', () => {
    fc.assert(
      fc.property(pools(9, 10), (problem) => {
        expect(shortOfBest(problem, solved(problem), leastBySize(problem))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('equal those of the published enumeration where the heaviest must play', () => {
    fc.assert(
      fc.property(weights(11, 13).map(named), (players) => {
        const problem: PoolProblem = { players, bench: 'top-plays' };
        const least = gosperSplits(players).splits.map(({ difference }) => difference);

        expect(shortOfBest(problem, solved(problem), least)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('are no worse when anyone may sit out', () => {
    fc.assert(
      fc.property(pools(4, 20), ({ players }) => {
        const [anyone, ...others] = policies.map((bench) => solved({ players, bench }).splits);
        anyone?.forEach((free, i) => {
          const slack = slackOf({ players, teamSizes: [] }, free.certificate.quantum);
          for (const other of others) {
            expect(free.difference).toBeLessThanOrEqual((other[i]?.difference ?? NaN) + 2 * slack);
          }
        });
      }),
      { numRuns: 40 },
    );
  });

  it('bench the heaviest only where anyone may sit out', () => {
    const players = named([10, 4, 3, 2, 1]);
    const [free] = solved({ players, bench: 'anyone' }).splits;
    const [anchored] = solved({ players, bench: 'top-plays' }).splits;

    expect([free?.difference, anchored?.difference]).toEqual([0, 4]);
    expect(free?.bench).toEqual([players[0]?.id]);
  });

  it('are the same for the same pool, and equally good for any order', () => {
    fc.assert(
      fc.property(pools(4, 16), (problem) => {
        const one = solved(problem);
        expect(splits(problem)).toEqual(one);
        // Without waits the order says who waited longest, so there it must stay.
        if (problem.bench === 'longest-waiting') return;
        const other = solved({ ...problem, players: problem.players.toReversed() });
        one.splits.forEach(({ difference, certificate }, i) => {
          const slack = slackOf({ players: problem.players, teamSizes: [] }, certificate.quantum);
          expect(Math.abs(difference - (other.splits[i]?.difference ?? NaN))).toBeLessThanOrEqual(2 * slack);
        });
      }),
      { numRuns: 40 },
    );
  });

  it('are proven for whole numbers in large pools', () => {
    const large = fc.record({
      bench: fc.constantFrom(...policies),
      players: fc.array(fc.integer({ min: 800, max: 2_400 }), { minLength: 24, maxLength: 80 }).map(named),
    });
    fc.assert(
      fc.property(large, (problem) => {
        for (const { certificate } of solved(problem).splits) expect(certificate.status).toBe('proven');
      }),
      { numRuns: 40 },
    );
  });

  it('are sound when time or memory is short', () => {
    const limits = fc.record({
      at: fc.constantFrom(-1, 0, 2, 30),
      memoryBytes: fc.constantFrom(0, 1, 1_000, 100_000, 2 ** 28),
    });
    fc.assert(
      fc.property(pools(4, 9), limits, (problem, { at, memoryBytes }) => {
        const answer = solved(problem, { memoryBytes, deadline: { now: steppingClock(), at } });

        expect(contradictions(problem, answer, leastBySize(problem))).toEqual([]);
      }),
      { numRuns: 85 },
    );
    fc.assert(
      fc.property(pools(20, 60), limits, (problem, { at, memoryBytes }) => {
        const answer = solved(problem, { memoryBytes, deadline: { now: steppingClock(), at } });

        expect(answer.splits).toHaveLength(Math.floor(problem.players.length / 2) - 1);
      }),
      { numRuns: 30 },
    );
  });
});
