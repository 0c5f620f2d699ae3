import type { FillSeatJob } from '@muster/contracts';
import { message, type Clock, type MatchStore } from '@muster/domain';
import { fillRoles } from './fill-roles.js';

const gaveUp = [message('seat.failed')];

/**
 * Seats a ticket in a running match, or refuses the claim for good: the ticket then returns to the queue with its enqueue
 * time, unless one of its players is in another live match, and the seats are offered to others while the request is open.
 */
export class FillSeat {
  constructor(
    private readonly store: Pick<MatchStore, 'seat' | 'refuse'>,
    private readonly clock: Clock,
  ) {}

  /** Settles a claim that failed at every attempt: its ticket fails, and the seats are offered to others. */
  async giveUp({ proposalId, ticketId }: FillSeatJob): Promise<void> {
    await this.store.refuse(proposalId, gaveUp, [ticketId], [ticketId]);
  }

  /** @returns the outcome as a word for the log */
  async run({ roles, players, ...job }: FillSeatJob): Promise<'filled' | 'refused' | 'decided before'> {
    const { proposalId, ticketId } = job;
    const filled = fillRoles(players, roles);
    const seat = {
      ...job,
      players: players.map(({ playerId, mu, sigma }) => {
        const role = filled.get(playerId);
        return { playerId, mu, sigma, ...(role === undefined ? {} : { role }) };
      }),
    };
    const result = await this.store.seat(seat, this.clock.now());
    if (result.outcome === 'filled') return 'filled';
    if (result.outcome === 'decided') return 'decided before';
    if (result.outcome === 'gone') {
      const reason = [message('seat.gone'), message('ticket.back-in-queue')];
      await this.store.refuse(proposalId, reason, [], [ticketId]);
      return 'refused';
    }
    const busy = result.playerIds;
    const reason = [message('seat.players-busy', { players: busy, count: busy.length })];
    await this.store.refuse(proposalId, reason, [ticketId], [ticketId]);
    return 'refused';
  }
}
