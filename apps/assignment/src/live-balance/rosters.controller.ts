import { ServerParams, TellRoster, whyOf, type RosterReceipt } from '@muster/contracts';
import { NotAllowed } from '@muster/domain';
import { Endpoint, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { LiveSessions } from './live-sessions.js';

@Controller()
export class RostersController {
  constructor(@Inject(LiveSessions) private readonly live: LiveSessions) {}

  @Endpoint('tellRoster')
  async reportEvents(
    @Param({ schema: ServerParams }) { serverId }: z.infer<typeof ServerParams>,
    @Body({ schema: TellRoster }) body: TellRoster,
    @Who() who: Identity,
  ): Promise<RosterReceipt> {
    if (who.kind !== 'server' || who.serverId !== serverId)
      throw new NotAllowed(`Only ${serverId} itself tells what happens on it.`);
    const receipts = await this.live.applyEvents(serverId, body);
    return {
      sessions: receipts.map(({ leftOut, why, ...session }) => ({
        ...session,
        leftOut: leftOut.map(({ seq, why: because }) => ({ seq, ...whyOf(because) })),
        ...(why === null ? { why } : whyOf(why)),
      })),
    };
  }
}
