import { whyOf, type RosterReceipt } from '@muster/contracts';
import { NotAllowed } from '@muster/domain';
import { Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { LiveSessions } from './live-sessions.js';

@Controller()
export class RostersController {
  constructor(@Inject(LiveSessions) private readonly live: LiveSessions) {}

  @Endpoint('tellRoster')
  async reportEvents(
    @Sent() { params: { serverId }, body, who }: Sent<'tellRoster'>,
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
