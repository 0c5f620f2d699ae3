import type {
  PoolSplits,
  Rebalanced,
  RebalanceTeams,
  SplitPool,
  SplitTeams,
  TeamSplit,
} from '@muster/contracts';
import { Unsolvable } from '@muster/domain';
import type { SplitCache } from '@muster/live-balance';
import { Piscina } from 'piscina';
import {
  timeOfThreads,
  type CacheRequest,
  type TeamsAnswer,
  type TeamsCall,
  type TeamsReply,
  type TeamsTask,
} from './solve-teams.js';
import { Turns } from './turns.js';

/** Most waiting calls: each may take seconds. */
const mostWaiting = 64;
/** How long a cache, which has a limit of its own once it begins, waits for a thread, in milliseconds. */
const cacheWaitMs = 5_000;

/**
 * Solves team problems in threads: a call may take its whole deadline, and matches must be formed meanwhile. Matches
 * themselves are split in the main thread, in about a millisecond.
 */
export class SolverThreads {
  private readonly pool: Piscina<TeamsTask, TeamsReply>;
  private readonly turns: Turns;

  /**
   * @param threads started at once and kept: a thread that has to start and compile its code first delays a caller ten
   *   times as long as the answer takes
   */
  constructor(threads: number) {
    this.pool = new Piscina({
      filename: new URL('./solver.worker.js', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
    });
    this.turns = new Turns(threads, mostWaiting);
  }

  /** @throws Unsolvable when no split satisfies the rules; TooBusy when the queue is full */
  split(body: SplitTeams): Promise<TeamSplit> {
    return this.ask<TeamSplit>({ kind: 'split', body }, body.deadlineMs);
  }

  /** @throws Unsolvable when the pool is invalid; TooBusy when the queue is full */
  splits(body: SplitPool): Promise<PoolSplits> {
    return this.ask<PoolSplits>({ kind: 'splits', body }, body.deadlineMs);
  }

  /** @throws Unsolvable when the teams are invalid; TooBusy when the queue is full */
  rebalance(body: RebalanceTeams): Promise<Rebalanced> {
    return this.ask<Rebalanced>({ kind: 'rebalance', body }, body.deadlineMs);
  }

  /** The best two teams of every size, parties together. @throws TooBusy when the queue is full */
  cache(body: CacheRequest): Promise<SplitCache> {
    return this.ask<SplitCache>({ kind: 'cache', body }, cacheWaitMs);
  }

  async close(): Promise<void> {
    await this.pool.close({ force: true });
  }

  /** @param waitMs after which it is refused if no thread was free: the time that a caller gave counts from arrival */
  private async ask<Answer extends TeamsAnswer>(call: TeamsCall, waitMs: number): Promise<Answer> {
    const task = { call, arrivedAt: timeOfThreads() };
    const reply = await this.turns.run(waitMs, () => this.pool.run(task));
    if ('refusal' in reply) throw new Unsolvable(reply.refusal.message, reply.refusal.facts);
    // The reply has the type of the request.
    return reply.answer as Answer;
  }
}
