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
  rebalance,
  split,
  splits,
  type BenchPolicy,
  type SplitOptions,
  type SplitRefusal,
} from '@muster/solver';
import { solved } from './solved.js';
import { winProbability } from './win-probability.js';

/** Who solves team problems for callers; elsewhere than where matches are formed. */
export interface TeamsSolver {
  /** @throws Unsolvable when no split keeps the rules; TooBusy when too much waits */
  split(body: SplitTeams): Promise<TeamSplit>;
  /** @throws Unsolvable when the pool makes no sense; TooBusy when too much waits */
  splits(body: SplitPool): Promise<PoolSplits>;
  /** @throws Unsolvable when the teams make no sense; TooBusy when too much waits */
  rebalance(body: RebalanceTeams): Promise<Rebalanced>;
  /** The best two teams of every size, parties together. @throws TooBusy when too much waits */
  cache(asked: CacheAsked): Promise<SplitCache>;
}

/** Whom splits are made for ahead. */
export interface CacheAsked {
  readonly players: readonly ScramblePlayer[];
  readonly bench: BenchPolicy;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A call and its reply, as they go to a thread and come back. */
export type TeamsCall =
  | { readonly kind: 'split'; readonly body: SplitTeams }
  | { readonly kind: 'splits'; readonly body: SplitPool }
  | { readonly kind: 'rebalance'; readonly body: RebalanceTeams }
  | { readonly kind: 'cache'; readonly body: CacheAsked };
export type TeamsAnswer = TeamSplit | PoolSplits | Rebalanced | SplitCache;
export type TeamsReply =
  | { readonly answer: TeamsAnswer }
  | { readonly refusal: { readonly message: string; readonly facts: Readonly<Record<string, unknown>> } };

/** A cache is made ahead, but a thread is held up by it. */
const cacheMs = 500;

/** Teams for whoever asks: nothing is read, nothing is stored. */
export class SolveTeams {
  constructor(private readonly clock: Clock) {}

  /** @throws Unsolvable */
  answer(call: TeamsCall): TeamsAnswer {
    switch (call.kind) {
      case 'split':
        return this.split(call.body);
      case 'splits':
        return this.splits(call.body);
      case 'rebalance':
        return this.rebalance(call.body);
      case 'cache':
        return this.cache(call.body);
    }
  }

  /** @throws Unsolvable when no split keeps the rules */
  split({ deadlineMs, best, seed, power, ...problem }: SplitTeams): TeamSplit {
    const { outcome: _, ...answer } = this.timed(deadlineMs, (deadline) =>
      split(problem, { best, seed, power, deadline }),
    );
    return { ...answer, winProbability: winProbability(problem, answer) };
  }

  /** @throws Unsolvable when the pool makes no sense */
  splits({ deadlineMs, ...problem }: SplitPool): PoolSplits {
    const { outcome: _, ...answer } = this.timed(deadlineMs, (deadline) => splits(problem, { deadline }));
    return answer;
  }

  /** @throws Unsolvable when the teams make no sense */
  rebalance({ deadlineMs, ...problem }: RebalanceTeams): Rebalanced {
    const { outcome: _, ...answer } = this.timed(deadlineMs, (deadline) => rebalance(problem, { deadline }));
    return answer;
  }

  cache({ players, bench, now }: CacheAsked): SplitCache {
    const from = this.clock.now();
    return makeCache(players, bench, now, { now: () => this.clock.now(), at: from + cacheMs });
  }

  private timed<A extends { readonly outcome: string }>(
    deadlineMs: number,
    solve: (deadline: SplitOptions['deadline']) => A | SplitRefusal,
  ): A & { elapsedMs: number } {
    const from = this.clock.now();
    const answer = solved(solve({ now: () => this.clock.now(), at: from + deadlineMs }));
    return { ...answer, elapsedMs: this.clock.now() - from };
  }
}
