import { readReason, type MatchUpdate } from '@muster/contracts';
import { message, withMessages, type Clock, type TicketStore } from '@muster/domain';
import type { RelevelTickets } from './relevel-tickets.js';
import { chargesIn, type Penalties } from '../standing/penalties.js';

/**
 * Applies the updates of a match to its tickets. Idempotent and independent of order: the store's steps check states.
 * Penalties are written before the step that releases their players, so a new ticket of theirs finds them.
 */
export class ApplyMatchUpdates {
  constructor(
    private readonly store: TicketStore,
    private readonly penalties: Pick<Penalties, 'charge'>,
    private readonly clock: Clock,
    private readonly levels: Pick<RelevelTickets, 'tickets'>,
  ) {}

  async run(update: MatchUpdate): Promise<void> {
    const { matchId, ticketIds } = update;
    const reason = readReason(update);
    const now = this.clock.now();
    switch (update.kind) {
      case 'formed':
        return this.store.confirm(matchId, ticketIds, reason, now);
      case 'refused':
        // They would be matched by the old levels again.
        if (update.stale) await this.levels.tickets(ticketIds);
        return this.store.release(matchId, ticketIds, update.failedTicketIds, reason, now);
      case 'placing':
        return this.store.note(matchId, ticketIds, reason, now);
      case 'placed': {
        const { sessionId, serverId, region, host, port } = update;
        await Promise.all(
          update.teams.map(({ ticketId, team }) =>
            this.store.assign(
              ticketId,
              { matchId, sessionId, serverId, region, host, port, team },
              reason,
              now,
            ),
          ),
        );
        return;
      }
      case 'joined': {
        const { proposalId, ticketId, sessionId, serverId, region, host, port, team } = update;
        const assignment = { matchId, sessionId, serverId, region, host, port, team };
        return this.store.join(proposalId, ticketId, assignment, reason, now);
      }
      case 'remade': {
        await this.penalties.charge(chargesIn(update));
        const { failedTicketIds: failed, leftTicketIds: left = [] } = update;
        const words = {
          back: withMessages(reason, message('ticket.back-in-queue')),
          ended: withMessages(reason, message('ticket.not-all-stayed')),
          left: [message('ticket.left-match')],
          late: withMessages(reason, message('ticket.time-over')),
        };
        return this.store.remake(matchId, ticketIds, failed, words, now, left);
      }
      case 'rated':
      case 'abandoned':
        await this.penalties.charge(chargesIn(update));
        return this.store.close(matchId, ticketIds, update.kind, reason, now);
    }
  }
}
