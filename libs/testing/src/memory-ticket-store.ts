import { textOf } from '@muster/contracts';
import { isDeepStrictEqual } from 'node:util';
import {
  inTheQueue,
  recordOf,
  type AcceptResult,
  type Assignment,
  type Blame,
  type CancelResult,
  type DeclineResult,
  type EnqueueResult,
  type Hold,
  type Lease,
  type OpenBackfill,
  type OverdueProposal,
  type OverdueReadyCheck,
  type PoolChange,
  type PoolChanges,
  type Proposal,
  type ProposeResult,
  type Remaking,
  type RemakeReasons,
  type RecordedTicket,
  type Explanation,
  type Ticket,
  type TicketEvent,
  type TicketMatchState,
  type TicketPlayer,
  type TicketRecord,
  type TicketState,
  type TicketStore,
} from '@muster/domain';
import {
  byId,
  compare,
  hasPlayer,
  isProposed,
  standing,
  unansweredOf,
  type Change,
  type Entry,
} from './memory-ticket.js';

interface HeldLease {
  holder: string | null;
  epoch: number;
  expiresAt: number;
}

interface KnownProposal {
  readonly job: string;
  readonly ticketIds: readonly string[];
  /** The deadline of its ready check, while it is open: until then it alone decides about its tickets. */
  acceptBy: number | null;
  leasedUntil: number;
  /** Kept after its verdict, so that a repeated `propose` claims nothing a second time. */
  settled: boolean;
  /** The backfill whose seats it takes; not offered again once that is null. */
  seat: OpenBackfill | null;
  /** The match whose seats it takes. */
  readonly of: string | null;
}

/** The in-memory twin of the Redis store. Each method runs in one turn of the event loop, so it is atomic too. */
const wordsOf = (said: Explanation): string => (typeof said === 'string' ? said : textOf(said));

export class MemoryTicketStore implements TicketStore {
  private readonly entries = new Map<string, Entry>();
  /** Ids of the tickets in `waiting`, of all queues. */
  private readonly pool = new Set<string>();
  private readonly changes = new Map<string, PoolChange[]>();
  private readonly holders = new Map<string, string>();
  private readonly leases = new Map<string, HeldLease>();
  private readonly proposals = new Map<string, KnownProposal>();
  /** No ready check is ended before this time, after an outage. */
  private deafUntil = 0;
  private readonly blames = new Map<string, Blame>();
  private readonly backfills = new Map<string, OpenBackfill>();
  /** The fewest seats that a backfill was known to have left; 0 once it is closed. */
  private readonly fewestSeats = new Map<string, number>();

  async enqueue(ticket: Ticket, now: number, reason: Explanation = inTheQueue): Promise<EnqueueResult> {
    const known = this.entries.get(ticket.ticketId);
    if (known) return { outcome: known.ticket.fingerprint === ticket.fingerprint ? 'existing' : 'reused' };
    for (const { playerId } of ticket.players) {
      const holder = this.holders.get(playerId);
      if (holder !== undefined) return { outcome: 'busy', playerId, ticketId: holder };
    }
    for (const { playerId } of ticket.players) this.holders.set(playerId, ticket.ticketId);
    // A copy, so that later changes by the caller have no effect.
    const entry: Entry = { ticket: structuredClone(ticket), events: [], accepted: [], closed: false };
    this.entries.set(ticket.ticketId, entry);
    this.tell(entry, 'waiting', reason, now);
    return { outcome: 'created' };
  }

  async cancel(ticketId: string, reason: Explanation, now: number): Promise<CancelResult> {
    const entry = this.entries.get(ticketId);
    if (!entry) return { outcome: 'unknown' };
    const { state } = standing(entry);
    if (state === 'cancelled') return { outcome: 'cancelled' };
    if (state !== 'waiting') return { outcome: 'too-late', state };
    this.tell(entry, 'cancelled', reason, now);
    this.finish(entry);
    return { outcome: 'cancelled' };
  }

  async withdraw(
    ticketId: string,
    reason: Explanation,
    others: Explanation,
    now: number,
  ): Promise<CancelResult> {
    const entry = this.entries.get(ticketId);
    const { state = null, matchId = '' } = entry ? standing(entry) : {};
    if (state !== 'accepting' || !this.isOpen(matchId)) return this.cancel(ticketId, reason, now);
    this.fallApart(matchId, new Map([[ticketId, reason]]), others, [], now);
    return { outcome: 'cancelled' };
  }

