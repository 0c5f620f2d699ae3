import { construct, CoordinatorTokens, ErrorLog, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { RedisTicketFeed } from '../core/ticket-feed.store.js';
import { RedisTicketStore } from '../core/ticket.store.js';
import { Pauses } from '../pauses/pauses.js';
import { PausesModule } from '../pauses/pauses.module.js';
import { Queues } from '../rules/queues.js';
import { RulesModule } from '../rules/rules.module.js';
import { TicketStreams } from './ticket-stream.view.js';
import { TicketViews } from './ticket.view.js';

/** Tickets as clients read and follow them. */
@Module({
  imports: [CoreModule, RulesModule, PausesModule],
  providers: [
    construct(TicketViews, [CoordinatorTokens, SharedClock, Queues, Pauses]),
    construct(TicketStreams, [RedisTicketStore, RedisTicketFeed, TicketViews, ErrorLog]),
  ],
  exports: [TicketViews, TicketStreams],
})
export class ViewsModule {}
