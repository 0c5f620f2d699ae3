import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { named, steppingClock, weights } from '../test-support/generators.js';
import { choices, sumOf } from '../test-support/partitions.js';
import { leastBySwaps } from '../test-support/pools.js';
import { placedTeams, rebalanceFaultsOf, slackOf } from '../test-support/sound.js';
import { pairSwap } from '@muster/lab-baselines';
import type { RebalanceAnswer, RebalanceProblem, SplitOptions } from './problem/problem.js';
import { rebalance } from './rebalance.js';

function problems(minLength: number, maxLength: number): fc.Arbitrary<RebalanceProblem> {
  const team = fc.constantFrom(0, 0, 0, 1, 1, 1, 2);
  return fc
    .tuple(
      weights(minLength, maxLength),
      fc.array(team, { minLength: maxLength, maxLength }),
      fc.constantFrom(0, 0.5, 3, 10, 300),
    )
    .map(([list, teams, tolerance]) => {
      const players = named(list);
      const ids = (t: number): string[] => players.filter((_, i) => teams[i] === t).map(({ id }) => id);
      return { players, tolerance, current: [ids(0), ids(1)] };
    });
}

function solved(problem: RebalanceProblem, options: SplitOptions = {}): RebalanceAnswer {
  const answer = rebalance(problem, options);
  if (answer.outcome !== 'rebalanced') throw new Error(`${answer.why}: ${answer.message}`);
  const faults = rebalanceFaultsOf(problem, answer);
  if (faults.length > 0) throw new Error(faults.join('; '));
  return answer;
}

/** Where the front differs from the reference solution, up to the number of swaps for which it claims to be exact. */
function contradictions(problem: RebalanceProblem, answer: RebalanceAnswer): string[] {
  const [first, second] = placedTeams(problem, answer) ?? [[], []];
  const least = leastBySwaps(first, second);
  const slack = 2 * slackOf({ players: problem.players, teamSizes: [] }, answer.quantum);
  const steps = new Map(answer.front.map(({ swaps, difference }) => [swaps, difference]));
  return least.flatMap((difference, swaps) => {
    const found = steps.get(swaps);
    const exact = swaps <= answer.exactUpTo;
    if (found === undefined) {
      // A number of swaps missing from the front does not improve on fewer, by more than rounding.
      const fewer = Math.min(...least.slice(0, swaps));
      return exact && difference < fewer - slack ? [`${swaps} swaps are missing: ${difference}`] : [];
    }
    const right = found >= difference - slack && (!exact || found <= difference + slack);
    return right ? [] : [`${swaps} swaps make ${found}, not ${difference}`];
  });
}

