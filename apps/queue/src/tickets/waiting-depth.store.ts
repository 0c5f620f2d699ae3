import { scriptRunner, type RedisConnection, type ScriptRunner } from '@muster/redis';

import * as scripts from '../generated/scripts.js';
import { readTicket } from './ticket-text.js';

/** The waiting tickets of a queue. */
export interface WaitingDepth {
  readonly waiting: number;
  /**
   * When the ticket that expires first was enqueued, in milliseconds since the epoch; null without one. It is the oldest
   * ticket unless the rules changed the lifetime of tickets since.
   */
  readonly oldestAt: number | null;
}

/** Reads how much waits, at a cost that does not depend on it. */
export class RedisWaitingDepth {
  private readonly run: ScriptRunner;

  constructor(redis: RedisConnection, root: string) {
    this.run = scriptRunner(redis, root);
  }

  async of(queue: string): Promise<WaitingDepth> {
    const [count = '0', fixed] = await scripts.waitingDepth(this.run, { queue });
    return {
      waiting: Number(count),
      oldestAt: fixed === undefined ? null : readTicket('', fixed).enqueuedAt,
    };
  }
}
