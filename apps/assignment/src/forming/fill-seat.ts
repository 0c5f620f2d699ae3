import type { FillSeatJob } from '@muster/contracts';
import { message, RatingUnavailable, type Clock } from '@muster/domain';
import { fillRoles } from './fill-roles.js';
import type { RatingClient } from '../ratings/rating.client.js';
import type { PostgresMatchStore } from './match.store.js';

const gaveUp = [message('seat.failed')];

type Fit = NonNullable<FillSeatJob['fit']>;

/** Tickets are matched by levels of four decimals. */
const exact = 1e-3;

/**
 * Seats a ticket in a running match, or refuses the claim for good: the ticket then returns to the queue with its enqueue
 * time, unless one of its players is in another live match, and the seats are offered to others while the request is open.
 * Ratings are read again, as for a new match: the claim is refused where they have changed since the ticket was chosen, and
 * the queue's rules do not allow the teams with them.
 */
export class FillSeat {
  constructor(
    private readonly pools: Pick<RatingClient, 'read'>,
    private readonly store: Pick<PostgresMatchStore, 'seat' | 'refuse' | 'isDecided'>,
    private readonly clock: Clock,
  ) {}

  /** Settles a claim that failed at every attempt: its ticket fails, and the seats are offered to others. */
  async giveUp({ proposalId, ticketId }: FillSeatJob): Promise<void> {
    await this.store.refuse(proposalId, gaveUp, [ticketId], [ticketId]);
  }

  /**
   * @returns the outcome as a word for the log
   * @throws RatingUnavailable while the claim is undecided
   */
  async run({ fit, ...job }: FillSeatJob): Promise<'filled' | 'refused' | 'decided before'> {
    if (!fit) return this.seat(job);
    let players: FillSeatJob['players'];
    try {
      players = await this.rated(job.players, fit);
    } catch (error) {
      // After its lease the ticket waits again, and newer claims need the ratings.
      if (error instanceof RatingUnavailable && (await this.store.isDecided(job.proposalId)))
        return 'decided before';
      throw error;
    }
    const now = { ...job, players };
    if (gapOf(now, fit) <= Math.max(fit.gap ?? Infinity, gapOf(job, fit)) + exact) return this.seat(now);
    const reason = [message('seat.ratings-changed'), message('ticket.back-in-queue')];
    await this.store.refuse(job.proposalId, reason, [], [job.ticketId], true);
    return 'refused';
  }

  /** The players with their ratings as they are now. */
  private async rated(
    players: FillSeatJob['players'],
    { pool, probed }: Fit,
  ): Promise<FillSeatJob['players']> {
    const ids = players.map(({ playerId }) => playerId);
    const ratings = new Map((await this.pools.read(pool, ids)).map((rating) => [rating.playerId, rating]));
    return players.map((player) => {
      const { mu = player.mu, sigma = player.sigma } = ratings.get(player.playerId) ?? {};
      return { ...player, mu: probed.includes(player.playerId) ? player.mu : mu, sigma };
    });
  }

  private async seat({ roles, players, ...job }: Omit<FillSeatJob, 'fit'>): ReturnType<FillSeat['run']> {
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

/** The gap between the teams with these players in the seats, in units of mu. */
function gapOf({ players }: Pick<FillSeatJob, 'players'>, { level }: Fit): number {
  return level === null ? 0 : Math.abs(players.reduce((sum, { mu }) => sum + mu - level, 0));
}
