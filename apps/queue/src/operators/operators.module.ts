import { construct, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { RedisTicketList } from '../core/ticket-list.store.js';
import { RedisTicketMemory } from '../core/ticket-memory.store.js';
import { RedisTicketStore } from '../core/ticket.store.js';
import { FollowRules } from '../rules/follow-rules.js';
import { Queues } from '../rules/queues.js';
import { RulesModule } from '../rules/rules.module.js';
import { TicketsModule } from '../tickets/tickets.module.js';
import { DeskController } from './desk.controller.js';
import { ListTickets } from './list-tickets.js';

/** Operators look for tickets, and act on them. */
@Module({
  imports: [CoreModule, RulesModule, TicketsModule],
  controllers: [DeskController],
  providers: [
    construct(ListTickets, [
      RedisTicketList,
      RedisTicketStore,
      RedisTicketMemory,
      Queues,
      FollowRules,
      SharedClock,
    ]),
  ],
})
export class OperatorsModule {}
