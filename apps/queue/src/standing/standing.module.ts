import { defaultBehaviourModel } from '@muster/matchmaking';
import { construct, DB, IDS, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { RedisTicketStore } from '../core/ticket.store.js';
import { Queues } from '../rules/queues.js';
import { RulesModule } from '../rules/rules.module.js';
import { AssignmentClient } from '../services/assignment.client.js';
import { ServicesModule } from '../services/services.module.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { AvoidLists } from './avoid-lists.js';
import { PostgresAvoidStore } from './avoid.store.js';
import { PostgresBehaviourStore } from './behaviour.store.js';
import { Behaviour } from './behaviour.js';
import { PostgresBans } from './ban.store.js';
import { Bans } from './bans.js';
import { Penalties } from './penalties.js';
import { PostgresPenaltyStore } from './penalty.store.js';
import { StandingController } from './standing.controller.js';
import { Standing } from './standing.js';
import { StandingLoops } from './standing.loops.js';
import { PostgresStandingRetention } from './standing-retention.store.js';
import { StandingProcessor } from './standing.processor.js';

/** Avoid-lists, reports on behaviour, and penalties. */
@Module({
  imports: [CoreModule, ServicesModule, RulesModule],
  controllers: [StandingController],
  providers: [
    StandingProcessor,
    StandingLoops,
    construct(PostgresStandingRetention, [DB]),
    construct(PostgresAvoidStore, [DB]),
    construct(PostgresBehaviourStore, [DB]),
    construct(PostgresPenaltyStore, [DB]),
    {
      provide: Behaviour,
      inject: [PostgresBehaviourStore, AssignmentClient, QUEUE_SETTINGS, SharedClock],
      useFactory: (
        store: PostgresBehaviourStore,
        matches: AssignmentClient,
        { BEHAVIOUR_HALF_LIFE_DAYS: days }: QueueSettings,
        clock: SharedClock,
      ) => new Behaviour(store, matches, { ...defaultBehaviourModel, halfLifeMs: days * 86_400_000 }, clock),
    },
    construct(Standing, [PostgresAvoidStore, Behaviour]),
    {
      provide: AvoidLists,
      inject: [PostgresAvoidStore, QUEUE_SETTINGS, SharedClock],
      useFactory: (avoids: PostgresAvoidStore, { AVOID_LIMIT }: QueueSettings, clock: SharedClock) =>
        new AvoidLists(avoids, AVOID_LIMIT, clock),
    },
    construct(PostgresBans, [DB]),
    construct(Bans, [PostgresBans, SharedClock]),
    construct(Penalties, [Queues, PostgresPenaltyStore, RedisTicketStore, SharedClock, IDS]),
  ],
  exports: [Standing, Penalties, Bans],
})
export class StandingModule {}
