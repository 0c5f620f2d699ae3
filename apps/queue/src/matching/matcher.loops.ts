import type { Traces } from '@muster/contracts';
import type { Ids } from '@muster/domain';
import {
  Background,
  IDS,
  JobSender,
  LOG,
  Metrics,
  processTime,
  repeat,
  SharedClock,
  token,
  TRACES,
} from '@muster/platform';
import type { Log, Running, Samples } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FactoryProvider, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { RedisTicketStore } from '../core/ticket.store.js';
import { Pauses } from '../pauses/pauses.js';
import { Queues } from '../rules/queues.js';
import { KnownBuilds } from '../services/known-builds.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { Matcher } from './matcher.js';
import { QueuePools } from './queue-pool.js';

/** Creates the matcher of a queue. */
const MATCHER_OF = token<(queue: string) => Matcher>('matcher of a queue');

interface Matching {
  readonly matcher: Matcher;
  readonly loop: Running;
}

/**
 * Runs a matcher for each queue, including queues created later. This class stops the loops instead of {@link Background}:
 * each releases its lease as soon as shutdown begins, so that another replica takes over while jobs finish here.
 */
@Injectable()
export class MatcherLoops implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly running = new Map<string, Matching>();
  private stopped: Promise<void> | null = null;

  constructor(
    @Inject(Queues) private readonly queues: Queues,
    @Inject(MATCHER_OF) private readonly matcherOf: (queue: string) => Matcher,
    @Inject(Background) private readonly background: Background,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(QUEUE_SETTINGS) private readonly settings: QueueSettings,
    @Inject(LOG) private readonly log: Log,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {
    metrics.add({ name: 'matchers', asksStore: false, read: async () => this.figures() });
  }

  onApplicationBootstrap(): void {
    for (const { name } of this.queues.all) this.start(name);
    this.queues.onChange((name) => this.start(name));
    this.background.signal.addEventListener('abort', () => void this.stop(), { once: true });
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  private start(queue: string): void {
    if (this.stopped || this.running.has(queue)) return;
    const matcher = this.matcherOf(queue);
    const turn = async (): Promise<void> => {
      // Another replica takes over at once.
      if (!this.clock.sound) return matcher.stop();
      const since = processTime.now();
      await matcher.tick();
      if (matcher.held !== null)
        this.metrics.observe('tickDuration', { queue }, (processTime.now() - since) / 1_000);
    };
    this.running.set(queue, { matcher, loop: repeat('matcher', this.settings.TICK_MS, turn, this.log) });
  }

  /** What the queues of which this process holds the lease hold back. */
  private figures(): Samples {
    return {
      matchesHeld: [...this.running].flatMap(
        ([
          queue,
          {
            matcher: { held },
          },
        ]) => (held === null ? [] : [{ labels: { queue }, value: held }]),
      ),
    };
  }

  private stop(): Promise<void> {
    this.stopped ??= stopAll([...this.running.values()]);
    return this.stopped;
  }
}

/** A lease that cannot be released expires by itself. */
async function stopAll(running: readonly Matching[]): Promise<void> {
  await Promise.all(running.map(({ loop }) => loop.stop()));
  await Promise.allSettled(running.map(({ matcher }) => matcher.stop()));
}

/** Provides the matcher of each queue. */
export const matchers: FactoryProvider = {
  provide: MATCHER_OF,
  inject: [
    QUEUE_SETTINGS,
    Queues,
    QueuePools,
    RedisTicketStore,
    JobSender,
    SharedClock,
    IDS,
    KnownBuilds,
    Pauses,
    Metrics,
    TRACES,
  ],
  useFactory: (
    { MATCHER_LEASE_MS: leaseMs, PROPOSAL_LEASE_MS: proposalLeaseMs }: QueueSettings,
    rules: Queues,
    pools: QueuePools,
    store: RedisTicketStore,
    jobs: JobSender,
    clock: SharedClock,
    ids: Ids,
    builds: KnownBuilds,
    pauses: Pauses,
    meter: Metrics,
    traces: Traces | null,
  ) => {
    // Identifies the process that holds a lease, for operators who read Redis.
    const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
    const shared = {
      rules,
      holder,
      store,
      jobs,
      clock,
      ids,
      builds,
      pauses,
      leaseMs,
      proposalLeaseMs,
      meter,
      traces,
    };
    return (queue: string): Matcher => new Matcher(queue, { ...shared, pool: pools.of(queue) });
  },
};
