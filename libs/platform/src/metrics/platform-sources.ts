import type { Db, PostgresOutbox } from '@muster/db';
import { clientStates } from '@muster/redis';
import type { DeadLetters } from '../jobs/dead-letters.js';
import type { OpenCalls } from '../http/open-calls.js';
import { loopTimes, type LoopTimes } from '../loops/loop.js';
import type { Server } from 'node:net';
import { promisify } from 'node:util';
import { ageSeconds, type FigureSource, type Samples } from './figures.js';

/** The streams and long polls of a service. */
export function openCallsSource(service: string, calls: Pick<OpenCalls, 'count'>): FigureSource {
  return {
    name: `calls-${service}`,
    asksStore: false,
    read: async () => ({ openCalls: [{ labels: { muster_service: service }, value: calls.count }] }),
  };
}

/** The connections of a service to Postgres. */
export function databaseSource(service: string, db: Pick<Db, '$connections'>): FigureSource {
  return {
    name: `database-${service}`,
    asksStore: false,
    read: async () => {
      const { used, idle, waiting } = db.$connections();
      return {
        databaseConnections: [
          { labels: { muster_service: service, state: 'used' }, value: used },
          { labels: { muster_service: service, state: 'idle' }, value: idle },
        ],
        databaseWaiting: [{ labels: { muster_service: service }, value: waiting }],
      };
    },
  };
}

/** The connections of this process to Redis. */
export const redisSource: FigureSource = {
  name: 'redis',
  asksStore: false,
  read: async () => {
    const states = Object.entries(clientStates());
    return { redisConnections: states.map(([state, value]) => ({ labels: { state }, value })) };
  },
};

/** The loops of this process. */
export const loopsSource: FigureSource = {
  name: 'loops',
  asksStore: false,
  read: async () => {
    const of = (value: (times: LoopTimes) => number) =>
      [...loopTimes()].map(([loop, times]) => ({ labels: { loop }, value: value(times) / 1_000 }));
    return { loopIdle: of(({ idleMs }) => idleMs), loopDue: of(({ dueMs }) => dueMs) };
  },
};

/** The open connections of a server of this process. */
export function httpConnectionsSource(service: string, server: Pick<Server, 'getConnections'>): FigureSource {
  return {
    name: `http-${service}`,
    asksStore: false,
    read: async () => {
      const value = await promisify(server.getConnections.bind(server))();
      return { httpConnections: [{ labels: { muster_service: service }, value }] };
    },
  };
}

/** All job queues, so that a service without a replica is still seen. */
export function jobsSource(
  queues: Pick<DeadLetters, 'counts' | 'oldestWaitingSince'>,
  now: () => number,
): FigureSource {
  return {
    name: 'jobs',
    asksStore: true,
    read: async (): Promise<Samples> => {
      const [counts, oldest] = await Promise.all([queues.counts(), queues.oldestWaitingSince()]);
      const of = (value: (each: (typeof counts)[number]) => number) =>
        counts.map((each) => ({ labels: { job_queue: each.jobQueue }, value: value(each) }));
      return {
        jobsWaiting: of(({ waiting }) => waiting),
        jobsRetrying: of(({ delayed }) => delayed),
        deadLetters: of(({ dead }) => dead),
        oldestJob: of(({ jobQueue }) => {
          const since = oldest.get(jobQueue);
          return since === undefined ? 0 : ageSeconds(now(), since);
        }),
      };
    },
  };
}

/** The outbox rows of a service. */
export function outboxSource(owner: string, outbox: Pick<PostgresOutbox, 'lagMs'>): FigureSource {
  return {
    name: `outbox-${owner}`,
    asksStore: true,
    read: async () => ({ outboxLag: [{ labels: { owner }, value: (await outbox.lagMs(owner)) / 1000 }] }),
  };
}
