import { readReason, type MatchUpdate } from '@muster/contracts';
import { message, saidWith, type Clock, type TicketStore } from '@muster/domain';
import { chargesIn, type Penalties } from '../standing/penalties.js';

/**
 * Brings tickets up to what became of their match. Safe to repeat and in any order: the store's steps check states.
 * Penalties are written before the step that frees their players: a new ticket of theirs finds them.
 */
export class ApplyMatchUpdates {
  constructor(
    private readonly store: TicketStore,
    private readonly penalties: Pick<Penalties, 'charge'>,
    private readonly clock: Clock,
  ) {}

  async run(news: MatchUpdate): Promise<void> {
    const { matchId, ticketIds } = news;
    const reason = readReason(news);
    const now = this.clock.now();
    switch (news.kind) {
      case 'formed':
        return this.store.confirm(matchId, ticketIds, reason, now);
      case 'refused':
        return this.store.release(matchId, ticketIds, news.failedTicketIds, reason, now);
      case 'placing':
        return this.store.note(matchId, ticketIds, reason, now);
      case 'placed': {
        const { sessionId, serverId, region, host, port } = news;
        await Promise.all(
          news.teams.map(({ ticketId, team }) =>
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
        const { proposalId, ticketId, sessionId, serverId, region, host, port, team } = news;
        const assignment = { matchId, sessionId, serverId, region, host, port, team };
        return this.store.join(proposalId, ticketId, assignment, reason, now);
      }
      case 'remade': {
        await this.penalties.charge(chargesIn(news));
        const { failedTicketIds: failed, leftTicketIds: left = [] } = news;
        const words = {
          back: saidWith(reason, message('ticket.back-in-queue')),
          ended: saidWith(reason, message('ticket.not-all-stayed')),
          left: [message('ticket.left-match')],
          late: saidWith(reason, message('ticket.time-over')),
        };
        return this.store.remake(matchId, ticketIds, failed, words, now, left);
      }
      case 'rated':
      case 'abandoned':
        await this.penalties.charge(chargesIn(news));
        return this.store.close(matchId, ticketIds, news.kind, reason, now);
    }
  }
}
