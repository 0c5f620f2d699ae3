import {
  TicketAlreadyMatched,
  TicketNotFound,
  type Clock,
  type TicketRecord,
  type TicketStore,
} from '@muster/domain';

/** Who asks for a ticket: one of its players, or (null) an operator, who may see all. */
export type Asker = string | null;

/** Reading and cancelling tickets: for their own players and operators only. */
export class MyTickets {
  constructor(
    private readonly store: TicketStore,
    private readonly clock: Clock,
  ) {}

  /** @throws TicketNotFound also when the ticket is another's: nobody learns that it exists */
  async read(ticketId: string, asker: Asker): Promise<TicketRecord> {
    const record = await this.store.find(ticketId);
    if (!record || (asker !== null && !record.players.some((player) => player.playerId === asker))) {
      throw new TicketNotFound(
        `There is no ticket ${ticketId} of yours. Tickets are forgotten an hour after they end.`,
        { ticketId },
      );
    }
    return record;
  }

  /** The ticket that holds a player now. */
  async current(playerId: string): Promise<TicketRecord> {
    const ticketId = await this.store.ticketOf(playerId);
    if (ticketId === null) throw new TicketNotFound('You are in no queue and in no match.');
    return this.read(ticketId, playerId);
  }

  /** Returns the cancelled ticket. @throws TicketAlreadyMatched when it is past waiting */
  async cancel(ticketId: string, asker: Asker): Promise<TicketRecord> {
    await this.read(ticketId, asker);
    const reason = asker === null ? 'An operator took you out of the queue.' : 'You left the queue.';
    const result = await this.store.cancel(ticketId, reason, this.clock.now());
    if (result.outcome === 'too-late') {
      throw new TicketAlreadyMatched(
        `The ticket is ${result.state}: it can be cancelled only while it waits.`,
        { state: result.state },
      );
    }
    return this.read(ticketId, asker);
  }
}
