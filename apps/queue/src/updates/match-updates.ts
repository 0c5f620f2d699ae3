import { noMeter, readReason, type MatchUpdate, type Meter } from '@muster/contracts';
import { message, withMessages, type Clock, type TicketStore } from '@muster/domain';
import type { PostgresPartyStore } from '../parties/party.store.js';
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
    private readonly parties: Pick<PostgresPartyStore, 'pass'>,
    private readonly meter: Meter = noMeter,
  ) {}

  async run(update: MatchUpdate): Promise<void> {
    const { matchId, ticketIds } = update;
    const reason = readReason(update);
    const now = this.clock.now();
    switch (update.kind) {
      case 'formed':
        return this.store.confirm(matchId, ticketIds, reason, now, update.figures);
      case 'refused':
        // They would be matched by the old levels again.
        if (update.stale) await this.levels.tickets(ticketIds);
        return this.store.release(matchId, ticketIds, update.failedTicketIds, reason, now);
      case 'placing':
        return this.store.note(matchId, ticketIds, reason, now);
      case 'placed':
        return this.seat(update, now);
      case 'joined': {
        const { proposalId, ticketId, sessionId, serverId, region, host, port, team } = update;
        const assignment = { matchId, sessionId, serverId, region, host, port, team };
        return this.store.join(proposalId, ticketId, assignment, reason, now);
      }
      case 'remade': {
        await this.penalties.charge(chargesIn(update));
        const { failedTicketIds, leftTicketIds: left = [], outPlayerIds: out, lifeSeconds } = update;
        const words = {
          back: withMessages(reason, message('ticket.back-in-queue')),
          ended: withMessages(reason, message('ticket.not-all-stayed')),
          left: [message('ticket.left-match')],
          late: withMessages(reason, message('ticket.time-over')),
        };
        if (out) await this.passParties(matchId, ticketIds, out);
        return this.store.remake(matchId, ticketIds, out ? [] : failedTicketIds, words, now, {
          left,
          ...(out ? { out } : {}),
          ...(lifeSeconds === undefined ? {} : { expiresAt: now + lifeSeconds * 1000 }),
        });
      }
      case 'rated':
      case 'abandoned': {
        await this.penalties.charge(chargesIn(update));
        const { kind, matchState = kind } = update;
        const state = kind === 'rated' ? 'assigned' : 'failed';
        return this.store.close(matchId, ticketIds, matchState, reason, now, state);
      }
    }
  }

  private async seat(update: Extract<MatchUpdate, { kind: 'placed' }>, now: number): Promise<void> {
    const { matchId, sessionId, serverId, region, host, port, teams } = update;
    const reason = readReason(update);
    const seated = await Promise.all(
      teams.map(({ ticketId, team }) =>
        this.store.assign(ticketId, { matchId, sessionId, serverId, region, host, port, team }, reason, now),
      ),
    );
    for (const ticket of seated)
      if (ticket) {
        const { queue, enqueuedAt } = ticket;
        this.meter.observe('timeToSeat', { queue }, Math.max(0, now - enqueuedAt) / 1_000);
      }
  }

  /** A leader who does not return with the ticket of their party passes the party to a member who does. */
  private async passParties(
    matchId: string,
    ticketIds: readonly string[],
    out: readonly string[],
  ): Promise<void> {
    for (const ticketId of ticketIds) {
      const ticket = await this.store.find(ticketId);
      if (!ticket?.partyId || ticket.closed || ticket.matchId !== matchId) continue;
      const players = ticket.players.map(({ playerId }) => playerId);
      const back = players.filter((playerId) => !out.includes(playerId));
      for (const gone of players.filter((playerId) => out.includes(playerId)))
        for (const heir of back) {
          const { outcome } = await this.parties.pass(ticket.partyId, gone, heir, this.clock.now());
          if (outcome !== 'not-member') break;
        }
    }
  }
}
