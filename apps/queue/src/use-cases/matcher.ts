import { jobQueues, type FormTeamsJob } from '@muster/contracts';
import type { Clock, Ids, Proposal, QueueRules, Ticket, TicketPlayer, TicketStore } from '@muster/domain';
import { formMatches, type FormedGroup } from '@muster/matchmaking';
import { gapOf } from './gap.js';

/** Sends durable jobs. One that cannot be sent now is found by the reconciler. */
export interface Jobs {
  send(queue: string, jobs: readonly { jobId: string; payload: unknown }[]): Promise<void>;
}

/** What the matcher does with its time, in milliseconds and tickets. */
export interface MatcherSettings {
  /** How long the matcher of a queue may be silent before another takes over. */
  readonly leaseMs: number;
  /** How long assignment has for a proposal before the reconciler looks. */
  readonly proposalLeaseMs: number;
  /** At most so many waiting tickets are looked at in a tick, longest waiting first. */
  readonly poolLimit: number;
}

/** The matcher of one queue. Any number of replicas run it; the lease lets one of them propose. */
export class Matcher {
  private readonly known = new Map<string, Ticket>();

  constructor(
    private readonly rules: QueueRules,
    private readonly holder: string,
    private readonly store: TicketStore,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly settings: MatcherSettings,
  ) {}

  /**
   * One tick.
   *
   * 1. Hold the lease, or leave it to the one who does.
   * 2. End the tickets whose time has come.
   * 3. Form matches of those that wait; claim each whole, fenced by the lease's epoch; hand it to assignment.
   *
   * @returns how many matches were proposed
   */
  async tick(): Promise<number> {
    const { name } = this.rules;
    const lease = await this.store.acquireLease(name, this.holder, this.settings.leaseMs, this.clock.now());
    if (!lease) {
      this.known.clear();
      return 0;
    }
    const ttl = this.rules.ticketTtlSeconds;
    await this.store.expire(
      name,
      `No match was found within ${ttl} s; please queue again.`,
      this.clock.now(),
      500,
    );
    const pool = await this.readPool();
    const now = this.clock.now();
    let proposed = 0;
    const claimed: { jobId: string; payload: FormTeamsJob }[] = [];
    for (const group of formMatches(pool, this.rules, now, gapOf(this.rules, this.clock))) {
      const { proposal, job } = this.propose(group, now);
      const result = await this.store.propose(proposal, lease.epoch, this.settings.proposalLeaseMs, now);
      if (result.outcome === 'stale-epoch') break;
      if (result.outcome === 'gone') continue;
      proposed++;
      claimed.push({ jobId: proposal.matchId, payload: job });
      for (const { ticketId } of group.tickets) this.known.delete(ticketId);
    }
    if (claimed.length > 0) await this.jobs.send(jobQueues.formTeams, claimed);
    return proposed;
  }

  /** Gives the lease back, so that another replica goes on at once. */
  async stop(): Promise<void> {
    await this.store.releaseLease(this.rules.name, this.holder);
  }

  /** The waiting tickets; what a ticket says never changes, so each is read once. */
  private async readPool(): Promise<Ticket[]> {
    const waiting = await this.store.waiting(this.rules.name, this.settings.poolLimit);
    const present = new Set(waiting);
    for (const ticketId of this.known.keys()) if (!present.has(ticketId)) this.known.delete(ticketId);
    const unknown = waiting.filter((ticketId) => !this.known.has(ticketId));
    for (const ticket of await this.store.tickets(unknown)) this.known.set(ticket.ticketId, ticket);
    return waiting.flatMap((ticketId) => this.known.get(ticketId) ?? []);
  }

  private propose(group: FormedGroup, now: number): { proposal: Proposal; job: FormTeamsJob } {
    const matchId = this.ids.make('mat');
    const tickets = group.tickets.map(({ ticketId, players, enqueuedAt }) => ({
      ticketId,
      playerIds: players.map((player) => player.playerId),
      enqueuedAt,
      ...probesOf(players),
    }));
    const tried = tickets.reduce((sum, { probes = {} }) => sum + Object.keys(probes).length, 0);
    const why = [
      ...group.why,
      // No levels here: players read this, too.
      ...(tried > 0
        ? [`Newcomers among them: ${tried}, who count at the level that their calibration tries.`]
        : []),
    ];
    const job: FormTeamsJob = {
      matchId,
      queue: this.rules.name,
      build: group.tickets[0]?.build ?? '',
      regions: [...group.regions],
      tickets,
      rules: { ...this.rules },
      why,
      proposedAt: now,
    };
    const ticketIds = tickets.map((ticket) => ticket.ticketId);
    const reason = `A match was found. ${why.join(' ')}`;
    return {
      proposal: { matchId, queue: this.rules.name, ticketIds, job: JSON.stringify(job), reason },
      job,
    };
  }
}

/** The levels at which newcomers of a ticket are tried out; nothing when it has none. */
function probesOf(players: readonly TicketPlayer[]): { probes?: Record<string, number> } {
  const tried = players.filter((player) => player.calibration !== undefined);
  return tried.length === 0 ? {} : { probes: Object.fromEntries(tried.map((p) => [p.playerId, p.mu])) };
}
