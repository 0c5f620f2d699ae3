import { construct, SharedClock } from '@muster/platform';
import { realmRoot, type RedisConnection } from '@muster/redis';
import { Module } from '@nestjs/common';
import { CoreModule, TICKETS_REDIS } from '../core/core.module.js';
import { FollowRules } from '../rules/follow-rules.js';
import { Queues } from '../rules/queues.js';
import { RulesModule } from '../rules/rules.module.js';
import { ServicesModule } from '../services/services.module.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { RedisMinutes } from './minutes.store.js';
import { StatisticsController } from './statistics.controller.js';
import { MinuteNotes } from './statistics.loops.js';
import { Statistics } from './statistics.js';

/** The last two days of each queue, kept without Prometheus. */
@Module({
  imports: [CoreModule, RulesModule, ServicesModule],
  controllers: [StatisticsController],
  providers: [
    MinuteNotes,
    {
      provide: RedisMinutes,
      inject: [TICKETS_REDIS, QUEUE_SETTINGS],
      useFactory: (redis: RedisConnection, { REALM }: QueueSettings) =>
        new RedisMinutes(redis, realmRoot(REALM)),
    },
    construct(Statistics, [RedisMinutes, Queues, FollowRules, SharedClock]),
  ],
})
export class StatisticsModule {}
