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

/** A call and its reply, as they are passed to a thread and back. */
export type TeamsCall =
  | { readonly kind: 'split'; readonly body: SplitTeams }
  | { readonly kind: 'splits'; readonly body: SplitPool }
  | { readonly kind: 'rebalance'; readonly body: RebalanceTeams }
  | { readonly kind: 'cache'; readonly body: CacheRequest };
/** A call for a thread. */
export interface TeamsTask {
  readonly call: TeamsCall;
  /** By `timeOfThreads`: the time that a caller gave counts from here. */
  readonly arrivedAt: number;
}
export type TeamsAnswer = TeamSplit | PoolSplits | Rebalanced | SplitCache;
export type TeamsReply =
  | { readonly answer: TeamsAnswer }
  | { readonly refusal: { readonly message: string; readonly facts: Readonly<Record<string, unknown>> } };

/** Milliseconds of a monotonic clock that all threads of a process share. */
export function timeOfThreads(): number {
  return performance.timeOrigin + performance.now();
}

/** A search for more than two teams ends when so many times the work up to its last improvement has brought no other. */
const patience = 4;
/** Time limit for a cache: it is computed ahead, but blocks a thread. */
const cacheMs = 500;

/** Solves team problems: reads nothing, stores nothing. */
export class SolveTeams {
  constructor(private readonly clock: Clock) {}

  /**
   * @param arrivedAt time limits count from then; default now
   * @throws Unsolvable
   */
  answer(call: TeamsCall, arrivedAt?: number): TeamsAnswer {
    switch (call.kind) {
      case 'split':
        return this.split(call.body, arrivedAt);
      case 'splits':
        return this.splits(call.body, arrivedAt);
      case 'rebalance':
        return this.rebalance(call.body, arrivedAt);
      case 'cache':
        return this.cache(call.body);
    }
  }

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
