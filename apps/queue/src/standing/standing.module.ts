import { defaultBehaviourModel, type BehaviourModel } from '@muster/matchmaking';
import { construct, DB, IDS, SharedClock, token } from '@muster/platform';
import { RedisTicketStore } from '../tickets/ticket.store.js';
import { Module } from '@nestjs/common';
import { Queues } from '../rules/queues.js';
import { RulesInForceModule } from '../rules/rules-in-force.module.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { ASSIGNMENT } from '../assignment.module.js';
import { StoresModule } from '../stores.module.js';
import { AvoidLists } from './avoid-lists.js';
import { BatchedAvoids, BatchedMarks, BatchedPenalties } from './batched-standing.store.js';
import { Behaviour } from './behaviour.js';
import { RpcMatchRosters } from './match-rosters.client.js';
import { Penalties } from './penalties.js';
import { StandingController } from './standing.controller.js';
import { Standing } from './standing.js';
import { StandingLoops } from './standing.loops.js';
import { PostgresStandingRetention } from './standing-retention.store.js';
import { StandingProcessor } from './standing.processor.js';

const BEHAVIOUR_MODEL = token<BehaviourModel>('behaviour model');

/** Avoid-lists, reports on behaviour, and penalties. */
@Module({
  imports: [StoresModule, RulesInForceModule],
  controllers: [StandingController],
  providers: [
    StandingProcessor,
    StandingLoops,
    construct(PostgresStandingRetention, [DB]),
    construct(BatchedAvoids, [DB]),
    construct(BatchedMarks, [DB]),
    construct(BatchedPenalties, [DB]),
    construct(RpcMatchRosters, [ASSIGNMENT]),
    {
      provide: BEHAVIOUR_MODEL,
      inject: [QUEUE_SETTINGS],
      useFactory: ({ BEHAVIOUR_HALF_LIFE_DAYS }: QueueSettings): BehaviourModel => ({
        ...defaultBehaviourModel,
        halfLifeMs: BEHAVIOUR_HALF_LIFE_DAYS * 86_400_000,
      }),
    },
    construct(Behaviour, [BatchedMarks, RpcMatchRosters, BEHAVIOUR_MODEL, SharedClock]),
    construct(Standing, [BatchedAvoids, Behaviour]),
    {
      provide: AvoidLists,
      inject: [BatchedAvoids, QUEUE_SETTINGS, SharedClock],
      useFactory: (avoids: BatchedAvoids, { AVOID_LIMIT }: QueueSettings, clock: SharedClock) =>
        new AvoidLists(avoids, AVOID_LIMIT, clock),
    },
    construct(Penalties, [Queues, BatchedPenalties, RedisTicketStore, SharedClock, IDS]),
  ],
  exports: [Standing, Penalties],
})
export class StandingModule {}
