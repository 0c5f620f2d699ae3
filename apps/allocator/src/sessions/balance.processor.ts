import { BalanceSession, jobQueues } from '@muster/contracts';
import { LOG, OnJob, SharedClock, type Log } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Inject, Injectable } from '@nestjs/common';
import { commandsOf } from '../watch/wake-ups.js';
import { PostgresSessionStore } from './sessions.store.js';

/** Converts live-balance orders into commands for the session's server. */
@Injectable()
export class BalanceProcessor {
  constructor(
    @Inject(PostgresSessionStore) private readonly store: PostgresSessionStore,
    @Inject(WakeUps) private readonly wakeUps: WakeUps,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @OnJob(jobQueues.balanceSession, BalanceSession, { concurrency: 4 })
  async balance({ sessionId, order }: BalanceSession): Promise<void> {
    const serverId = await this.store.commandBalance(sessionId, order, this.clock.now());
    if (serverId !== null) this.wakeUps.wake(commandsOf(serverId));
    this.log.info({ sessionId, number: order.number, moves: order.moves.length }, 'balance-session');
  }
}
