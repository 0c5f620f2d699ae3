import type {
  PoolSplits,
  Rebalanced,
  RebalanceTeams,
  SplitPool,
  SplitTeams,
  TeamSplit,
} from '@muster/contracts';
import type { Clock } from '@muster/domain';
import { makeCache, type ScramblePlayer, type SplitCache } from '@muster/live-balance';
import {
  chanceToWin,
  rebalance,
  split,
  splits,
  type BenchPolicy,
  type SplitAnswer,
  type SplitOptions,
  type SplitProblem,
  type SplitRefusal,
} from '@muster/solver';
import { solved } from './solved.js';

/** The players to compute splits for. */
export interface CacheRequest {
  readonly players: readonly ScramblePlayer[];
  readonly bench: BenchPolicy;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What each problem asks. */
interface Bodies {
  readonly split: SplitTeams;
  readonly splits: SplitPool;
  readonly rebalance: RebalanceTeams;
  readonly cache: CacheRequest;
}

interface Answers {
  readonly split: TeamSplit;
  readonly splits: PoolSplits;
  readonly rebalance: Rebalanced;
  readonly cache: SplitCache;
}

/** A problem, by the method of {@link SolveTeams} that solves it. */
export type Problem = keyof Bodies;
export type Body<P extends Problem> = Bodies[P];
export type Answer<P extends Problem> = Answers[P];

/** A problem for a thread. */
export interface TeamsTask<P extends Problem = Problem> {
  readonly problem: P;
  readonly body: Body<P>;
  /** By `timeOfThreads`: the time that a caller gave counts from here. */
  readonly arrivedAt: number;
}

export type TeamsReply<P extends Problem = Problem> =
  | { readonly answer: Answer<P> }
  | { readonly refusal: { readonly message: string; readonly facts: Readonly<Record<string, unknown>> } };

/** Milliseconds of a monotonic clock that all threads of a process share. */
export function timeOfThreads(): number {
  return performance.timeOrigin + performance.now();
}

/** Solves each problem. */
export type Solver = { [P in Problem]: (body: Body<P>, arrivedAt?: number) => Answer<P> };

/** A search for more than two teams ends when so many times the work up to its last improvement has brought no other. */
const patience = 4;
/** Time limit for a cache: it is computed ahead, but blocks a thread. */
const cacheMs = 500;

/** Solves team problems: reads nothing, stores nothing. Time limits count from `arrivedAt`, which is now by default. */
export class SolveTeams implements Solver {
  constructor(private readonly clock: Clock) {}

  /** @throws Unsolvable when no split satisfies the rules */
  split({ deadlineMs, wholeTime, best, seed, power, ...problem }: SplitTeams, arrivedAt?: number): TeamSplit {
    const { outcome: _, ...answer } = this.timed(arrivedAt, deadlineMs, (deadline) =>
      split(problem, {
        best,
        seed,
        power,
        deadline,
        mostSteps: Infinity,
        patience: wholeTime ? Infinity : patience,
      }),
    );
    return { ...answer, winProbability: winProbability(problem, answer) };
  }

  /** @throws Unsolvable when the pool is invalid */
  splits({ deadlineMs, ...problem }: SplitPool, arrivedAt?: number): PoolSplits {
    const { outcome: _, ...answer } = this.timed(arrivedAt, deadlineMs, (deadline) =>
      splits(problem, { deadline }),
    );
    return answer;
  }

  /** @throws Unsolvable when the teams are invalid */
  rebalance({ deadlineMs, ...problem }: RebalanceTeams, arrivedAt?: number): Rebalanced {
    const { outcome: _, ...answer } = this.timed(arrivedAt, deadlineMs, (deadline) =>
      rebalance(problem, { deadline }),
    );
    return answer;
  }

  cache({ players, bench, now }: CacheRequest): SplitCache {
    const from = this.clock.now();
    return makeCache(players, bench, now, { now: () => this.clock.now(), at: from + cacheMs });
  }

  private timed<A extends { readonly outcome: string }>(
    arrivedAt: number | undefined,
    deadlineMs: number,
    solve: (deadline: SplitOptions['deadline']) => A | SplitRefusal,
  ): A & { elapsedMs: number } {
    const from = arrivedAt ?? this.clock.now();
    const answer = solved(solve({ now: () => this.clock.now(), at: from + deadlineMs }));
    return { ...answer, elapsedMs: this.clock.now() - from };
  }
}

/** The first team's chance to win in the chosen split, or null unless the objective equalised two teams without bots. */
function winProbability(
  { objective, players, bots }: Pick<SplitProblem, 'objective' | 'players' | 'bots'>,
  { solutions, chosen }: Pick<SplitAnswer, 'solutions' | 'chosen'>,
): number | null {
  const [first, second, third] = solutions[chosen]?.sums ?? [];
  if (objective?.kind !== 'win' || bots) return null;
  if (first === undefined || second === undefined || third !== undefined) return null;
  return chanceToWin(first - second, objective, players);
}
