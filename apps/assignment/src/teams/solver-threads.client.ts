import { Unsolvable } from '@muster/domain';
import { Piscina } from 'piscina';
import {
  timeOfThreads,
  type Answer,
  type Body,
  type Problem,
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

  // Each throws Unsolvable as `SolveTeams` does, and TooBusy when the queue is full.
  readonly split = (body: Body<'split'>) => this.ask('split', body, body.deadlineMs);
  readonly splits = (body: Body<'splits'>) => this.ask('splits', body, body.deadlineMs);
  readonly rebalance = (body: Body<'rebalance'>) => this.ask('rebalance', body, body.deadlineMs);
  readonly cache = (body: Body<'cache'>) => this.ask('cache', body, cacheWaitMs);

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

  async close(): Promise<void> {
    await this.pool.close({ force: true });
  }

  /** @param waitMs after which it is refused if no thread was free: the time that a caller gave counts from arrival */
  private async ask<P extends Problem>(problem: P, body: Body<P>, waitMs: number): Promise<Answer<P>> {
    const task = { problem, body, arrivedAt: timeOfThreads() };
    const reply = await this.turns.run(waitMs, () => this.pool.run(task));
    if ('refusal' in reply) throw new Unsolvable(reply.refusal.message, reply.refusal.facts);
    // The reply has the type of the request.
    return reply.answer as Answer<P>;
  }
}
