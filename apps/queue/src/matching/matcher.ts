import {
  jobQueues,
  noMeter,
  sentenceOf,
  type FormTeamsJob,
  type Meter,
  type Traces,
} from '@muster/contracts';
import {
  message,
  type Clock,
  type Ids,
  type Message,
  type Proposal,
  type QueueRules,
  type Ticket,
  type TicketStore,
  type WideningCurve,
} from '@muster/domain';
import { limitAfter, platformFactsOf, platformGroup, type MatchProposal } from '@muster/matchmaking';
import { ofPlayers } from '../core/of-players.js';
import type { KnownBuilds } from '../services/known-builds.js';
import type { Pauses } from '../pauses/pauses.js';
import { FillSeats } from './fill-seats.js';
import { beginMatch } from './match-span.js';
import type { KnownRules, QueuePool } from './queue-pool.js';

/** Sends durable jobs. The reconciler recovers one that cannot be sent now. */
export interface Jobs {
  send(queue: string, jobs: readonly { jobId: string; payload: unknown }[]): Promise<void>;
}

/** What a {@link Matcher} works with. */
export interface MatcherDependencies {
  readonly rules: KnownRules;
  /** The waiting tickets of its queue. */
  readonly pool: QueuePool;
  /** Names the process that holds the lease. */
  readonly holder: string;
  readonly store: TicketStore;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'make'>;
  readonly builds: Pick<KnownBuilds, 'isObsolete'>;
  readonly pauses: Pick<Pauses, 'inForce'>;
  /** Lease of a matcher, in milliseconds: another one takes over when it expires. */
  readonly leaseMs: number;
  /** Lease of a proposal, in milliseconds: the reconciler settles it when it expires. */
  readonly proposalLeaseMs: number;
  /** Takes the time to match. */
  readonly meter?: Meter;
  readonly traces?: Traces | null;
}

/** Proposals claimed together: the store takes them in few calls. */
const claimsAtOnce = 64;

/** The outcome of claiming several matches. */
interface Claims {
  readonly chosen: number;
  readonly proposed: number;
  readonly jobs: { jobId: string; payload: FormTeamsJob }[];
  /** Another replica holds the lease by now. */
  readonly stale: boolean;
  /** One for each match that could be neither claimed nor refused. */
  readonly errors: readonly unknown[];
}

/** The matcher of one queue. Any number of replicas run it; the lease allows one of them to propose. */
export class Matcher {
  private readonly fillSeats: FillSeats;
  /** Until then the lease need not be asked for while no ticket waits. */
  private leaseAskedUntil = 0;
  /** The matches that the last tick held back; null when it formed none, for want of the lease or of tickets. */
  held: number | null = null;

  constructor(
    private readonly queue: string,
    private readonly deps: MatcherDependencies,
  ) {
    this.fillSeats = new FillSeats(queue, deps);
  }

