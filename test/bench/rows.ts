import { seededRandom, Unsolvable } from '@muster/domain';
import {
  rebalance,
  split,
  splits,
  type BenchPolicy,
  type SplitOptions,
  type SplitProblem,
} from '@muster/solver';
import { enumerate, gosperFull, gosperSplits } from '@muster/lab-baselines';
import { constrained, someOf, type Pool, type Weights } from './pools.js';

export type RowName = 'T1' | 'T2-top' | 'T2-free' | 'T4T5' | 'T6' | 'T8' | 'T10';

/** The outcome of a solve. */
export interface Found {
  readonly proven: boolean;
  readonly operations: number;
  /** Value minus its lower bound; the maximum over a pool. */
  readonly gap: number;
  /** For the comparison with Gosper: of the split, or of every size. */
  readonly differences: readonly number[];
}

/** A run of a baseline: its result and steps, or null if it was cut off or gave up. */
export type BaselineRun = (
  pool: Pool,
  stop: () => boolean,
) => { readonly differences: readonly number[]; readonly operations: number } | null;

export interface Row {
  readonly name: RowName;
  readonly weights: Weights;
  readonly n: number;
  /** Distinguishes rows of one size, such as `5x5` or `bots`. */
  readonly shape: string | null;
  readonly withParties: boolean;
  /** Converts a pool to a problem; the returned function is timed. */
  readonly prepare: (pool: Pool) => () => Found;
  /** Rows with the same run of Gosper share it by this name. */
  readonly gosper: { readonly name: string; readonly run: BaselineRun } | null;
  readonly enumeration: BaselineRun | null;
}

/** Descriptions of the rows. */
export const explained: Readonly<Record<RowName, string>> = {
  T1: 'everybody in two teams of one size',
  'T2-top': 'a pool split for every size from 2, the rest sits out; the heaviest plays',
  'T2-free': 'the same, anyone may sit out',
  T4T5: 'two teams, parties of 2 to 5, three roles, avoided pairs (parties alone with 100 players)',
  T6: 'more than two teams: 3 teams of 4, 5 of 5, 6 of 6, 10 of 10',
  T8: 'the 20 best splits into two teams, ranked; also with bots and sizes that may differ by 2',
  T10: 'the fewest swaps between two teams at random: the whole front',
};

/** The published enumeration uses signed 32-bit masks. */
const mostForGosper = 31;

export function rowsOf(): Row[] {
  const doubles = [16, 20, 24, 28];
  return [
    ...[16, 20, 24, 28, 32, 36, 40, 48].map((n) => twoTeams('doubles', n)),
    ...[24, 32, 64, 100].map((n) => twoTeams('integers', n)),
    ...(['T2-top', 'T2-free'] as const).flatMap((name) => [
      ...doubles.map((n) => everySize(name, 'doubles', n)),
      ...[16, 24, 32, 64, 100].map((n) => everySize(name, 'integers', n)),
    ]),
    underConstraints('doubles', 32),
    underConstraints('integers', 32),
    underConstraints('integers', 100),
    ...(['doubles', 'integers'] as const).flatMap((weights) => [
      manyTeams(weights, 3, 4),
      manyTeams(weights, 5, 5),
      ...(weights === 'doubles' ? [manyTeams(weights, 6, 6)] : []),
      manyTeams(weights, 10, 10),
    ]),
    ...[24, 32].flatMap((n) => [several(n, false), several(n, true)]),
    ...[24, 32, 40].map(swaps),
  ];
}

function solveSplit(problem: SplitProblem, options: SplitOptions = {}): Found {
  const answer = split(problem, options);
  if (answer.outcome === 'refused') throw new Error(answer.message);
  const { certificate, solutions, ranked, operations } = answer;
  return {
    proven: certificate.status === 'proven' && (solutions.length === 1 || ranked),
    operations,
    gap: certificate.gap,
    differences: [solutions[0]?.difference ?? Infinity],
  };
}

