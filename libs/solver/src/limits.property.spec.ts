import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contradictions, solved } from '../test-support/verdicts.js';
import { constrained, named, steppingClock, twoTeamProblems, weights } from '../test-support/generators.js';
import { everySplit, spreadOf, sumOf } from '../test-support/partitions.js';
import { slackOf } from '../test-support/sound.js';
import { greedy, pairSwap } from '@muster/lab-baselines';
import type { SplitProblem } from './problem/problem.js';
import { split } from './split.js';

const moments = fc.constantFrom(-1, 0, 1, 2, 5, 30);
const memories = fc.constantFrom(0, 1, 1_000, 100_000, 2 ** 28);

describe('a deadline', { timeout: 60_000 }, () => {
  it('in the past leaves a sound answer with a valid bound', () => {
    fc.assert(
      fc.property(twoTeamProblems(2, 9), moments, (problem, at) => {
        const deadline = { now: steppingClock(), at };

        expect(contradictions(problem, split(problem, { deadline }), everySplit(problem))).toEqual([]);
      }),
      { numRuns: 170 },
    );
  });

  it('never makes a problem that has a split infeasible', () => {
    fc.assert(
      fc.property(twoTeamProblems(2, 9).chain(constrained), moments, (problem, at) => {
        const all = everySplit(problem);
        const answer = split(problem, { deadline: { now: steppingClock(), at } });
        // With constraints none may be found, which the answer states.
        if (answer.outcome === 'refused' && answer.why === 'too-large') return;
        expect(contradictions(problem, answer, all)).toEqual([]);
      }),
      { numRuns: 170 },
    );
  });

  it('leaves a sound answer to large problems, and the best few', () => {
    const options = fc.record({ at: moments, best: fc.constantFrom(1, 5, 20) });
    fc.assert(
      fc.property(twoTeamProblems(20, 100), options, (problem, { at, best }) => {
        const { certificate } = solved(problem, { best, deadline: { now: steppingClock(), at } });

        expect(certificate.lowerBound).toBeLessThanOrEqual(
          certificate.value + slackOf(problem, certificate.quantum),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('leaves an answer no worse than the current teams', () => {
    fc.assert(
      fc.property(twoTeamProblems(30, 80), (plain) => {
        const [size = 0] = plain.teamSizes;
        const current = [plain.players.slice(0, size), plain.players.slice(size)];
        const problem = { ...plain, current: current.map((team) => team.map(({ id }) => id)) };
        const { certificate } = solved(problem, { deadline: { now: steppingClock(), at: 30 } });

        expect(certificate.value).toBeLessThanOrEqual(
          spreadOf(current.map(sumOf)) + slackOf(problem, certificate.quantum),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('is not read again once it is past', () => {
    const problems = fc.oneof(twoTeamProblems(20, 60), twoTeamProblems(20, 40).chain(constrained));
    fc.assert(
      fc.property(problems, moments, (problem, at) => {
        let reads = 0;
        split(problem, { deadline: { now: () => reads++, at } });

        // Once to stop, once more where a relaxation is searched.
        expect(reads).toBeLessThanOrEqual(Math.max(0, at) + 3);
      }),
      { numRuns: 60 },
    );
  });
});

/** A large problem takes long to shrink, and its size is what matters. */
const unshrunk = { endOnFailure: true };

describe('beyond exact methods', { timeout: 60_000 }, () => {
  const halves = (players: SplitProblem['players']): SplitProblem => {
    const half = Math.floor(players.length / 2);
    return { players, teamSizes: [half, players.length - half] };
  };

  it('no swap of two players makes a split more even', () => {
    fc.assert(
      fc.property(weights(40, 90).map(named).map(halves), (problem) => {
        const { certificate, solutions } = solved(problem);
        const { difference } = pairSwap(problem.players, solutions[0]?.teams ?? []);

        expect(certificate.value).toBeLessThanOrEqual(difference + slackOf(problem, certificate.quantum));
      }),
      { numRuns: 30, ...unshrunk },
    );
  });

  it('a split is no worse than greed', () => {
    fc.assert(
      fc.property(weights(40, 90, { rounded: false }).map(named).map(halves), (problem) => {
        const byGreed = greedy(problem.players, { teamSizes: problem.teamSizes });
        const { certificate } = solved(problem);

        expect(certificate.value).toBeLessThanOrEqual(
          (byGreed?.difference ?? NaN) + slackOf(problem, certificate.quantum),
        );
      }),
      { numRuns: 30, ...unshrunk },
    );
  });
});

describe('little memory', { timeout: 60_000 }, () => {
  it('leaves a sound answer with a valid bound', () => {
    fc.assert(
      fc.property(twoTeamProblems(2, 9), memories, (problem, memoryBytes) => {
        expect(contradictions(problem, split(problem, { memoryBytes }), everySplit(problem))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('never makes a problem that has a split infeasible', () => {
    fc.assert(
      fc.property(twoTeamProblems(2, 9).chain(constrained), memories, (problem, memoryBytes) => {
        const answer = split(problem, { memoryBytes });
        if (answer.outcome === 'refused' && answer.why === 'too-large') return;
        expect(contradictions(problem, answer, everySplit(problem))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('leaves a sound answer to large problems', () => {
    fc.assert(
      fc.property(twoTeamProblems(20, 60), memories, (problem, memoryBytes) => {
        const deadline = { now: steppingClock(), at: 40 };

        expect(solved(problem, { memoryBytes, deadline }).solutions).toHaveLength(1);
      }),
      { numRuns: 40 },
    );
  });
});
