import { message, TicketAlreadyMatched, TicketLost, TicketNotFound, type Ban } from '@muster/domain';
import type { ReadTickets } from '../core/read-tickets.js';
import type { Bans } from '../standing/bans.js';
import type { CancelTicket } from '../tickets/cancel-ticket.js';

/** How long a ban is followed by a look for tickets of its player, which another replica may have been creating. */
const followedMs = 600_000;
const atOnce = 500;

/** Bans players. A match that they are in goes on; a ticket that waits ends with the reason. */
export class BanPlayer {
  constructor(
    private readonly bans: Pick<Bans, 'put' | 'begunWithin'>,
    private readonly tickets: Pick<ReadTickets, 'of'>,
    private readonly cancel: Pick<CancelTicket, 'byOperator'>,
  ) {}

  /** @throws TimePast */
  async run(playerId: string, said: Pick<Ban, 'reason' | 'until' | 'by'>): Promise<Ban> {
    const ban = await this.bans.put(playerId, said);
    await this.endTicket(ban);
    return ban;
  }

  /** Ends tickets that the ban left: one that was being created, or that nobody ended because the process was killed. */
  async sweep(): Promise<void> {
    for (const ban of await this.bans.begunWithin(followedMs, atOnce)) await this.endTicket(ban);
  }

  private async endTicket({ playerId, reason }: Ban): Promise<void> {
    try {
      const { ticketId, players } = await this.tickets.of(playerId);
      // The others of a party do not read why.
      const why =
        players.length === 1
          ? message('ticket.ended-by-operator', { detail: reason })
          : message('ticket.member-banned', { playerId });
      await this.cancel.byOperator(ticketId, why);
    } catch (error) {
      const hasNone = error instanceof TicketNotFound || error instanceof TicketLost;
      if (!hasNone && !(error instanceof TicketAlreadyMatched)) throw error;
    }
  }
}