  async expire(queue: string, reason: Explanation, now: number, limit: number): Promise<string[]> {
    const due = this.waitingIn(queue)
      .filter(({ ticket }) => ticket.expiresAt <= now)
      .sort((a, b) => a.ticket.expiresAt - b.ticket.expiresAt || byId(a, b))
      .slice(0, limit);
    for (const entry of due) {
      this.tell(entry, 'expired', reason, now);
      this.finish(entry);
    }
    return due.map(({ ticket }) => ticket.ticketId);
  }

  async acquireLease(queue: string, holder: string, ttlMs: number, now: number): Promise<Lease | null> {
    const lease = this.leases.get(queue) ?? { holder: null, epoch: 0, expiresAt: 0 };
    if (lease.holder !== holder) {
      // One that ends much later was taken by a wrong clock.
      const isHeld = lease.expiresAt > now && lease.expiresAt <= now + 10 * ttlMs;
      if (lease.holder !== null && isHeld) return null;
      lease.epoch = Math.max(lease.epoch + 1, now);
    }
    lease.holder = holder;
    lease.expiresAt = now + ttlMs;
    this.leases.set(queue, lease);
    return { epoch: lease.epoch, expiresAt: lease.expiresAt };
  }

  async releaseLease(queue: string, holder: string): Promise<void> {
    const lease = this.leases.get(queue);
    if (lease?.holder === holder) lease.holder = null;
  }

  async propose(proposal: Proposal, epoch: number, leaseMs: number, now: number): Promise<ProposeResult> {
    const { matchId, queue, ticketIds, job, reason, readyCheck, backfill, rulesVersion } = proposal;
    if (this.proposals.has(matchId)) {
      const lost = ticketIds.find((id) => this.ofMatch(matchId, id) === null);
      return lost === undefined ? { outcome: 'claimed' } : { outcome: 'gone', ticketId: lost };
    }
    if (this.leases.get(queue)?.epoch !== epoch) return { outcome: 'stale-epoch' };
    const claimed: Entry[] = [];
    for (const ticketId of ticketIds) {
      const entry = this.entries.get(ticketId);
      if (!entry || entry.ticket.queue !== queue || standing(entry).state !== 'waiting') {
        return { outcome: 'gone', ticketId };
      }
      claimed.push(entry);
    }
    const seat = backfill ? (this.backfills.get(backfill.backfillId) ?? null) : null;
    if (backfill && seat?.queue !== queue) return { outcome: 'taken' };
    if (seat) this.backfills.delete(seat.backfillId);
    const of = backfill?.matchId ?? null;
    const { acceptBy } = readyCheck ?? { acceptBy: null };
    for (const entry of claimed) {
      if (rulesVersion !== undefined) entry.rulesVersion = rulesVersion;
      this.tell(entry, 'proposed', reason, now, { matchId });
      if (readyCheck)
        this.tell(entry, 'accepting', readyCheck.reason, now, { acceptBy: readyCheck.acceptBy });
    }
    const leasedUntil = now + leaseMs;
    this.proposals.set(matchId, {
      job,
      ticketIds: [...ticketIds],
      acceptBy,
      leasedUntil,
      settled: false,
      seat,
      of,
    });
    return { outcome: 'claimed' };
  }

  async overdueProposals(now: number, leaseMs: number, limit: number): Promise<OverdueProposal[]> {
    const due = [...this.proposals]
      .filter(([, { settled, acceptBy, leasedUntil }]) => !settled && acceptBy === null && leasedUntil <= now)
      .sort(([idA, a], [idB, b]) => a.leasedUntil - b.leasedUntil || compare(idA, idB))
      .slice(0, limit);
    for (const [, proposal] of due) proposal.leasedUntil = now + leaseMs;
    return due.map(([matchId, { job }]) => ({ matchId, job }));
  }

