import { apartFromCall } from '@muster/db';
import { construct, DB, provide, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { ReadTickets } from '../core/read-tickets.js';
import { RedisTicketList } from '../core/ticket-list.store.js';
import { RedisTicketMemory } from '../core/ticket-memory.store.js';
import { RedisTicketStore } from '../core/ticket.store.js';
import { FollowRules } from '../rules/follow-rules.js';
import { Queues } from '../rules/queues.js';
import { RulesModule } from '../rules/rules.module.js';
import { Bans } from '../standing/bans.js';
import { Penalties } from '../standing/penalties.js';
import { StandingModule } from '../standing/standing.module.js';
import { CancelTicket } from '../tickets/cancel-ticket.js';
import { TicketsModule } from '../tickets/tickets.module.js';
import { BanPlayer } from './ban-player.js';
import { BansController } from './bans.controller.js';
import { BansLoop } from './bans.loops.js';
import { DeskController } from './desk.controller.js';
import { ListTickets } from './list-tickets.js';
import { PardonPenalties } from './pardon-penalties.js';
import { PostgresPardon } from './pardon.store.js';

/** Operators look for tickets, and act on them. */
@Module({
  imports: [CoreModule, RulesModule, StandingModule, TicketsModule],
  controllers: [DeskController, BansController],
  providers: [
    BansLoop,
    construct(PostgresPardon, [DB]),
    provide(
      PardonPenalties,
      [PostgresPardon, Penalties, Queues, FollowRules, SharedClock],
      (store, penalties, queues, follow, clock) =>
        // What is written first is no change of the operator's.
        new PardonPenalties(
          store,
          { settle: () => apartFromCall(() => penalties.settle()) },
          queues,
          follow,
          clock,
        ),
    ),
    construct(BanPlayer, [Bans, ReadTickets, CancelTicket]),
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
export class DeskModule {}
