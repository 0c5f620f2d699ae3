import type { QueueRules, RulesVersion } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import {
  Admission,
  admissionRules,
  AFTER_COMMIT,
  AuditRecorder,
  Background,
  Connections,
  CoordinatorTokens,
  DB,
  DeadLetters,
  Dependencies,
  ErrorLog,
  InProcessWire,
  IDS,
  ids,
  JobSender,
  LOG,
  Logins,
  Metrics,
  OpenCalls,
  OutboxRelay,
  REDIS,
  RPC,
  SETTINGS,
  SharedClock,
  Starting,
  TRACES,
} from '@muster/platform';
import { readRedisTarget } from '@muster/redis';
import { RedisTicketFeed } from './core/ticket-feed.store.js';
import { RedisTicketMemory } from './core/ticket-memory.store.js';
import { RedisTicketStore } from './core/ticket.store.js';
import { MemoryTicketStore } from '@muster/testing';
import type { INestApplicationContext, Provider } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PostgresPauses } from './pauses/pause.store.js';
import { RatingClient } from './services/rating.client.js';
import { QueueModule } from './queue.module.js';
import { FollowRules } from './rules/follow-rules.js';
import { PostgresRulesStore } from './rules/rules.store.js';
import { AssignmentClient } from './services/assignment.client.js';
import { TICKETS_REDIS } from './core/core.module.js';
import { FEED_REDIS } from './core/feed.module.js';
import { RedisMinutes } from './statistics/minutes.store.js';
import { CancelTicket } from './tickets/cancel-ticket.js';

const [fives, duels] = defaultQueues as [QueueRules, QueueRules];
const soon = { timeout: 5_000, interval: 5 };

/** Log messages of the module. */
class Lines {
  readonly warnings: { facts: unknown; message: string }[] = [];
  info(): void {}
  warn(facts: unknown, message = ''): void {
    this.warnings.push(typeof facts === 'string' ? { facts: {}, message: facts } : { facts, message });
  }
}

/** Rules in memory, to which another replica may add versions. */
class MemoryRules implements Pick<PostgresRulesStore, 'after' | 'seed'> {
  readonly versions: RulesVersion[] = [];

  constructor(rules: readonly QueueRules[] = []) {
    for (const each of rules) this.add(each);
  }

  add(rules: QueueRules): void {
    this.versions.push({ queue: rules.name, version: 1, rules, why: '', appliesTo: 'new', createdAt: 0 });
  }

  async after(known: ReadonlyMap<string, number>): Promise<RulesVersion[]> {
    return this.versions.filter(({ queue, version }) => version > (known.get(queue) ?? 0));
  }

  async seed(rules: readonly QueueRules[]): Promise<string[]> {
    const made = rules.filter(({ name }) => !this.versions.some(({ queue }) => queue === name));
    for (const each of made) this.add(each);
    return made.map(({ name }) => name);
  }
}

const settings = {
  REALM: 'test',
  COORDINATOR_KEY: JSON.stringify({ d: 'secret' }),
  REDIS_URL: 'redis://127.0.0.1:1',
  REDIS_WAIT_REPLICAS: 0,
  REDIS_WAIT_MS: 1_000,
  RATING_GRPC: 'ipv4:127.0.0.1:1',
  ASSIGNMENT_GRPC: 'ipv4:127.0.0.1:1',
  QUEUES_FILE: 'queues.yaml',
  seeds: { rules: [duels], why: 'a test' },
  TICK_MS: 10,
  MATCHER_LEASE_MS: 3_000,
  PROPOSAL_LEASE_MS: 8_000,
  AVOID_LIMIT: 20,
  BEHAVIOUR_HALF_LIFE_DAYS: 14,
  STANDING_RETENTION_DAYS: 365,
  DATA_REQUESTS: 'none',
  DATA_REQUEST_DAYS: 30,
  AUDIT_RETENTION_DAYS: 400,
};

/** The platform's providers without a store. */
function platform(log: Lines): Provider[] {
  const clock = new SharedClock([{ name: 'Redis', read: async () => Date.now() }], 10_000);
  return [
    { provide: SETTINGS, useValue: settings },
    { provide: REDIS, useValue: readRedisTarget(settings) },
    { provide: LOG, useValue: log },
    { provide: IDS, useValue: ids },
    { provide: DB, useValue: {} },
    { provide: AuditRecorder, useValue: {} },
    { provide: AFTER_COMMIT, useValue: () => undefined },
    { provide: SharedClock, useValue: clock },
    { provide: JobSender, useValue: { send: async () => undefined } },
    { provide: DeadLetters, useValue: { counts: async () => [] } },
    { provide: OutboxRelay, useValue: { start: () => undefined, stop: async () => undefined } },
    { provide: CoordinatorTokens, useValue: {} },
    { provide: Logins, useValue: new Logins([]) },
    { provide: Metrics, useValue: new Metrics({ now: () => 0 }, () => undefined) },
    { provide: RPC, useValue: new InProcessWire() },
    { provide: TRACES, useValue: null },
    { provide: Starting, useValue: { until: (_store: string, step: () => Promise<unknown>) => step() } },
    { provide: ErrorLog, useValue: new ErrorLog(log) },
    {
      provide: OpenCalls,
      useValue: new OpenCalls({ perCaller: 1, perAddress: 1, perProcess: 1 }, { of: () => null }),
    },
    { provide: Admission, useValue: new Admission(admissionRules(0)) },
    Connections,
    Dependencies,
    Background,
  ];
}

