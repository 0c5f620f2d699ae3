import type { QueueRules } from '@muster/domain';
import { latenessOf } from '@muster/matchmaking';
import { ageSeconds, Metrics, processTime, SharedClock, type Samples } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { setImmediate as otherWork } from 'node:timers/promises';
import { RedisTicketStore } from '../core/ticket.store.js';
import { QueuePools } from '../matching/queue-pool.js';
import { Queues } from '../rules/queues.js';

/**
 * Tickets of a queue that are explained for a scrape, and the time for it in milliseconds: it holds up the process, which does
 * other work between two queues.
 */
const explained = 100;
const explainMs = 10;

/** Exports what becomes of the tickets of each queue: how many wait, for how long and for what, and how they end. */
@Injectable()
export class TicketFigures {
  constructor(
    @Inject(Metrics) metrics: Metrics,
    @Inject(RedisTicketStore) private readonly store: RedisTicketStore,
    @Inject(Queues) private readonly queues: Queues,
    @Inject(QueuePools) private readonly pools: QueuePools,
    @Inject(SharedClock) private readonly clock: SharedClock,
  ) {
    metrics.add({ name: 'tickets', asksStore: true, read: () => this.read() });
  }

  private async read(): Promise<Samples> {
    const known = this.queues.all.map(({ name }) => name);
    const [counts, depths] = await Promise.all([
      Promise.all(
        known.map(async (queue) =>
          (await this.store.counts(queue)).map(({ what, count }) => ({ queue, what, count })),
        ),
      ),
      Promise.all(known.map(async (queue) => ({ queue, ...(await this.store.waitingDepth(queue)) }))),
    ]);
    const now = this.clock.now();
    const ticketsWaitingFor: { labels: { queue: string; rule: string }; value: number }[] = [];
    for (const queue of known) {
      for (const [rule, value] of this.waitingFor(queue, now))
        ticketsWaitingFor.push({ labels: { queue, rule }, value });
      await otherWork();
    }
    return {
      ticketsWaiting: depths.map(({ queue, waiting }) => ({ labels: { queue }, value: waiting })),
      oldestTicket: depths.map(({ queue, oldestAt }) => ({
        labels: { queue },
        value: oldestAt === null ? 0 : ageSeconds(now, oldestAt),
      })),
      ticketsAccepted: counts
        .flat()
        .flatMap(({ what, queue, count }) =>
          what === 'accepted' ? [{ labels: { queue }, value: count }] : [],
        ),
      ticketsEnded: counts
        .flat()
        .flatMap(({ what, queue, count }) =>
          what === 'accepted' ? [] : [{ labels: { queue, outcome: what }, value: count }],
        ),
      ...this.thresholds(),
      ticketsWaitingFor,
    };
  }

  /** What alerts compare with, from the rules of each queue. */
  private thresholds(): Samples {
    const of = (value: (rules: QueueRules) => number) =>
      this.queues.all.map((rules) => ({ labels: { queue: rules.name }, value: value(rules) }));
    return {
      queueLate: of((rules) => latenessOf(rules).lateSeconds),
      queueLeast: of((rules) => latenessOf(rules).leastPlayers),
      queuePlacementTimeout: of((rules) => rules.placementTimeoutSeconds),
    };
  }

  /** The tickets of this process's pool by the rule that keeps them waiting. */
  private waitingFor(queue: string, now: number): Map<string, number> {
    const pool = this.pools.of(queue);
    const until = processTime.now() + explainMs;
    const rules: string[] = [];
    for (const ticketId of pool.sample(explained)) {
      const rule = pool.bindingRule(ticketId, now);
      if (rule) rules.push(rule);
      if (processTime.now() >= until) break;
    }
    const byRule = new Map<string, number>();
    for (const rule of rules) byRule.set(rule, (byRule.get(rule) ?? 0) + pool.size / rules.length);
    return byRule;
  }
}
