import type {
  PoolSplits,
  Rebalanced,
  RebalanceTeams,
  SplitPool,
  SplitTeams,
  TeamSplit,
} from '@muster/contracts';
import { TooBusy, Unsolvable } from '@muster/domain';
import type { SplitCache } from '@muster/live-balance';
import { Piscina } from 'piscina';
import type { CacheRequest, TeamsAnswer, TeamsCall, TeamsReply, TeamsSolver } from './solve-teams.js';

/** Most waiting calls: each may take seconds. */
const mostWaiting = 64;

/**
 * Solves team problems in threads: a call may take its whole deadline, and matches must be formed meanwhile. Matches
 * themselves are split in the main thread, in about a millisecond.
 */
export class SolverThreads implements TeamsSolver {
  private readonly pool: Piscina<TeamsCall, TeamsReply>;

  /**
   * @param threads started at once and kept: a thread that has to start and compile its code first delays a caller ten
   *   times as long as the answer takes
   */
  constructor(threads: number) {
    this.pool = new Piscina({
      filename: new URL('./solver.worker.js', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      maxQueue: mostWaiting,
    });
  }

  split(body: SplitTeams): Promise<TeamSplit> {
    return this.ask<TeamSplit>({ kind: 'split', body });
  }

  splits(body: SplitPool): Promise<PoolSplits> {
    return this.ask<PoolSplits>({ kind: 'splits', body });
  }

  rebalance(body: RebalanceTeams): Promise<Rebalanced> {
    return this.ask<Rebalanced>({ kind: 'rebalance', body });
  }

  cache(body: CacheRequest): Promise<SplitCache> {
    return this.ask<SplitCache>({ kind: 'cache', body });
  }

  async close(): Promise<void> {
    await this.pool.close({ force: true });
  }

  private async ask<Answer extends TeamsAnswer>(call: TeamsCall): Promise<Answer> {
    if (this.pool.queueSize >= mostWaiting) {
      throw new TooBusy(`${mostWaiting} team problems wait to be solved already; ask again in a second.`);
    }
    const reply = await this.pool.run(call);
    if ('refusal' in reply) throw new Unsolvable(reply.refusal.message, reply.refusal.facts);
    // The reply has the type of the request.
    return reply.answer as Answer;
  }
}
