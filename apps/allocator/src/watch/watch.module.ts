import type { Db } from '@muster/db';
import { construct, DB, ErrorLog, ownClocks, redisConnection, SharedClock, token } from '@muster/platform';
import { realmRoot, WakeUps, type RedisConnection } from '@muster/redis';
import { Module } from '@nestjs/common';
import {
  ALLOCATOR_SETTINGS,
  replicaName,
  timeoutsOf,
  type AllocatorSettings,
  type Timeouts,
} from '../settings.js';
import { DueWork } from './due.js';
import { dueTimes } from './due.store.js';
import { carriedMs, Hearing } from './hearing.js';
import { HearingLoops } from './hearing.loops.js';
import { PostgresHearing } from './hearing.store.js';
import { InvariantLoops } from './invariants.loops.js';
import { PostgresInvariants } from './invariants.store.js';

export const TIMEOUTS = token<Timeouts>('timeouts');
const PUBLISHER = token<RedisConnection>('Redis (wake-ups)');
const SUBSCRIBER = token<RedisConnection>('Redis (woken)');

/** Callers have switched to other replicas by then, in milliseconds: a server waits less long for an answer. */
const replicaGoneMs = 60_000;

/** When a feature acts: its wake-ups, what is due, and since when the allocators hear the servers that they judge. */
@Module({
  providers: [
    HearingLoops,
    InvariantLoops,
    {
      provide: TIMEOUTS,
      inject: [ALLOCATOR_SETTINGS],
      useFactory: timeoutsOf,
    },
    {
      provide: DueWork,
      inject: [DB, SharedClock],
      useFactory: (db: Db, clock: SharedClock) => new DueWork(() => dueTimes(db), clock),
    },
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
    construct(PostgresHearing, [DB]),
    construct(PostgresInvariants, [DB]),
    {
      provide: Hearing,
      inject: [PostgresHearing, ALLOCATOR_SETTINGS, SharedClock],
      useFactory: (store: PostgresHearing, settings: AllocatorSettings, clock: SharedClock) =>
        new Hearing(store, replicaName(settings), limitsOf(settings), clock, ownClocks),
    },
  ],
  exports: [TIMEOUTS, DueWork, WakeUps, Hearing],
})
export class WatchModule {}

function limitsOf({ SILENCE_MS }: AllocatorSettings): ConstructorParameters<typeof Hearing>[2] {
  return {
    toleranceMs: SILENCE_MS / 3,
    goneMs: Math.max(replicaGoneMs, 2 * SILENCE_MS),
    carriedMs: carriedMs(SILENCE_MS),
    silenceMs: SILENCE_MS,
  };
}
