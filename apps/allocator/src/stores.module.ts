import { construct, DB, ownClocks, redisConnection, SharedClock, token, ErrorLog } from '@muster/platform';
import type { Db } from '@muster/db';
import { realmRoot, WakeUps, type RedisConnection } from '@muster/redis';
import { Module } from '@nestjs/common';
import type { PlacementTimeouts } from '@muster/domain';
import { hostname } from 'node:os';
import { carriedMs, Hearing } from './fleet/hearing.js';
import { DueWork } from './placement/due.js';
import { PostgresPlacementStore } from './placement/placement.store.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from './settings.js';

/** The limits of silence and of answers. */
export const TIMEOUTS = token<PlacementTimeouts>('placement timeouts');
const PUBLISHER = token<RedisConnection>('Redis (wake-ups)');
const SUBSCRIBER = token<RedisConnection>('Redis (woken)');

/** Callers have switched to other replicas by then, in milliseconds: a server waits less long for an answer. */
const replicaGoneMs = 60_000;

/** Shared by several features of the allocator: its tables, its wake-ups and its hearing. */
@Module({
  providers: [
    {
      provide: TIMEOUTS,
      inject: [ALLOCATOR_SETTINGS],
      useFactory: (settings: AllocatorSettings): PlacementTimeouts => ({
        answerMs: settings.ANSWER_MS,
        silenceMs: settings.SILENCE_MS,
        massSilenceMs: Math.max(settings.SILENCE_MS, settings.MASS_SILENCE_MS),
        avoidMs: settings.AVOID_MS,
      }),
    },
    {
      provide: PostgresPlacementStore,
      inject: [DB, ALLOCATOR_SETTINGS],
      useFactory: (db: Db, settings: AllocatorSettings) =>
        new PostgresPlacementStore(db, replicaName(settings)),
    },
    construct(DueWork, [PostgresPlacementStore, SharedClock]),
    redisConnection(PUBLISHER, { name: 'allocator-wake', what: 'Redis (wake-ups)' }),
    redisConnection(SUBSCRIBER, { name: 'allocator-woken', what: 'Redis (woken)', blocking: true }),
    {
      provide: WakeUps,
      inject: [PUBLISHER, SUBSCRIBER, ALLOCATOR_SETTINGS, ErrorLog],
      useFactory: (
        publisher: RedisConnection,
        subscriber: RedisConnection,
        { REALM }: AllocatorSettings,
        errorLog: ErrorLog,
      ) => new WakeUps(publisher, subscriber, `${realmRoot(REALM)}:wake`, errorLog.of('wake-ups')),
    },
    {
      provide: Hearing,
      inject: [PostgresPlacementStore, ALLOCATOR_SETTINGS, SharedClock],
      useFactory: (store: PostgresPlacementStore, settings: AllocatorSettings, clock: SharedClock) =>
        new Hearing(store, replicaName(settings), limitsOf(settings), clock, ownClocks),
    },
  ],
  exports: [TIMEOUTS, PostgresPlacementStore, DueWork, WakeUps, Hearing],
})
export class StoresModule {}

/** Stays the same after a restart, so that the other replicas do not wait for a replica that returned. */
function replicaName({ HTTP_PORT }: AllocatorSettings): string {
  return `${hostname()}:${HTTP_PORT === 0 ? process.pid : HTTP_PORT}`;
}

function limitsOf({ SILENCE_MS }: AllocatorSettings): ConstructorParameters<typeof Hearing>[2] {
  return {
    toleranceMs: SILENCE_MS / 3,
    goneMs: Math.max(replicaGoneMs, 2 * SILENCE_MS),
    carriedMs: carriedMs(SILENCE_MS),
    silenceMs: SILENCE_MS,
  };
}