  async accept(
    ticketId: string,
    playerId: string,
    everybody: Explanation,
    leaseMs: number,
    now: number,
  ): Promise<AcceptResult> {
    const entry = this.entries.get(ticketId);
    if (!entry) return { outcome: 'unknown' };
    if (!hasPlayer(entry.ticket, playerId)) return { outcome: 'not-yours' };
    const { state, matchId = '' } = standing(entry);
    const proposal = this.proposals.get(matchId);
    if (!entry.accepted.includes(playerId)) {
      const acceptBy = proposal?.acceptBy ?? null;
      if (!proposal || acceptBy === null || state !== 'accepting') return { outcome: 'too-late', state };
      entry.accepted = [...entry.accepted, playerId];
      const all = this.eachOfMatch(matchId, proposal.ticketIds);
      if (all.every((each) => unansweredOf(each).length === 0)) {
        proposal.acceptBy = null;
        proposal.leasedUntil = now + leaseMs;
        for (const each of all) this.tell(each, 'accepting', everybody, now, { acceptBy: undefined });
      }
    }
    if (!proposal || proposal.settled || proposal.acceptBy !== null) return { outcome: 'accepted' };
    return { outcome: 'complete', matchId, job: proposal.job };
  }

  async decline(
    ticketId: string,
    playerId: string,
    words: Explanation,
    others: Explanation,
    now: number,
  ): Promise<DeclineResult> {
    const entry = this.entries.get(ticketId);
    if (!entry) return { outcome: 'unknown' };
    if (!hasPlayer(entry.ticket, playerId)) return { outcome: 'not-yours' };
    const { state, matchId = '' } = standing(entry);
    if (state === 'cancelled') return { outcome: 'declined' };
    if (state !== 'accepting' || !this.isOpen(matchId)) return { outcome: 'too-late', state };
    this.fallApart(matchId, new Map([[ticketId, words]]), others, [playerId], now);
    return { outcome: 'declined' };
  }

  async overdueReadyChecks(now: number, limit: number, deafMs = 0): Promise<OverdueReadyCheck[]> {
    if (deafMs > 0) this.deafUntil = now + deafMs;
    if (now < this.deafUntil) return [];
    return [...this.proposals]
      .flatMap(([matchId, { acceptBy, ticketIds }]) =>
        acceptBy !== null && acceptBy <= now ? [{ matchId, acceptBy, ticketIds }] : [],
      )
      .sort((a, b) => a.acceptBy - b.acceptBy || compare(a.matchId, b.matchId))
      .slice(0, limit)
      .map(({ matchId, ticketIds }) => ({
        matchId,
        asked: this.eachOfMatch(matchId, ticketIds).reduce(
          (sum, { ticket }) => sum + ticket.players.length,
          0,
        ),
        unanswered: this.eachOfMatch(matchId, ticketIds).flatMap((entry) => {
          const { ticketId, queue } = entry.ticket;
          const playerIds = unansweredOf(entry);
          return playerIds.length === 0 ? [] : [{ ticketId, queue, playerIds }];
        }),
      }));
  }

  async endReadyCheck(
    matchId: string,
    words: ReadonlyMap<string, Explanation>,
    others: Explanation,
    now: number,
    excused = false,
  ): Promise<void> {
    const { acceptBy = null, ticketIds = [] } = this.proposals.get(matchId) ?? {};
    if (acceptBy === null || now < acceptBy || now < this.deafUntil) return;
    const theirs = this.eachOfMatch(matchId, ticketIds).filter((entry) => unansweredOf(entry).length > 0);
    const told = theirs.map(({ ticket: { ticketId } }) => [ticketId, words.get(ticketId) ?? others] as const);
    this.fallApart(matchId, new Map(told), others, excused ? [] : theirs.flatMap(unansweredOf), now);
  }

  async blamed(limit: number): Promise<Blame[]> {
    return [...this.blames.values()]
      .sort((a, b) => a.at - b.at || compare(a.matchId, b.matchId))
      .slice(0, limit);
  }

  async forgetBlame(matchId: string): Promise<void> {
    this.blames.delete(matchId);
  }

  async confirm(
    matchId: string,
    ticketIds: readonly string[],
    reason: Explanation,
    now: number,
  ): Promise<void> {
    if (this.isOpen(matchId)) return;
    for (const entry of this.eachOfMatch(matchId, ticketIds)) {
      if (isProposed(entry)) {
        const joins = this.proposals.get(matchId)?.of ?? matchId;
        this.tell(entry, 'placing', reason, now, { matchId: joins, matchState: 'formed' });
      }
    }
    this.settle(matchId);
  }

