import type { AvoidStore, QueueRules, Ticket } from '@muster/domain';
import { avoidedByTicket } from './avoid-lists.js';
import type { Behaviour } from './behaviour.js';

/** What a ticket carries of how its players and others get along. */
export class Standing {
  constructor(
    private readonly avoids: Pick<AvoidStore, 'around'>,
    private readonly behaviour: Pick<Behaviour, 'leastOf'>,
  ) {}

  /** Behaviour is asked for only where the queue's rules look at it. */
  async ofTicket(
    { behaviour: looksAt }: Pick<QueueRules, 'behaviour'>,
    playerIds: readonly string[],
  ): Promise<Pick<Ticket, 'avoid' | 'behaviour'>> {
    const [around, least] = await Promise.all([
      this.avoids.around(playerIds),
      looksAt ? this.behaviour.leastOf(playerIds) : undefined,
    ]);
    const avoid = avoidedByTicket(playerIds, around);
    return { ...(avoid.length > 0 ? { avoid } : {}), ...(least === undefined ? {} : { behaviour: least }) };
  }
}
