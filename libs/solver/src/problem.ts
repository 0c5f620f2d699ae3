/** One player to place. */
export interface SplitPlayer {
  readonly id: string;
  /** Any finite number; teams are to be equal in it. */
  readonly weight: number;
  /** Players of one party stay on one team. */
  readonly party?: string;
  /** The roles that this player can play. One who can play any of the problem's roles plays exactly one of them. */
  readonly canPlay?: readonly string[];
}

/** How many players of a role each team has. */
export interface RoleBounds {
  readonly min?: number;
  readonly max?: number;
}

/**
 * Empty places are filled with bots; then sizes may differ, and the best split is the one of the best ratio. Every team has
 * at least one human.
 */
export interface BotRules {
  /** The weight of one bot. */
  readonly weight: number;
  /** Players and bots of all teams together, at the least; rounded up to a multiple of the number of teams. */
  readonly fillTo: number;
  /** How many more humans one team may have than another. 0 keeps to `teamSizes`. */
  readonly maxSizeDifference: number;
}

/**
 * What is to be equal: the sums; the means (teams of unequal size are then no worse for being small); or the chances to
 * win under a model with normal performances, the rating's uncertainty `sigmas` and the game's own `beta` included.
 */
export type Objective =
  | { readonly kind: 'sum' }
  | { readonly kind: 'mean' }
  | { readonly kind: 'win'; readonly beta: number; readonly sigmas: Readonly<Record<string, number>> };

/** What breaks ties, in order: teams alike in spread, parties facing parties of their size, roles spread evenly. */
export type SecondGoal = 'spread' | 'parties' | 'roles';

export interface SplitProblem {
  readonly players: readonly SplitPlayer[];
  /** How many players each team has; adds up to the number of players (with bots: a starting point). */
  readonly teamSizes: readonly number[];
  readonly roles?: Readonly<Record<string, RoleBounds>>;
  /** Pairs that are not to be team-mates. */
  readonly avoid?: readonly (readonly [string, string])[];
  readonly bots?: BotRules;
  readonly objective?: Objective;
  /** Where local search starts when the problem is beyond exact methods; players missing from it are placed first. */
  readonly current?: readonly (readonly string[])[];
  /** Second goals in order, among the splits within `slack` of the best. */
  readonly second?: { readonly goals: readonly SecondGoal[]; readonly slack: number };
}

/** What the solver may use. */
export interface SplitOptions {
  /** How many of the best splits to answer with, 1 to 100. Default 1. */
  readonly best?: number;
  /** Seeds the draw among them and the local search. Default 0. */
  readonly seed?: number;
  /** The draw takes each with a probability that grows with ratio^power. Without a power the best is chosen. */
  readonly power?: number;
  /** The time and the moment at which to answer with what there is, in the same unit, milliseconds. */
  readonly deadline?: { readonly now: () => number; readonly at: number };
  /** The bytes that lists and tables may take. Default 256 MiB. What needs more is solved otherwise. */
  readonly memoryBytes?: number;
}

export interface SplitSolution {
  /** Ids by team, in the order of the problem. */
  readonly teams: readonly (readonly string[])[];
  /** Those who sit out; empty but for splits of a pool. */
  readonly bench: readonly string[];
  /** How many bots each team gets; all 0 without bot rules. */
  readonly bots: readonly number[];
  /** Each team's weight, bots included. */
  readonly sums: readonly number[];
  /** Largest sum less the smallest. */
  readonly difference: number;
  /** Smallest sum over the largest, 0 to 1; of weights that were shifted to be positive where a sum is not. */
  readonly ratio: number;
}

/**
 * How good the best split is known to be. `value` is what was minimised: the difference of sums, of means, of the
 * chances to win, or with bots 1 − ratio.
 */
export interface Certificate {
  /** `proven`: no split is better by more than the rounding of the weights. `bounded`: none is better than `lowerBound`. */
  readonly status: 'proven' | 'bounded';
  readonly value: number;
  /** Nothing below this is possible; never above the true optimum. */
  readonly lowerBound: number;
  /** `value` less `lowerBound`, at most the rounding when proven. */
  readonly gap: number;
  /**
   * Where the bound comes from: `residue`, the common divisor of the weights allows no less; `structural`, some weights
   * are too heavy to be balanced; `exhausted`, every split was ruled out.
   */
  readonly reason: 'residue' | 'structural' | 'exhausted';
  /** Weights were rounded to multiples of this; 0 when none was changed. */
  readonly quantum: number;
  /** Why it is not proven, where it is not. */
  readonly stopped?: 'deadline' | 'memory' | 'size';
}