  async release(
    matchId: string,
    ticketIds: readonly string[],
    failed: readonly string[],
    reason: Explanation,
    now: number,
  ): Promise<void> {
    if (this.isOpen(matchId)) return;
    for (const entry of this.eachOfMatch(matchId, ticketIds)) {
      if (!isProposed(entry)) continue;
      entry.accepted = [];
      const mayReturn = !failed.includes(entry.ticket.ticketId);
      this.tell(entry, mayReturn ? 'waiting' : 'failed', reason, now, { matchId: undefined });
      if (!mayReturn) this.finish(entry);
    }
    this.settle(matchId);
    this.reopen(matchId);
  }

  async relevel(
    ticket: Ticket,
    players: readonly TicketPlayer[],
  ): Promise<'relevelled' | 'closed' | 'changed'> {
    const entry = this.entries.get(ticket.ticketId);
    if (!entry || entry.closed) return 'closed';
    const changed = { ...entry.ticket, players: structuredClone(players) };
    if (isDeepStrictEqual(entry.ticket.players, changed.players)) return 'relevelled';
    if (!isDeepStrictEqual(entry.ticket.players, ticket.players)) return 'changed';
    entry.ticket = changed;
    if (standing(entry).state === 'waiting') this.changesOf(changed.queue).push({ joined: changed });
    return 'relevelled';
  }

  async note(matchId: string, ticketIds: readonly string[], reason: Explanation, now: number): Promise<void> {
    for (const entry of this.eachOfMatch(matchId, ticketIds)) {
      const last = standing(entry);
      if (last.state === 'placing' && last.reason !== wordsOf(reason))
        this.tell(entry, 'placing', reason, now);
    }
  }

  async assign(
    ticketId: string,
    assignment: Assignment,
    reason: Explanation,
    now: number,
  ): Promise<Pick<Ticket, 'queue' | 'enqueuedAt'> | null> {
    const entry = this.ofMatch(assignment.matchId, ticketId);
    if (!entry || entry.closed) return null;
    const proposed = isProposed(entry) && !this.isOpen(assignment.matchId);
    if (!proposed && standing(entry).state !== 'placing') return null;
    this.tell(entry, 'assigned', reason, now, { assignment: { ...assignment }, matchState: 'placed' });
    this.settle(assignment.matchId);
    const { queue, enqueuedAt } = entry.ticket;
    return { queue, enqueuedAt };
  }

  async join(
    proposalId: string,
    ticketId: string,
    assignment: Assignment,
    reason: Explanation,
    now: number,
  ): Promise<void> {
    const entry = this.entries.get(ticketId);
    if (!entry || entry.closed) return;
    const { matchId } = assignment;
    const { state, matchId: by } = standing(entry);
    const confirmed = state === 'placing' && by === matchId;
    if (!confirmed && !(by === proposalId && isProposed(entry) && !this.isOpen(proposalId))) return;
    this.tell(entry, 'assigned', reason, now, {
      matchId,
      assignment: { ...assignment },
      matchState: 'placed',
    });
    this.settle(proposalId);
  }

  async openBackfill(backfill: OpenBackfill): Promise<void> {
    const { backfillId, seats } = backfill;
    if ((this.fewestSeats.get(backfillId) ?? Infinity) < seats) return;
    this.fewestSeats.set(backfillId, seats);
    this.backfills.set(backfillId, structuredClone(backfill));
  }

  async closeBackfill(_queue: string, backfillId: string): Promise<void> {
    this.fewestSeats.set(backfillId, 0);
    this.backfills.delete(backfillId);
  }

  async openBackfills(queue: string): Promise<OpenBackfill[]> {
    return [...this.backfills.values()].filter((backfill) => backfill.queue === queue);
  }

  async close(
    matchId: string,
    ticketIds: readonly string[],
    matchState: TicketMatchState,
    reason: Explanation,
    now: number,
    state: 'assigned' | 'failed' = matchState === 'abandoned' ? 'failed' : 'assigned',
  ): Promise<void> {
    if (this.isOpen(matchId)) return;
    for (const entry of this.eachInMatch(matchId, ticketIds)) {
      if (entry.closed) continue;
      this.tell(entry, state, reason, now, { matchId, matchState });
      this.finish(entry);
    }
    this.settle(matchId);
  }

