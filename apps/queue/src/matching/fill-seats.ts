import { jobQueues, type FillSeatJob } from '@muster/contracts';
import { message, type OpenBackfill, type Proposal, type Ticket } from '@muster/domain';
import { chooseForSeat, gapAllowed, rolesMissing, seatLevel } from '@muster/matchmaking';
import { beginMatch } from './match-span.js';
import type { MatcherDependencies } from './matcher.js';

/** Tickets read at once for one backfill, and the most that are examined per tick. */
const page = 64;
const maxCandidates = 512;
/** Backfills served per tick; the others follow in the next tick. */
const maxBackfills = 100;

/**
 * Offers waiting tickets to running matches with open seats. One atomic step of the store claims both ticket and backfill:
 * of two backfills that choose the same ticket, one gets it, and of two tickets for one seat, one gets that.
 */
export class FillSeats {
  constructor(
    private readonly queue: string,
    private readonly deps: Pick<
      MatcherDependencies,
      'rules' | 'pool' | 'store' | 'jobs' | 'ids' | 'proposalLeaseMs' | 'meter' | 'traces'
    >,
  ) {}

  /** @returns how many tickets were claimed */
  async run(epoch: number, now: number): Promise<number> {
    const open = (await this.deps.store.openBackfills(this.queue))
      .filter((backfill) => backfill.expiresAt > now)
      .toSorted((a, b) => a.requestedAt - b.requestedAt || (a.backfillId < b.backfillId ? -1 : 1))
      .slice(0, maxBackfills);
    let claimed = 0;
    for (const backfill of open) {
      const ticket = await this.choose(backfill, now);
      if (!ticket) continue;
      const outcome = await this.claim(backfill, ticket, epoch, now);
      if (outcome === 'stale-epoch') break;
      if (outcome === 'claimed') claimed += 1;
    }
    return claimed;
  }

  /** Nearest first, page by page: the search ends when all later tickets are farther off than the best so far. */
  private async choose(backfill: OpenBackfill, now: number): Promise<Ticket | null> {
    const { build, region, seats } = backfill;
    const { platformGroup, onlyPlatform } = backfill.rules;
    const seat = { build, region, seats, level: seatLevel(backfill), platformGroup, onlyPlatform };
    const ids = this.deps.pool.nearest(seat, maxCandidates, now);
    for (let from = 0; from < ids.length; from += page) {
      const tickets = await this.deps.store.tickets(ids.slice(from, from + page));
      const chosen = chooseForSeat(
        backfill,
        tickets.flatMap((ticket) => {
          const rules = this.rulesOf(ticket);
          return rules ? [{ ticket, rules }] : [];
        }),
        now,
      );
      if (chosen) return chosen;
    }
    return null;
  }

  private async claim(backfill: OpenBackfill, ticket: Ticket, epoch: number, now: number): Promise<string> {
    const { backfillId, matchId, team } = backfill;
    const proposalId = this.deps.ids.make('fil');
    const { traces } = this.deps;
    const span = traces ? beginMatch(traces, matchId, this.queue, [ticket], now) : null;
    const job: FillSeatJob = {
      proposalId,
      backfillId,
      matchId,
      ticketId: ticket.ticketId,
      team,
      players: ticket.players.map(({ playerId, mu, sigma, canPlay = [] }) => ({
        playerId,
        mu,
        sigma,
        canPlay: [...canPlay],
      })),
      roles: rolesMissing(backfill),
      waitedMs: Math.max(0, now - ticket.enqueuedAt),
      fit: fitOf(backfill, ticket, now),
      trace: span?.trace,
      ...(ticket.attributes ? { attributes: ticket.attributes } : {}),
    };
    const seconds = this.rulesOf(ticket)?.readyCheck?.seconds;
    const proposal: Proposal = {
      matchId: proposalId,
      queue: this.queue,
      ticketIds: [ticket.ticketId],
      job: JSON.stringify(job),
      reason: [message('seat.offered')],
      backfill: { backfillId, matchId },
      ...(seconds === undefined
        ? {}
        : {
            readyCheck: {
              acceptBy: now + seconds * 1000,
              reason: [message('ready-check.seat', { seconds })],
            },
          }),
    };
    const result = await this.deps.store.propose(proposal, epoch, this.deps.proposalLeaseMs, now);
    if (result.outcome === 'claimed') {
      span?.end(now);
      this.deps.pool.remove(ticket.ticketId, true);
      this.deps.meter?.observe('timeToMatch', { queue: this.queue }, job.waitedMs / 1_000);
    }
    if (result.outcome === 'gone') this.deps.pool.remove(ticket.ticketId);
    // The reconciler of proposals recovers a job that cannot be sent now.
    if (result.outcome === 'claimed' && seconds === undefined)
      await this.deps.jobs.send(jobQueues.fillSeat, [{ jobId: proposalId, payload: job }]);
    return result.outcome;
  }

  private rulesOf({ rulesVersion }: Ticket) {
    return this.deps.rules.version(
      this.queue,
      Math.max(1, this.deps.rules.effectiveVersion(this.queue, rulesVersion)),
    );
  }
}

function fitOf(backfill: OpenBackfill, ticket: Ticket, now: number): FillSeatJob['fit'] {
  const gap = gapAllowed(backfill, ticket, now);
  return {
    pool: backfill.rules.pool,
    probed: ticket.players.flatMap(({ playerId, calibration }) => (calibration ? [playerId] : [])),
    level: seatLevel(backfill),
    gap: Number.isFinite(gap) ? gap : null,
  };
}