/** The methods, see docs/solver.md. */
export type Method =
  | 'trivial'
  | 'differencing'
  | 'neighbourhood'
  | 'meet-in-the-middle'
  | 'ternary-meet-in-the-middle'
  | 'dynamic-programming'
  | 'branch-and-bound'
  | 'pairwise-rebalancing';

export interface SplitAnswer {
  readonly outcome: 'split';
  /** The best first, distinct as partitions. */
  readonly solutions: readonly SplitSolution[];
  /** True when `solutions` are proven to be the best there are, in order; false when better ones may be between them. */
  readonly ranked: boolean;
  /** Index into `solutions` of the one that was drawn. */
  readonly chosen: number;
  readonly certificate: Certificate;
  readonly method: Method;
  /** Why this method, in words. */
  readonly because: string;
  /** How many splits keep every constraint, where that was counted (a double beyond 2^53). */
  readonly ways: number | null;
  /** Steps of the inner loops: grows with the work as time does, but is the same on every machine. */
  readonly operations: number;
  /**
   * Weights were raised by this before ratios were taken, so that every sum is positive that a team of any size allowed could
   * have; 0 when they were not.
   */
  readonly shift: number;
}

/** A constraint that stands in the way. */
export type Constraint =
  | { readonly kind: 'party'; readonly party: string; readonly size: number }
  | { readonly kind: 'avoid'; readonly pair: readonly [string, string] }
  | { readonly kind: 'role-min'; readonly role: string; readonly min: number }
  | { readonly kind: 'role-max'; readonly role: string; readonly max: number };

/** There is no answer. */
export interface SplitRefusal {
  readonly outcome: 'refused';
  /** `malformed`: the problem makes no sense. `infeasible`: no split keeps all constraints. `too-large`: none was found in the work allowed. */
  readonly why: 'malformed' | 'infeasible' | 'too-large';
  /** What was wrong and what would be right, in a sentence for people. */
  readonly message: string;
  /** Where: a path into the problem, such as `players[3].weight`. */
  readonly path?: string;
  /** The fewest constraints without which there is a split; empty when none helps or they were not sought. */
  readonly relax: readonly Constraint[];
}

/** Who may sit out: anyone; anyone but the heaviest; or those who have waited least. */
export type BenchPolicy = 'anyone' | 'top-plays' | 'longest-waiting';

export interface PoolPlayer {
  readonly id: string;
  readonly weight: number;
  /** For `longest-waiting`: any unit, more is longer. Without it, those named first have waited longest. */
  readonly waited?: number;
}

export interface PoolProblem {
  readonly players: readonly PoolPlayer[];
  readonly bench: BenchPolicy;
}

export interface PoolSplit {
  /** Players a team. */
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
  readonly players: readonly { readonly id: string; readonly weight: number }[];
  /** The two teams as they are; players in neither are placed first. */
  readonly current: readonly [readonly string[], readonly string[]];
  /** Stop swapping when the teams differ by no more than this. */
  readonly tolerance: number;
  /** Players who stay where they are; those of them who are on no team are placed, and stay there. */
  readonly pinned?: readonly string[];
}

/** The best that so many swaps can do. */
export interface RebalanceStep {
  readonly swaps: number;
  /** Who goes from the first team to the second, and back; as many each. */
  readonly toSecond: readonly string[];
  readonly toFirst: readonly string[];
  readonly sums: readonly [number, number];
  readonly difference: number;
}

export interface RebalanceAnswer {
  readonly outcome: 'rebalanced';
  /** Where the players who were on no team went. */
  readonly placed: readonly { readonly id: string; readonly team: 0 | 1 }[];
  /** The best for each number of swaps that improves on fewer; the first is no swap at all. */
  readonly front: readonly RebalanceStep[];
  /** Index into `front`: the fewest swaps within the tolerance, or the most even when none is. */
  readonly chosen: number;
  readonly withinTolerance: boolean;
  /** True when every number of swaps was examined; the front is then exact. */
  readonly exact: boolean;
  /** Up to how many swaps the front is exact. */
  readonly exactUpTo: number;
  readonly quantum: number;
  readonly operations: number;
}