function twoTeams(weights: Weights, n: number): Row {
  const gosper: BaselineRun = ({ players }, stop) => {
    const { best, finished, operations } = gosperFull(players, { stop });
    return finished && best ? { differences: [best.difference], operations } : null;
  };
  return {
    name: 'T1',
    weights,
    n,
    shape: null,
    withParties: false,
    prepare: ({ players }) => {
      const problem = { players, teamSizes: [n / 2, n / 2] };
      return () => solveSplit(problem);
    },
    gosper: n <= mostForGosper ? { name: `T1 ${weights} ${n}`, run: gosper } : null,
    enumeration: enumeration([n / 2, n / 2]),
  };
}

/** Null if it was stopped or gave up. */
function enumeration(teamSizes: readonly number[]): BaselineRun {
  return ({ players }, stop) => {
    try {
      const { best, operations } = enumerate({ players, teamSizes }, { stop });
      return { differences: [best.difference], operations };
    } catch (error) {
      if (error instanceof Unsolvable) return null;
      throw error;
    }
  };
}

function everySize(name: 'T2-top' | 'T2-free', weights: Weights, n: number): Row {
  const bench: BenchPolicy = name === 'T2-top' ? 'top-plays' : 'anyone';
  const gosper: BaselineRun = ({ players }, stop) => {
    const { splits: found, finished, operations } = gosperSplits(players, { stop });
    return finished ? { differences: found.map(({ difference }) => difference), operations } : null;
  };
  return {
    name,
    weights,
    n,
    shape: null,
    withParties: false,
    prepare: ({ players }) => {
      const problem = { players, bench };
      return () => {
        const answer = splits(problem);
        if (answer.outcome === 'refused') throw new Error(answer.message);
        return {
          proven: answer.splits.every(({ certificate }) => certificate.status === 'proven'),
          operations: answer.operations,
          gap: Math.max(...answer.splits.map(({ certificate }) => certificate.gap)),
          differences: answer.splits.map(({ difference }) => difference),
        };
      };
    },
    gosper: n <= mostForGosper ? { name: `T2 ${weights} ${n}`, run: gosper } : null,
    enumeration: null,
  };
}

function underConstraints(weights: Weights, n: number): Row {
  return {
    name: 'T4T5',
    weights,
    n,
    shape: null,
    withParties: true,
    prepare: (pool) => {
      const problem = constrained(pool, n <= 32);
      return () => solveSplit(problem);
    },
    gosper: null,
    enumeration: null,
  };
}

function manyTeams(weights: Weights, teams: number, size: number): Row {
  const teamSizes = Array.from({ length: teams }, () => size);
  return {
    name: 'T6',
    weights,
    n: teams * size,
    shape: `${teams}x${size}`,
    withParties: false,
    prepare: ({ players }) => {
      const problem = { players, teamSizes };
      return () => solveSplit(problem);
    },
    gosper: null,
    enumeration: enumeration(teamSizes),
  };
}

function several(n: number, withBots: boolean): Row {
  return {
    name: 'T8',
    weights: 'doubles',
    n,
    shape: withBots ? 'bots' : null,
    withParties: false,
    prepare: ({ players }) => {
      const teamSizes = [n / 2, n / 2];
      const bots = { weight: 500, fillTo: n + 4, maxSizeDifference: 2 };
      const problem = withBots ? { players, teamSizes, bots } : { players, teamSizes };
      return () => solveSplit(problem, { best: 20, power: 8, seed: n });
    },
    gosper: null,
    enumeration: null,
  };
}

function swaps(n: number): Row {
  return {
    name: 'T10',
    weights: 'doubles',
    n,
    shape: null,
    withParties: false,
    prepare: ({ players, seed }) => {
      const ids = someOf(
        players.map(({ id }) => id),
        n,
        seededRandom(seed + 1),
      );
      const current = [ids.slice(0, n / 2), ids.slice(n / 2)] as const;
      return () => {
        const answer = rebalance({ players, current, tolerance: 0 });
        if (answer.outcome === 'refused') throw new Error(answer.message);
        const step = answer.front[answer.chosen];
        return {
          proven: answer.exact,
          operations: answer.operations,
          gap: 0,
          differences: step ? [step.difference] : [],
        };
      };
    },
    gosper: null,
    enumeration: null,
  };
}