  /**
   * Runs one tick.
   *
   * 1. Synchronise the pool with the store: every replica does, so that each can take over and can explain why tickets
   *    wait.
   * 2. Acquire or renew the lease; stop here when another replica holds it, or when no ticket waits. Without tickets,
   *    half the time of the lease passes between two renewals.
   * 3. End expired tickets. Stop here while an operator pauses the queue.
   * 4. Offer tickets to running matches with open seats (`FillSeats`): their players wait already.
   * 5. Form matches of the waiting tickets; claim each as a whole, fenced by the lease's epoch; hand it to assignment, or
   *    open its ready check first (`ReadyChecks`).
   *
   * A match that cannot be claimed for an error keeps no other from being claimed and handed on.
   *
   * @returns the number of matches proposed
   * @throws AggregateError after the tick, when matches could not be claimed
   */
  async tick(): Promise<number> {
    const { queue } = this;
    const { store, clock, pool, leaseMs } = this.deps;
    await pool.follow();
    if (pool.size === 0 && clock.now() < this.leaseAskedUntil) return this.idle();
    const lease = await store.acquireLease(queue, this.deps.holder, leaseMs, clock.now());
    this.leaseAskedUntil = clock.now() + leaseMs / 2;
    if (!lease || pool.size === 0) return this.idle();
    const expired = [message('ticket.expired')];
    for (const ticketId of await store.expire(queue, expired, clock.now(), 500)) pool.remove(ticketId, false);
    if (this.deps.pauses.inForce(queue)) return 0;
    const now = clock.now();
    await this.fillSeats.run(lease.epoch, now);
    const { proposals, held } = pool.tick(now);
    this.held = held;
    let proposed = 0;
    const errors: unknown[] = [];
    for (let from = 0; from < proposals.length; from += claimsAtOnce) {
      const claimed = await this.claim(proposals.slice(from, from + claimsAtOnce), lease.epoch, now);
      if (claimed.jobs.length > 0) await this.deps.jobs.send(jobQueues.formTeams, claimed.jobs);
      proposed += claimed.proposed;
      this.count(claimed);
      errors.push(...claimed.errors);
      if (claimed.stale) break;
    }
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} matches were not claimed: ${String(errors[0])}`);
    return proposed;
  }

  private idle(): number {
    this.held = null;
    return 0;
  }

  private count({ chosen, proposed }: Claims): void {
    const { meter = noMeter } = this.deps;
    const { queue } = this;
    if (proposed > 0) meter.count('matchesProposed', { queue }, proposed);
    if (chosen > proposed) meter.count('claimsLost', { queue }, chosen - proposed);
  }

  /** Releases the lease, so that another replica takes over at once. */
  async stop(): Promise<void> {
    this.leaseAskedUntil = 0;
    this.held = null;
    await this.deps.store.releaseLease(this.queue, this.deps.holder);
  }

  private async claim(matches: readonly MatchProposal[], epoch: number, now: number): Promise<Claims> {
    const { store, pool, builds, proposalLeaseMs, meter = noMeter, traces } = this.deps;
    const tickets = new Map(
      (await store.tickets(matches.flatMap((match) => match.tickets))).map((ticket) => [
        ticket.ticketId,
        ticket,
      ]),
    );
    let stale = false;
    let proposed = 0;
    const claimed = await Promise.allSettled(
      matches.map(async (match): Promise<Claims['jobs']> => {
        const members = match.tickets.flatMap((id) => tickets.get(id) ?? []);
        // Its ratings have changed since the pool was read; the change follows.
        if (members.some((ticket) => !pool.hasLevelOf(ticket))) return [];
        // Its tickets wait on, and are told to update: no server would be found.
        if (await builds.isObsolete(members[0]?.build ?? '')) return [];
        const matchId = this.deps.ids.make('mat');
        const span = traces ? beginMatch(traces, matchId, this.queue, members, now) : null;
        const { proposal, job } = this.propose(matchId, match, members, span?.trace, now);
        const result = await store.propose(proposal, epoch, proposalLeaseMs, now);
        if (result.outcome === 'stale-epoch') stale = true;
        if (result.outcome === 'gone') pool.remove(result.ticketId);
        if (result.outcome !== 'claimed') return [];
        for (const ticketId of match.tickets) pool.remove(ticketId, true);
        proposed += 1;
        span?.end(now);
        for (const { enqueuedAt } of members)
          meter.observe('timeToMatch', { queue: this.queue }, Math.max(0, now - enqueuedAt) / 1_000);
        return proposal.readyCheck ? [] : [{ jobId: proposal.matchId, payload: job }];
      }),
    );
    return {
      chosen: matches.length,
      proposed,
      jobs: claimed.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])),
      stale,
      errors: claimed.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : [])),
    };
  }

  private propose(
    matchId: string,
    match: MatchProposal,
    members: readonly Ticket[],
    trace: string | undefined,
    now: number,
  ): { proposal: Proposal; job: FormTeamsJob } {
    const { queue } = this;
    const { version, rules } = this.rulesOf(members);
    const platforms = platformsOf(members, rules);
    const tickets = members.map(ticketOf);
    const why = whyOf(match, tickets, platforms.onlyPlatform);
    const { lowBelow = 0 } = rules.behaviour ?? {};
    const low = members.every(({ behaviour = 1 }) => behaviour < lowBelow);
    const job: FormTeamsJob = {
      matchId,
      queue,
      build: members[0]?.build ?? '',
      regions: [...match.regions],
      openings: match.openings && { ...match.openings, regions: [...match.openings.regions] },
      tickets,
      bots: match.bots,
      map: match.map,
      rules: { ...rules, teamSize: match.teamSize, ...(low ? { low } : {}), ...platforms },
      why: why.map(sentenceOf),
      whyMessages: why,
      allowed: allowedBy(rules, match, members, now),
      trace,
      proposedAt: now,
    };
    const proposal = {
      matchId,
      queue,
      ticketIds: match.tickets,
      job: JSON.stringify(job),
      reason: [message('match.found'), ...why],
      rulesVersion: version,
    };
    if (!rules.readyCheck) return { proposal, job };
    const { seconds } = rules.readyCheck;
    const readyCheck = {
      acceptBy: now + seconds * 1000,
      reason: [message('ready-check.match', { seconds })],
    };
    return { proposal: { ...proposal, readyCheck }, job };
  }

  /** The newest rules that any of the tickets follows. */
  private rulesOf(members: readonly Ticket[]): { version: number; rules: QueueRules } {
    const { queue } = this;
    const version = Math.max(
      1,
      ...members.map((ticket) => this.deps.rules.effectiveVersion(queue, ticket.rulesVersion)),
    );
    const rules = this.deps.rules.version(queue, version);
    if (!rules) throw new Error(`the rules of ${queue} have no version ${version} here`);
    return { version, rules };
  }
}

/** Returns a ticket in the form that assignment needs. */
function ticketOf({
  ticketId,
  players,
  enqueuedAt,
  avoid = [],
  attributes,
}: Ticket): FormTeamsJob['tickets'][number] {
  // Newcomers play at the levels of their probes.
  const probes = ofPlayers(players, ({ calibration, mu }) => calibration && mu);
  const boosters = ofPlayers(players, ({ booster }) => booster);
  const canPlay = ofPlayers(players, ({ canPlay: roles = [] }) =>
    roles.length > 0 ? [...roles] : undefined,
  );
  return {
    ticketId,
    playerIds: players.map((player) => player.playerId),
    enqueuedAt,
    levels: Object.fromEntries(players.map(({ playerId, mu }) => [playerId, mu])),
    ...(probes ? { probes } : {}),
    ...(boosters ? { boosters } : {}),
    ...(canPlay ? { canPlay } : {}),
    ...(avoid.length > 0 ? { avoid: [...avoid] } : {}),
    ...(attributes ? { attributes } : {}),
  };
}

/** Explains why these tickets were matched. Players read it, so it names no levels. */
function whyOf(
  { why }: MatchProposal,
  tickets: FormTeamsJob['tickets'],
  onlyPlatform: string | undefined,
): Message[] {
  const newcomers = tickets.reduce((sum, { probes = {} }) => sum + Object.keys(probes).length, 0);
  return [
    ...why,
    ...(onlyPlatform === undefined ? [] : [message('match.one-platform', { platform: onlyPlatform })]),
    ...(newcomers > 0 ? [message('match.newcomers', { newcomers })] : []),
  ];
}

/** What the rules allow by now, and at least what the match has: limits may have been lifted for it. */
function allowedBy(
  { skillWindow, teamGap }: QueueRules,
  { figures: { spread, gap } }: MatchProposal,
  members: readonly Ticket[],
  now: number,
): FormTeamsJob['allowed'] {
  const waitedMs = now - Math.min(...members.map(({ enqueuedAt }) => enqueuedAt));
  const allowed = (curve: WideningCurve, had: number): number | null => {
    const limit = Math.max(had, limitAfter(curve, waitedMs));
    return Number.isFinite(limit) ? limit : null;
  };
  return { spread: allowed(skillWindow, spread), gap: allowed(teamGap, gap) };
}

/** The platforms of a match, equal for all its tickets; empty where all platforms play together. */
function platformsOf(
  members: readonly Ticket[],
  { crossPlay }: QueueRules,
): { platformGroup?: string; onlyPlatform?: string } {
  const facts = members.map(platformFactsOf);
  const group = platformGroup(crossPlay, facts[0]?.platforms ?? []);
  const only = facts.find((each) => each.only !== null)?.only ?? null;
  return {
    ...(group === '' ? {} : { platformGroup: group }),
    ...(only === null ? {} : { onlyPlatform: only }),
  };
}