  async remake(
    matchId: string,
    ticketIds: readonly string[],
    failed: readonly string[],
    { back, ended, late, left: gone }: RemakeReasons,
    now: number,
    { left = [], out = [], expiresAt: earliest = -Infinity }: Remaking = {},
  ): Promise<void> {
    if (this.isOpen(matchId)) return;
    for (const entry of this.eachInMatch(matchId, ticketIds)) {
      if (entry.closed) continue;
      const { ticketId } = entry.ticket;
      const players = entry.ticket.players.filter(({ playerId }) => !out.includes(playerId));
      const expiresAt = Math.max(entry.ticket.expiresAt, earliest);
      const toBlame = failed.includes(ticketId) || players.length === 0;
      // An assigned ticket is never cancelled.
      if (left.includes(ticketId) && standing(entry).state !== 'assigned') {
        entry.accepted = [];
        this.tell(entry, 'cancelled', gone, now, { matchId: undefined, matchState: undefined });
        this.finish(entry);
      } else if (toBlame || expiresAt <= now) {
        this.tell(entry, 'failed', toBlame ? ended : late, now, { matchId, matchState: 'abandoned' });
        this.finish(entry);
      } else {
        entry.accepted = [];
        this.releaseOf(entry, (playerId) => out.includes(playerId));
        entry.ticket = { ...entry.ticket, players, expiresAt };
        const change = { matchId: undefined, matchState: undefined, assignment: undefined };
        this.tell(entry, 'waiting', back, now, change);
      }
    }
    this.settle(matchId);
  }

  async find(ticketId: string): Promise<TicketRecord | null> {
    const entry = this.entries.get(ticketId);
    if (!entry) return null;
    const { ticket, accepted, closed, rulesVersion } = entry;
    return {
      ...ticket,
      ...standing(entry),
      ...(rulesVersion === undefined ? {} : { rulesVersion }),
      ...(accepted.length > 0 ? { accepted } : {}),
      closed,
    };
  }

  async ticketOf(playerId: string): Promise<string | null> {
    return this.holders.get(playerId) ?? null;
  }

  async holdsOf(playerIds: readonly string[]): Promise<Hold[]> {
    const blamed = new Set([...this.blames.values()].flatMap((blame) => blame.playerIds));
    return playerIds
      .map((playerId) => ({
        playerId,
        ticketId: this.holders.get(playerId) ?? null,
        blamed: blamed.has(playerId),
      }))
      .filter((hold) => hold.ticketId !== null || hold.blamed);
  }

  async eventsAfter(ticketId: string, afterSeq: number): Promise<TicketEvent[]> {
    return (this.entries.get(ticketId)?.events ?? []).filter(({ seq }) => seq > afterSeq);
  }

  async waiting(queue: string, limit: number): Promise<string[]> {
    return this.waitingIn(queue)
      .sort((a, b) => a.ticket.expiresAt - b.ticket.expiresAt || byId(a, b))
      .slice(0, Math.max(0, limit))
      .map(({ ticket }) => ticket.ticketId);
  }

  async poolChanges(queue: string, after: number, limit: number): Promise<PoolChanges> {
    const changes = this.changes.get(queue) ?? [];
    const lost = after > changes.length;
    return {
      changes: lost ? [] : changes.slice(after, after + limit),
      newest: changes.length,
      lost,
    };
  }

  async scanPool(
    queue: string,
    cursor: string,
    count: number,
  ): Promise<{ cursor: string; tickets: Ticket[] }> {
    const ids = this.waitingIn(queue)
      .map(({ ticket }) => ticket.ticketId)
      .filter((id) => cursor === '0' || id > cursor)
      .sort(compare);
    const page = ids.slice(0, Math.max(1, count));
    return {
      cursor: page.length < ids.length ? (page.at(-1) ?? '0') : '0',
      tickets: await this.tickets(page),
    };
  }

  async recorded(
    queue: string,
    since: number,
    cursor: string,
    count: number,
  ): Promise<{ cursor: string; tickets: RecordedTicket[] }> {
    const ids = [...this.entries.keys()].filter((id) => cursor === '0' || id > cursor).sort(compare);
    const page = ids.slice(0, Math.max(1, count));
    const tickets = page
      .flatMap((id) => this.entries.get(id) ?? [])
      .filter(({ ticket }) => ticket.queue === queue)
      .map(({ ticket, events }) => {
        const waitedLast = events.findLastIndex(({ state }) => state === 'waiting');
        return recordOf(ticket, events[waitedLast + 1] ?? null);
      })
      .filter(({ leftAt }) => leftAt === null || leftAt >= since);
    return { cursor: page.length < ids.length ? (page.at(-1) ?? '0') : '0', tickets };
  }

  async tickets(ticketIds: readonly string[]): Promise<Ticket[]> {
    return ticketIds.flatMap((id) => this.entries.get(id)?.ticket ?? []);
  }