let app: INestApplicationContext | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

/** The whole service, with providers overridden that would reach a store or another service. */
async function start(rules = new MemoryRules()) {
  const log = new Lines();
  const store = new MemoryTicketStore();
  const providers = platform(log);
  @Global()
  @Module({ imports: [DiscoveryModule], providers, exports: providers })
  class TestPlatform {}
  const feed = {
    follow: vi.fn<() => Promise<void>>(async () => undefined),
    onGap: () => () => undefined,
    stop: () => undefined,
  };
  const redis = { ping: async () => 'PONG' };
  const memory = { look: async () => ({ state: 'whole', isOpen: true, lostAt: 0, loss: '' }) };
  const module = await Test.createTestingModule({ imports: [TestPlatform, QueueModule] })
    .overrideProvider(RedisTicketStore)
    .useValue(store)
    .overrideProvider(RedisTicketMemory)
    .useValue(memory)
    .overrideProvider(PostgresRulesStore)
    .useValue(rules)
    .overrideProvider(PostgresPauses)
    .useValue({ all: async () => [] })
    .overrideProvider(RedisTicketFeed)
    .useValue(feed)
    .overrideProvider(TICKETS_REDIS)
    .useValue(redis)
    .overrideProvider(RedisMinutes)
    .useValue({ note: async () => undefined })
    .overrideProvider(FEED_REDIS)
    .useValue(redis)
    .overrideProvider(RatingClient)
    .useValue({ ratingsOf: async () => [] })
    .overrideProvider(AssignmentClient)
    .useValue({})
    .compile();
  app = await module.init();
  return { log, store, feed, module };
}

describe('the queue service', () => {
  it('runs a matcher for each queue, including one that another replica creates', async () => {
    const rules = new MemoryRules();
    const { store, module } = await start(rules);
    const leases = vi.spyOn(store, 'acquireLease');
    const queues = (): string[] => [...new Set(leases.mock.calls.map(([queue]) => queue))].toSorted();
    await vi.waitFor(() => expect(queues()).toEqual([duels.name]), soon);
    rules.add(fives);
    await module.get(FollowRules, { strict: false }).refresh();
    await vi.waitFor(() => expect(queues()).toEqual([duels.name, fives.name].toSorted()), soon);
  });

  it('releases the leases as soon as background work is told to stop', async () => {
    const { store, module } = await start(new MemoryRules([fives]));
    const taken = vi.spyOn(store, 'acquireLease');
    const given = vi.spyOn(store, 'releaseLease');
    await vi.waitFor(() => expect(taken.mock.calls.length).toBeGreaterThan(2), soon);
    await module.get(Background).stop();
    await vi.waitFor(
      () =>
        expect(given.mock.calls.map(([queue]) => queue).toSorted()).toEqual(
          [duels.name, fives.name].toSorted(),
        ),
      soon,
    );
    const turns = taken.mock.calls.length;
    await module.close();
    expect(taken.mock.calls.length).toBe(turns);
    expect(given).toHaveBeenCalledTimes(2);
  });

  it('warns of a QUEUES_FILE that differs from the rules in force, and keeps those', async () => {
    const other = { ...duels, maxPartySize: duels.maxPartySize + 1 };
    const differs = await start(new MemoryRules([other]));
    const said = differs.log.warnings.filter(({ message }) => message.startsWith('QUEUES_FILE differs'));
    expect(said.map(({ facts }) => facts)).toEqual([{ file: 'queues.yaml', queues: [duels.name] }]);
    await app?.close();
    const same = await start();
    expect(same.log.warnings.filter(({ message }) => message.startsWith('QUEUES_FILE'))).toEqual([]);
  });

  it('runs without an allocator when none is configured, and logs it', async () => {
    const { log, module } = await start();
    expect(log.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^ALLOCATOR_GRPC is not set/),
    ]);
    expect(Reflect.get(module.get(CancelTicket, { strict: false }), 'allocator')).toBeNull();
  });

  it('follows the ticket feed', async () => {
    const { feed } = await start();
    expect(feed.follow).toHaveBeenCalledTimes(1);
  });
});
