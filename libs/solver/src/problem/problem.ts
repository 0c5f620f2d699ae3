import type { SplitCertificate } from '@muster/domain';

/** A player with a weight. */
export interface Weighted {
  readonly id: string;
  /** Any finite number; teams have to be equal in its sum. */
  readonly weight: number;
}

/** One player to place. */
export interface SplitPlayer extends Weighted {
  /** Players of one party stay on one team. */
  readonly party?: string;
  /** The roles that this player can play. A player who can play any of the problem's roles plays exactly one of them. */
  readonly canPlay?: readonly string[];
}

/** Number of players of a role on each team. */
export interface RoleBounds {
  readonly min?: number;
  readonly max?: number;
}

/**
 * Empty places are filled with bots; then sizes may differ, and the best split is the one with the best ratio. Every team
 * has at least one human.
 */
export interface BotRules {
  /** The weight of one bot. */
  readonly weight: number;
  /** Fewest players and bots of all teams together; rounded up to a multiple of the number of teams. */
  readonly fillTo: number;
  /** Allowed difference in humans between teams. 0 enforces `teamSizes`. */
  readonly maxSizeDifference: number;
}

/**
 * The objective: equal sums; equal means (small teams then have no disadvantage); or equal chances to win under a model
 * with normal performances, with the ratings' uncertainties `sigmas` and the game's own `beta`.
 */
export type Objective =
  | { readonly kind: 'sum' }
  | { readonly kind: 'mean' }
  | { readonly kind: 'win'; readonly beta: number; readonly sigmas: Readonly<Record<string, number>> };

/** Tie-breakers, in order: teams alike in spread, parties facing parties of their size, roles spread evenly. */
export type SecondGoal = 'spread' | 'parties' | 'roles';

export interface SplitProblem {
  readonly players: readonly SplitPlayer[];
  /** The size of each team; adds up to the number of players (with bots: a starting point). */
  readonly teamSizes: readonly number[];
  readonly roles?: Readonly<Record<string, RoleBounds>>;
  /** Pairs that must not be team-mates. */
  readonly avoid?: readonly (readonly [string, string])[];
  readonly bots?: BotRules;
  readonly objective?: Objective;
  /** Where local search starts when the problem is beyond exact methods; players missing from it are placed first. */
  readonly current?: readonly (readonly string[])[];
  /** Second goals in order, among the splits within `slack` of the best. */
  readonly second?: { readonly goals: readonly SecondGoal[]; readonly slack: number };
}

/** Options of the solver. */
export interface SplitOptions {
  /** Number of best splits to return, 1 to 100. Default 1. */
  readonly best?: number;
  /** Seeds the draw among them and the local search. Default 0. */
  readonly seed?: number;
  /** The draw takes each with a probability proportional to ratio^power. Without a power the best is chosen. */
  readonly power?: number;
  /** The clock, and the time at which to return the best result so far, in the same unit, milliseconds. */
  readonly deadline?: { readonly now: () => number; readonly at: number };
  /**
   * Steps after which the local search for more even teams ends, for more than two teams, about 10 ns each. Default 20
   * million. With Infinity only a proof or the deadline ends it, which has to be given.
   */
  readonly mostSteps?: number;
  /**
   * For more than two teams, the local search ends, too, when so many times the steps up to its last improvement have brought
   * no other. Default Infinity: it goes on.
   */
  readonly patience?: number;
  /** Memory limit of lists and tables in bytes. Default 256 MiB. Beyond it other methods are used. */
  readonly memoryBytes?: number;
}

export interface SplitSolution {
  /** Ids by team, in the order of the problem. */
  readonly teams: readonly (readonly string[])[];
  /** Players who sit out; empty except for splits of a pool. */
  readonly bench: readonly string[];
  /** Number of bots on each team; all 0 without bot rules. */
  readonly bots: readonly number[];
  /** Each team's weight, bots included. */
  readonly sums: readonly number[];
  /** Largest sum less the smallest. */
  readonly difference: number;
  /** Smallest sum over the largest, 0 to 1; of weights that were shifted to be positive where a sum is not. */
  readonly ratio: number;
}

/**
 * The proof of the best split's quality. `value` is the objective: the difference of sums, of means, of the chances to win,
 * or with bots 1 − ratio.
 */
export type Certificate = SplitCertificate;