  private tell(entry: Entry, state: TicketState, said: Explanation, at: number, change: Change = {}): void {
    const { ticketId } = entry.ticket;
    const { matchId, matchState, assignment, acceptBy } = { ...entry.events.at(-1), ...change };
    entry.events.push({
      ticketId,
      seq: entry.events.length + 1,
      at,
      state,
      reason: wordsOf(said),
      ...(typeof said === 'string' ? {} : { messages: structuredClone(said) }),
      ...(matchId === undefined ? {} : { matchId }),
      ...(matchState === undefined ? {} : { matchState }),
      ...(assignment === undefined ? {} : { assignment }),
      ...(acceptBy === undefined ? {} : { acceptBy }),
    });
    const { queue } = entry.ticket;
    const changes = this.changesOf(queue);
    if (state === 'waiting') {
      this.pool.add(ticketId);
      changes.push({ joined: entry.ticket });
    } else if (this.pool.delete(ticketId)) changes.push({ left: ticketId, claimed: state === 'proposed' });
  }

  private changesOf(queue: string): PoolChange[] {
    const changes = this.changes.get(queue) ?? [];
    this.changes.set(queue, changes);
    return changes;
  }

  private finish(entry: Entry): void {
    entry.closed = true;
    this.releaseOf(entry, () => true);
  }

  private releaseOf({ ticket: { ticketId, players } }: Entry, isOut: (playerId: string) => boolean): void {
    for (const { playerId } of players)
      if (isOut(playerId) && this.holders.get(playerId) === ticketId) this.holders.delete(playerId);
  }

  private settle(matchId: string): void {
    const proposal = this.proposals.get(matchId);
    if (proposal) proposal.settled = true;
  }

  private isOpen(matchId: string): boolean {
    return (this.proposals.get(matchId)?.acceptBy ?? null) !== null;
  }

  /** Ends the tickets that have a message; the others wait again. */
  private fallApart(
    matchId: string,
    words: ReadonlyMap<string, Explanation>,
    others: Explanation,
    playerIds: readonly string[],
    at: number,
  ): void {
    const proposal = this.proposals.get(matchId);
    if (!proposal) return;
    let queue = '';
    for (const entry of this.eachOfMatch(matchId, proposal.ticketIds)) {
      queue = entry.ticket.queue;
      entry.accepted = [];
      const told = words.get(entry.ticket.ticketId);
      const change = { matchId: undefined, acceptBy: undefined };
      this.tell(entry, told === undefined ? 'waiting' : 'cancelled', told ?? others, at, change);
      if (told !== undefined) this.finish(entry);
    }
    proposal.acceptBy = null;
    proposal.settled = true;
    this.reopen(matchId);
    if (playerIds.length > 0) this.blames.set(matchId, { matchId, queue, playerIds, at });
  }

  private ofMatch(matchId: string, ticketId: string): Entry | null {
    const entry = this.entries.get(ticketId);
    return entry && standing(entry).matchId === matchId ? entry : null;
  }

  private eachOfMatch(matchId: string, ticketIds: readonly string[]): Entry[] {
    return ticketIds.flatMap((id) => this.ofMatch(matchId, id) ?? []);
  }

  /** Of this match, or claimed for a seat in it; those claims are settled. */
  private eachInMatch(matchId: string, ticketIds: readonly string[]): Entry[] {
    return ticketIds.flatMap((id) => {
      const entry = this.entries.get(id);
      const { matchId: by } = entry ? standing(entry) : {};
      if (!entry || by === undefined) return [];
      if (by !== matchId && this.proposals.get(by)?.of !== matchId) return [];
      if (by !== matchId && !entry.closed) this.settle(by);
      return [entry];
    });
  }

  /** Offers the seats of a refused claim again, unless the backfill was closed meanwhile. Once per claim. */
  private reopen(proposalId: string): void {
    const proposal = this.proposals.get(proposalId);
    const seat = proposal?.seat;
    if (!proposal || !seat) return;
    proposal.seat = null;
    if (this.fewestSeats.get(seat.backfillId) === seat.seats) this.backfills.set(seat.backfillId, seat);
  }

  private waitingIn(queue: string): Entry[] {
    return [...this.pool]
      .flatMap((id) => this.entries.get(id) ?? [])
      .filter(({ ticket }) => ticket.queue === queue);
  }
}
