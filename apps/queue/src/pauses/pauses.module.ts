import { construct, DB, SharedClock, Starting } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { RedisTicketStore } from '../core/ticket.store.js';
import { Queues } from '../rules/queues.js';
import { RulesModule } from '../rules/rules.module.js';
import { PostgresPauses } from './pause.store.js';
import { PausesController } from './pauses.controller.js';
import { PausesLoop } from './pauses.loops.js';
import { Pauses } from './pauses.js';

/** Operators pause queues. Pauses are read before the service listens: a queue that was paused stays so over a restart. */
@Module({
  imports: [CoreModule, RulesModule],
  controllers: [PausesController],
  providers: [
    PausesLoop,
    construct(PostgresPauses, [DB]),
    {
      provide: Pauses,
      inject: [PostgresPauses, RedisTicketStore, Queues, SharedClock, Starting],
      useFactory: async (
        store: PostgresPauses,
        tickets: RedisTicketStore,
        queues: Queues,
        clock: SharedClock,
        starting: Starting,
      ) => {
        const pauses = new Pauses(store, tickets, queues, clock);
        await starting.until('PostgreSQL', () => pauses.refresh());
        return pauses;
      },
    },
  ],
  exports: [Pauses],
})
export class PausesModule {}