/** The methods, see docs/solver.md. */
export type Method =
  | 'trivial'
  | 'differencing'
  | 'neighbourhood'
  | 'meet-in-the-middle'
  | 'ternary-meet-in-the-middle'
  | 'dynamic-programming'
  | 'branch-and-bound'
  | 'local-search';

export interface SplitAnswer {
  readonly outcome: 'split';
  /** The best first, distinct as partitions. */
  readonly solutions: readonly SplitSolution[];
  /** True when `solutions` are proven to be the best, in order; false when better ones may be missing. */
  readonly ranked: boolean;
  /** Index into `solutions` of the drawn one. */
  readonly chosen: number;
  readonly certificate: Certificate;
  readonly method: Method;
  /** Why this method, as text. */
  readonly because: string;
  /** Number of splits that satisfy every constraint, where it was counted (a double beyond 2^53). */
  readonly ways: number | null;
  /** Steps of the inner loops: proportional to time, but the same on every machine. */
  readonly operations: number;
  /**
   * Added to weights before ratios were taken, so that every possible sum of a team of any allowed size is positive; 0 when
   * none was.
   */
  readonly shift: number;
}

/** A constraint that prevents a split. */
export type Constraint =
  | { readonly kind: 'party'; readonly party: string; readonly size: number }
  | { readonly kind: 'avoid'; readonly pair: readonly [string, string] }
  | { readonly kind: 'role-min'; readonly role: string; readonly min: number }
  | { readonly kind: 'role-max'; readonly role: string; readonly max: number };

/** There is no answer. */
export interface SplitRefusal {
  readonly outcome: 'refused';
  /**
   * `malformed`: the problem is invalid. `infeasible`: no split satisfies all constraints. `too-large`: none was found
   * within the step limit.
   */
  readonly why: 'malformed' | 'infeasible' | 'too-large';
  /** The invalid and the expected value, in a sentence for people. */
  readonly message: string;
  /** A path into the problem, such as `players[3].weight`. */
  readonly path?: string;
  /** The fewest constraints whose removal allows a split; empty when none helps or they were not searched. */
  readonly relax: readonly Constraint[];
}

/** Who may sit out: anyone; anyone but the heaviest; or those who have waited least. */
export type BenchPolicy = 'anyone' | 'top-plays' | 'longest-waiting';

export interface PoolPlayer extends Weighted {
  /** For `longest-waiting`: any unit, more is longer. Without it, those named first have waited longest. */
  readonly waited?: number;
}

export interface PoolProblem {
  readonly players: readonly PoolPlayer[];
  readonly bench: BenchPolicy;
}

export interface PoolSplit {
  /** Players per team. */
  readonly size: number;
  readonly teams: readonly [readonly string[], readonly string[]];
  readonly bench: readonly string[];
  readonly sums: readonly [number, number];
  readonly difference: number;
  readonly certificate: Certificate;
  readonly method: Method;
}

export interface PoolAnswer {
  readonly outcome: 'splits';
  /** One for every size from 2 to ⌊players / 2⌋. */
  readonly splits: readonly PoolSplit[];
  readonly operations: number;
}

export interface RebalanceProblem {
  readonly players: readonly Weighted[];
  /** The two current teams; players in neither are placed first. */
  readonly current: readonly [readonly string[], readonly string[]];
  /** Stop swapping when the teams differ by at most this. */
  readonly tolerance: number;
  /** Players who stay in place; those of them who are on no team are placed, and stay there. */
  readonly pinned?: readonly string[];
}

/** The best result with this many swaps. */
export interface RebalanceStep {
  readonly swaps: number;
  /** Players who move from the first team to the second, and back; as many each. */
  readonly toSecond: readonly string[];
  readonly toFirst: readonly string[];
  readonly sums: readonly [number, number];
  readonly difference: number;
}

export interface RebalanceAnswer {
  readonly outcome: 'rebalanced';
  /** The placements of the players who were on no team. */
  readonly placed: readonly { readonly id: string; readonly team: 0 | 1 }[];
  /** The best for each number of swaps that improves on fewer; the first is no swap at all. */
  readonly front: readonly RebalanceStep[];
  /** Index into `front`: the fewest swaps within the tolerance, or the most even when none is. */
  readonly chosen: number;
  readonly withinTolerance: boolean;
  /** True when every number of swaps was examined; the front is then exact. */
  readonly exact: boolean;
  /** The number of swaps up to which the front is exact. */
  readonly exactUpTo: number;
  readonly quantum: number;
  readonly operations: number;
}
