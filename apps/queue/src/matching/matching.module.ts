import { construct, JobSender, ownClocks, SharedClock, token } from '@muster/platform';
import { RedisTicketStore } from '../tickets/ticket.store.js';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { Penalties } from '../standing/penalties.js';
import { StandingModule } from '../standing/standing.module.js';
import { ASSIGNMENT } from '../assignment.module.js';
import { StoresModule } from '../stores.module.js';
import { MyTickets } from '../tickets/my-tickets.js';
import { TicketsModule } from '../tickets/tickets.module.js';
import { ConductController } from './conduct.controller.js';
import { Hearing } from './hearing.js';
import { MatchersModule } from './matchers.module.js';
import { MatchingProcessor } from './matching.processor.js';
import { ReadyChecks } from './ready-checks.js';
import { SettleProposals } from './settle-proposals.js';
import { RpcVerdicts } from './verdicts.client.js';

/**
 * Players count as heard while two requests are no further apart than the tolerance; after an outage, once the grace period
 * is over.
 */
const playersHeard = { toleranceMs: 2_000, graceMs: 10_000 };

const PROPOSAL_LEASE_MS = token<number>('time for a proposal, in milliseconds');

/** Matchers propose matches, players accept them, and a reconciler settles proposals of processes that died. */
@Module({
  imports: [StoresModule, StandingModule, TicketsModule, MatchersModule],
  controllers: [ConductController],
  providers: [
    MatchingProcessor,
    {
      provide: PROPOSAL_LEASE_MS,
      inject: [QUEUE_SETTINGS],
      useFactory: (settings: QueueSettings) => settings.PROPOSAL_LEASE_MS,
    },
    construct(RpcVerdicts, [ASSIGNMENT]),
    construct(SettleProposals, [RedisTicketStore, RpcVerdicts, SharedClock, PROPOSAL_LEASE_MS]),
    {
      provide: Hearing,
      inject: [SharedClock],
      useFactory: (clock: SharedClock) =>
        new Hearing(playersHeard, () => {
          const own = ownClocks();
          return [own, { ...own, wallMs: clock.now() }];
        }),
    },
    construct(ReadyChecks, [
      RedisTicketStore,
      MyTickets,
      Penalties,
      JobSender,
      SharedClock,
      Hearing,
      PROPOSAL_LEASE_MS,
    ]),
  ],
})
export class MatchingModule {}
