import {
  PenalisedParams,
  PenaltyParams,
  reasonOf,
  TicketParams,
  type PenaltyList,
  type TicketView,
} from '@muster/contracts';
import { message, verbatim, type Lift } from '@muster/domain';
import { Endpoint, playerOf, Who, type Identity } from '@muster/platform';
import { coolDownParams } from '@muster/matchmaking';
import { Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { Penalties, type PenaltyRecord } from '../standing/penalties.js';
import { ReadyChecks } from './ready-checks.js';
import { TicketViews } from '../tickets/ticket.view.js';

type OfTicket = z.infer<typeof TicketParams>;

/** Accepting and declining matches, and the penalties that follow. */
@Controller()
export class ConductController {
  constructor(
    @Inject(ReadyChecks) private readonly readyChecks: ReadyChecks,
    @Inject(Penalties) private readonly penalties: Penalties,
    @Inject(TicketViews) private readonly views: TicketViews,
  ) {}

  @Endpoint('acceptMatch')
  async accept(
    @Param({ schema: TicketParams }) { ticketId }: OfTicket,
    @Who() who: Identity,
  ): Promise<TicketView> {
    const playerId = playerOf(who);
    return this.views.ticket(await this.readyChecks.accept(ticketId, playerId), playerId);
  }

  @Endpoint('declineMatch')
  async decline(
    @Param({ schema: TicketParams }) { ticketId }: OfTicket,
    @Who() who: Identity,
  ): Promise<TicketView> {
    const playerId = playerOf(who);
    return this.views.ticket(await this.readyChecks.decline(ticketId, playerId), playerId);
  }

  @Endpoint('myPenalties')
  async mine(@Who() who: Identity): Promise<PenaltyList> {
    const playerId = playerOf(who);
    return viewOf(playerId, await this.penalties.of(playerId));
  }

  @Endpoint('readPenalties')
  async read(
    @Param({ schema: PenalisedParams }) { playerId }: z.infer<typeof PenalisedParams>,
  ): Promise<PenaltyList> {
    return viewOf(playerId, await this.penalties.of(playerId));
  }

  @Endpoint('forgivePenalty')
  async forgive(
    @Param({ schema: PenaltyParams }) { playerId, penaltyId }: z.infer<typeof PenaltyParams>,
  ): Promise<PenaltyList> {
    return viewOf(playerId, await this.penalties.forgive(playerId, penaltyId));
  }

  @Endpoint('imposePenalty')
  async impose(
    @Param({ schema: PenaltyParams }) { playerId, penaltyId }: z.infer<typeof PenaltyParams>,
  ): Promise<PenaltyList> {
    return viewOf(playerId, await this.penalties.impose(playerId, penaltyId));
  }
}

function viewOf(playerId: string, { penalties, coolDown, now }: PenaltyRecord): PenaltyList {
  return {
    playerId,
    mayQueueAt: coolDown?.until ?? null,
    ...(coolDown
      ? reasonOf([message('penalty.cool-down', { playerId, ...coolDownParams(coolDown, now) })])
      : { reason: null }),
    penalties: penalties.map(({ penaltyId, kind, queue, matchId, at, forgivenAt, lifted }) => ({
      penaltyId,
      kind,
      queue,
      matchId,
      at,
      forgivenAt,
      ...(lifted ? liftOf(lifted) : {}),
    })),
  };
}

function liftOf({ at, why }: Lift): Partial<PenaltyList['penalties'][number]> {
  const { reason, reasonMessages } = reasonOf(typeof why === 'string' ? [verbatim(why)] : why);
  return {
    liftedAt: at,
    liftedReason: reason,
    ...(reasonMessages ? { liftedReasonMessages: reasonMessages } : {}),
  };
}
