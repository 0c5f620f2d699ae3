import { split, type SplitPlayer } from '@muster/solver';
import { pairSwap, restartGreedy, snake } from '@muster/lab-baselines';
import { inParties, poolsOf, type Weights } from './pools.js';
import { grid, number, type Paint } from './table.js';
import { percentile } from '../support/percentile.js';

/** Deadlines in milliseconds of the solver's own time; see `ownClock`. */
export const deadlines = [5, 20, 100, 1_000] as const;

/** The quality of splits of more than two teams with a deadline. */
export interface DeadlineReport {
  readonly ms: number;
  readonly problems: number;
  /** Answers less even than a snake draft with swaps. */
  readonly worse: number;
  /** Answers less even than with the previous deadline. */
  readonly rises: number;
  /** Median of the difference relative to that of a snake draft with swaps, where that is not 0. */
  readonly ofSwaps: number;
  /** Problems proven without a deadline, and how many of them were as even with this one. */
  readonly known: number;
  readonly best: number;
}

interface Problem {
  readonly players: readonly SplitPlayer[];
  readonly teamSizes: readonly number[];
}

/** 3 to 10 teams of 3 to 12 from all kinds of pools, doubles and integers alternating. */
function problemOf(i: number, seed: number): Problem {
  const teams = 3 + (i % 8);
  const size = 3 + ((i >> 3) % 10);
  const weights: Weights = i % 2 === 0 ? 'doubles' : 'integers';
  const pools = poolsOf(weights, teams * size, 1 + (i % 30), seed + i, false);
  return {
    players: pools[pools.length - 1]?.players ?? [],
    teamSizes: Array.from({ length: teams }, () => size),
  };
}

interface Outcome {
  /** By deadline. */
  readonly differences: readonly number[];
  readonly bySwaps: number;
  /** Null if unknown. */
  readonly least: number | null;
  /** The rounding error of the sums. */
  readonly rounding: number;
}

/**
 * A clock of the solver's own milliseconds: the lesser of wall time, which other work on the machine lengthens, and
 * processor time, which garbage collection and compilation lengthen.
 */
function ownClock(): () => number {
  const from = performance.now();
  const used = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(used);
    return Math.min(performance.now() - from, (user + system) / 1_000);
  };
}

function outcomeOf({ players, teamSizes }: Problem): Outcome {
  const differenceWithin = (ms: number | null): { difference: number; proven: boolean; quantum: number } => {
    // Garbage of the previous split is not collected in this one's time.
    globalThis.gc?.();
    const deadline = ms === null ? undefined : { now: ownClock(), at: ms };
    const answer = split({ players, teamSizes }, { deadline, mostSteps: deadline ? Infinity : undefined });
    if (answer.outcome === 'refused') throw new Error(answer.message);
    const { status, quantum } = answer.certificate;
    return { difference: answer.solutions[0]?.difference ?? Infinity, proven: status === 'proven', quantum };
  };
  const full = differenceWithin(null);
  const total = players.reduce((sum, { weight }) => sum + Math.abs(weight), 0);
  return {
    differences: deadlines.map((ms) => differenceWithin(ms).difference),
    bySwaps: pairSwap(players, snake(players, teamSizes).teams).difference,
    least: full.proven ? full.difference : null,
    rounding: players.length * full.quantum + 1e-12 * total,
  };
}

/** Solves `count` problems with each deadline, and by a snake draft with swaps. */
export function measureDeadlines(count: number, seed: number): DeadlineReport[] {
  return summaryOf(Array.from({ length: count }, (_, i) => outcomeOf(problemOf(i, seed))));
}

export function summaryOf(outcomes: readonly Outcome[]): DeadlineReport[] {
  return deadlines.map((ms, d) => {
    const at = ({ differences }: Outcome, index: number): number => differences[index] ?? Infinity;
    const known = outcomes.filter(({ least }) => least !== null);
    return {
      ms,
      problems: outcomes.length,
      worse: outcomes.filter((each) => at(each, d) > each.bySwaps + each.rounding).length,
      rises: outcomes.filter((each) => at(each, d) > at(each, d - 1) + each.rounding).length,
      ofSwaps: percentile(
        outcomes.filter(({ bySwaps }) => bySwaps > 0).map((each) => at(each, d) / each.bySwaps),
        50,
      ),
      known: known.length,
      best: known.filter((each) => at(each, d) <= (each.least ?? 0) + each.rounding).length,
    };
  });
}

/** The reports as a Markdown table. */
export function deadlineTable(reports: readonly DeadlineReport[], paint: Paint): string {
  const lines = reports.map(({ ms, problems, worse, rises, ofSwaps, known, best }) => [
    `${ms}`,
    `${problems}`,
    `${worse}`,
    `${rises}`,
    number(ofSwaps),
    `${best} of ${known}`,
    paint(worse === 0 && rises === 0, `never worse: ${worse === 0 && rises === 0 ? 'met' : 'missed'}`),
  ]);
  return grid(
    ['deadline ms', 'problems', 'worse than swaps', 'worse than sooner', 'of swaps p50', 'known best', 'aim'],
    lines,
  );
}

/** Teams with parties, beside greedy restarts that are given the same time. */
export interface PartiesReport {
  readonly ms: number;
  readonly problems: number;
  /** Answers more even than those of greedy restarts, and less even. */
  readonly ahead: number;
  readonly behind: number;
  readonly proven: number;
}

/** Problems of 3 to 10 teams of 3 to 9, some of their players in parties of two to four. */
export function measureParties(count: number, seed: number): PartiesReport[] {
  const problems = Array.from({ length: count }, (_, i) => {
    const { players, teamSizes } = problemOf(8 * (i % 7) + (i % 8), seed + i);
    return { players: inParties(players, teamSizes, seed + i), teamSizes };
  });
  // The code is compiled by its first runs.
  for (const problem of problems.slice(0, 30)) split(problem);
  return [5, 50, 500].map((ms) => {
    const outcomes = problems.map((problem, i) => {
      globalThis.gc?.();
      const answer = split(problem, { seed: i, mostSteps: Infinity, deadline: { now: ownClock(), at: ms } });
      if (answer.outcome === 'refused') throw new Error(answer.message);
      globalThis.gc?.();
      const clock = ownClock();
      const greedy = restartGreedy(
        problem.players,
        { teamSizes: problem.teamSizes, seed: i },
        { stop: () => clock() >= ms },
      );
      const { quantum, status } = answer.certificate;
      const rounding = problem.players.length * (quantum + 1e-9);
      const gain = (greedy?.difference ?? Infinity) - (answer.solutions[0]?.difference ?? Infinity);
      return { isProven: status === 'proven', order: Math.abs(gain) <= rounding ? 0 : Math.sign(gain) };
    });
    return {
      ms,
      problems: count,
      ahead: outcomes.filter(({ order }) => order > 0).length,
      behind: outcomes.filter(({ order }) => order < 0).length,
      proven: outcomes.filter(({ isProven }) => isProven).length,
    };
  });
}

export function partiesTable(reports: readonly PartiesReport[]): string {
  return grid(
    ['deadline ms', 'problems', 'more even than greedy restarts', 'less even', 'proven'],
    reports.map(({ ms, problems, ahead, behind, proven }) =>
      [ms, problems, ahead, behind, proven].map(String),
    ),
  );
}