describe('rebalancing', { timeout: 60_000 }, () => {
  it('finds the least difference for every number of swaps', () => {
    fc.assert(
      fc.property(problems(2, 9), (problem) => {
        const answer = solved(problem);

        expect(answer.exact).toBe(true);
        expect(contradictions(problem, answer)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('finds it for two teams of five and six', () => {
    fc.assert(
      fc.property(weights(10, 12), fc.constantFrom(0, 2, 40), (list, tolerance) => {
        const players = named(list);
        const ids = players.map(({ id }) => id);
        const problem: RebalanceProblem = {
          players,
          tolerance,
          current: [ids.slice(0, Math.ceil(ids.length / 2)), ids.slice(Math.ceil(ids.length / 2))],
        };
        const answer = solved(problem);

        expect(answer.exact).toBe(true);
        expect(answer.placed).toEqual([]);
        expect(contradictions(problem, answer)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('finds two swaps that help only together, which single swaps miss', () => {
    const players = [8, 7, 10, 4, 10, 4, 11, 2].map((weight, i) => ({ id: `p${i}`, weight }));
    const current = [
      ['p0', 'p1', 'p2', 'p3'],
      ['p4', 'p5', 'p6', 'p7'],
    ] as const;
    const answer = solved({ players, current, tolerance: 0 });

    expect(pairSwap(players, current).difference).toBe(2);
    expect(answer.front.map(({ swaps, difference }) => [swaps, difference])).toEqual([
      [0, 2],
      [2, 0],
    ]);
    expect({ chosen: answer.chosen, within: answer.withinTolerance }).toEqual({ chosen: 1, within: true });
  });

  it('swaps nobody when the teams are within the tolerance', () => {
    fc.assert(
      fc.property(problems(2, 30), (problem) => {
        const { front, chosen, withinTolerance } = solved({ ...problem, tolerance: 1e15 });

        expect(withinTolerance).toBe(true);
        expect(front[chosen]?.swaps).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  it('leaves pinned players in place, and finds the least difference of the others', () => {
    const pins = fc.array(fc.boolean(), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(problems(2, 9), pins, (problem, pinned) => {
        const isPinned = new Set(problem.players.flatMap(({ id }, i) => (pinned[i] ? [id] : [])));
        const answer = rebalance({ ...problem, pinned: [...isPinned] });
        if (answer.outcome !== 'rebalanced') throw new Error(answer.message);
        const teams = placedTeams(problem, answer) ?? [[], []];
        const [free, others] = teams.map((team) => team.filter(({ id }) => !isPinned.has(id)));
        const apart = sumOf(teams[0]!) - sumOf(teams[1]!);
        const most = Math.min(free!.length, others!.length);
        const least = Math.min(
          ...Array.from({ length: most + 1 }, (_, swaps) =>
            [...choices(free!, swaps)].flatMap((going) =>
              [...choices(others!, swaps)].map((coming) =>
                Math.abs(apart - 2 * sumOf(going) + 2 * sumOf(coming)),
              ),
            ),
          ).flat(),
        );
        const slack = 2 * slackOf({ players: problem.players, teamSizes: [] }, answer.quantum);

        for (const { toSecond, toFirst } of answer.front) {
          expect([...toSecond, ...toFirst].filter((id) => isPinned.has(id))).toEqual([]);
        }
        expect(answer.exact).toBe(true);
        expect(Math.abs(answer.front.at(-1)!.difference - least)).toBeLessThanOrEqual(slack);
      }),
      { numRuns: 170 },
    );
  });

  it('refuses to pin an unknown player', () => {
    expect(rebalance({ players: [], current: [[], []], tolerance: 0, pinned: ['nobody'] })).toMatchObject({
      outcome: 'refused',
      path: 'pinned[0]',
    });
  });

  it('does not increase the difference in sizes, except by an odd player', () => {
    fc.assert(
      fc.property(problems(2, 20), (problem) => {
        const [first = [], second = []] = placedTeams(problem, solved(problem)) ?? [];
        const before = Math.abs(problem.current[0].length - problem.current[1].length);

        expect(Math.abs(first.length - second.length)).toBeLessThanOrEqual(Math.max(1, before));
      }),
      { numRuns: 100 },
    );
  });

  it('is no worse than single swaps, and is deterministic', () => {
    fc.assert(
      fc.property(problems(10, 30), (problem) => {
        const answer = solved(problem);
        const teams = placedTeams(problem, answer) ?? [[], []];
        const bySwaps = pairSwap(
          problem.players,
          teams.map((team) => team.map(({ id }) => id)),
        );
        const slack = slackOf({ players: problem.players, teamSizes: [] }, answer.quantum);

        expect(answer.front.at(-1)?.difference).toBeLessThanOrEqual(bySwaps.difference + 2 * slack);
        expect(rebalance(problem)).toEqual(answer);
      }),
      { numRuns: 40 },
    );
  });

  it('is sound when time or memory is short', () => {
    const limits = fc.record({
      at: fc.constantFrom(-1, 0, 2, 30),
      memoryBytes: fc.constantFrom(0, 1, 1_000, 100_000, 2 ** 28),
    });
    fc.assert(
      fc.property(problems(2, 9), limits, (problem, { at, memoryBytes }) => {
        const answer = solved(problem, { memoryBytes, deadline: { now: steppingClock(), at } });

        expect(contradictions(problem, answer)).toEqual([]);
      }),
      { numRuns: 100 },
    );
    fc.assert(
      fc.property(problems(20, 80), limits, (problem, { at, memoryBytes }) => {
        const { front } = solved(problem, { memoryBytes, deadline: { now: steppingClock(), at } });

        expect(front.length).toBeGreaterThan(0);
      }),
      { numRuns: 30 },
    );
  });
});
