import type { AvoidedByList, QueueRules, Ticket } from '@muster/domain';
import { avoidedByTicket } from './avoid-lists.js';
import type { PostgresAvoidStore } from './avoid.store.js';
import type { Behaviour } from './behaviour.js';

/** The part of a ticket about its players' standing with others. */
export class Standing {
  constructor(
    private readonly avoids: Pick<PostgresAvoidStore, 'around'>,
    private readonly behaviour: Pick<Behaviour, 'leastOf'>,
  ) {}

  /** Behaviour and avoid-lists are read only where the queue's rules use them. */
  async ofTicket(
    { behaviour: looksAt, avoidLists }: Pick<QueueRules, 'behaviour' | 'avoidLists'>,
    playerIds: readonly string[],
  ): Promise<Pick<Ticket, 'avoid' | 'behaviour'>> {
    const [around, least] = await Promise.all([
      avoidLists?.entries === 0 ? new Map<string, readonly AvoidedByList[]>() : this.avoids.around(playerIds),
      looksAt ? this.behaviour.leastOf(playerIds) : undefined,
    ]);
    const avoid = avoidedByTicket(playerIds, around, avoidLists?.entries);
    return { ...(avoid.length > 0 ? { avoid } : {}), ...(least === undefined ? {} : { behaviour: least }) };
  }
}
