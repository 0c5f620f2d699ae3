import {
  inTheQueue,
  type Assignment,
  type CancelResult,
  type EnqueueResult,
  type Lease,
  type OverdueProposal,
  type PoolChange,
  type PoolChanges,
  type Proposal,
  type ProposeResult,
  type Ticket,
  type TicketEvent,
  type TicketMatchState,
  type TicketRecord,
  type TicketState,
  type TicketStore,
} from '@muster/domain';

/** A ticket and its log. Where it stands is what its last event says. */
interface Entry {
  readonly ticket: Ticket;
  readonly events: TicketEvent[];
  closed: boolean;
}

interface HeldLease {
  holder: string | null;
  epoch: number;
  expiresAt: number;
}

interface KnownProposal {
  readonly job: string;
  leasedUntil: number;
  /** Kept after its verdict, so that a repeated `propose` claims nothing a second time. */
  settled: boolean;
}

type Change = Partial<Pick<TicketEvent, 'matchId' | 'matchState' | 'assignment'>>;

/** The in-memory twin of the Redis store. Each method runs in one turn of the event loop, so it is atomic too. */
export class MemoryTicketStore implements TicketStore {
  private readonly entries = new Map<string, Entry>();
  /** Ids of the tickets in `waiting`, of all queues. */
  private readonly pool = new Set<string>();
  private readonly changes = new Map<string, PoolChange[]>();
  private readonly holders = new Map<string, string>();
  private readonly leases = new Map<string, HeldLease>();
  private readonly proposals = new Map<string, KnownProposal>();

  async enqueue(ticket: Ticket, now: number, reason = inTheQueue): Promise<EnqueueResult> {
    const known = this.entries.get(ticket.ticketId);
    if (known) return { outcome: known.ticket.fingerprint === ticket.fingerprint ? 'existing' : 'reused' };
    for (const { playerId } of ticket.players) {
      const holder = this.holders.get(playerId);
      if (holder !== undefined) return { outcome: 'busy', playerId, ticketId: holder };
    }
    for (const { playerId } of ticket.players) this.holders.set(playerId, ticket.ticketId);
    // A copy, so that the caller's later changes stay the caller's.
    const entry: Entry = { ticket: structuredClone(ticket), events: [], closed: false };
    this.entries.set(ticket.ticketId, entry);
    this.tell(entry, 'waiting', reason, now);
    return { outcome: 'created' };
  }

  async cancel(ticketId: string, reason: string, now: number): Promise<CancelResult> {
    const entry = this.entries.get(ticketId);
    if (!entry) return { outcome: 'unknown' };
    const { state } = standing(entry);
    if (state === 'cancelled') return { outcome: 'cancelled' };
    if (state !== 'waiting') return { outcome: 'too-late', state };
    this.tell(entry, 'cancelled', reason, now);
    this.finish(entry);
    return { outcome: 'cancelled' };
  }

  async expire(queue: string, reason: string, now: number, limit: number): Promise<string[]> {
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
      if (lease.holder !== null && lease.expiresAt > now) return null;
      lease.epoch += 1;
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
    const { matchId, queue, ticketIds, job, reason } = proposal;
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
    for (const entry of claimed) this.tell(entry, 'proposed', reason, now, { matchId });
    this.proposals.set(matchId, { job, leasedUntil: now + leaseMs, settled: false });
    return { outcome: 'claimed' };
  }

  async overdueProposals(now: number, leaseMs: number, limit: number): Promise<OverdueProposal[]> {
    const due = [...this.proposals]
      .filter(([, proposal]) => !proposal.settled && proposal.leasedUntil <= now)
      .sort(([idA, a], [idB, b]) => a.leasedUntil - b.leasedUntil || compare(idA, idB))
      .slice(0, limit);
    for (const [, proposal] of due) proposal.leasedUntil = now + leaseMs;
    return due.map(([matchId, { job }]) => ({ matchId, job }));
  }

  async confirm(matchId: string, ticketIds: readonly string[], reason: string, now: number): Promise<void> {
    for (const entry of this.eachOfMatch(matchId, ticketIds)) {
      if (standing(entry).state === 'proposed') {
        this.tell(entry, 'placing', reason, now, { matchState: 'formed' });
      }
    }
    this.settle(matchId);
  }

  async release(
    matchId: string,
    ticketIds: readonly string[],
    failed: readonly string[],
    reason: string,
    now: number,
  ): Promise<void> {
    for (const entry of this.eachOfMatch(matchId, ticketIds)) {
      if (standing(entry).state !== 'proposed') continue;
      const mayReturn = !failed.includes(entry.ticket.ticketId);
      this.tell(entry, mayReturn ? 'waiting' : 'failed', reason, now, { matchId: undefined });
      if (!mayReturn) this.finish(entry);
    }
    this.settle(matchId);
  }

  async note(matchId: string, ticketIds: readonly string[], reason: string, now: number): Promise<void> {
    for (const entry of this.eachOfMatch(matchId, ticketIds)) {
      const last = standing(entry);
      if (last.state === 'placing' && last.reason !== reason) this.tell(entry, 'placing', reason, now);
    }
  }

  async assign(ticketId: string, assignment: Assignment, reason: string, now: number): Promise<void> {
    const entry = this.ofMatch(assignment.matchId, ticketId);
    if (!entry || entry.closed) return;
    const { state } = standing(entry);
    if (state !== 'proposed' && state !== 'placing') return;
    this.tell(entry, 'assigned', reason, now, { assignment: { ...assignment }, matchState: 'placed' });
    this.settle(assignment.matchId);
  }

  async close(
    matchId: string,
    ticketIds: readonly string[],
    matchState: TicketMatchState,
    reason: string,
    now: number,
  ): Promise<void> {
    for (const entry of this.eachOfMatch(matchId, ticketIds)) {
      if (entry.closed) continue;
      this.tell(entry, matchState === 'abandoned' ? 'failed' : 'assigned', reason, now, { matchState });
      this.finish(entry);
    }
    this.settle(matchId);
  }

  async find(ticketId: string): Promise<TicketRecord | null> {
    const entry = this.entries.get(ticketId);
    return entry ? { ...entry.ticket, ...standing(entry), closed: entry.closed } : null;
  }

  async ticketOf(playerId: string): Promise<string | null> {
    return this.holders.get(playerId) ?? null;
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

  async tickets(ticketIds: readonly string[]): Promise<Ticket[]> {
    return ticketIds.flatMap((id) => this.entries.get(id)?.ticket ?? []);
  }

  private tell(entry: Entry, state: TicketState, reason: string, at: number, change: Change = {}): void {
    const { ticketId } = entry.ticket;
    const { matchId, matchState, assignment } = { ...entry.events.at(-1), ...change };
    entry.events.push({
      ticketId,
      seq: entry.events.length + 1,
      at,
      state,
      reason,
      ...(matchId === undefined ? {} : { matchId }),
      ...(matchState === undefined ? {} : { matchState }),
      ...(assignment === undefined ? {} : { assignment }),
    });
    const { queue } = entry.ticket;
    const changes = this.changes.get(queue) ?? [];
    this.changes.set(queue, changes);
    if (state === 'waiting') {
      this.pool.add(ticketId);
      changes.push({ joined: entry.ticket });
    } else if (this.pool.delete(ticketId)) changes.push({ left: ticketId, claimed: state === 'proposed' });
  }

  private finish(entry: Entry): void {
    entry.closed = true;
    for (const { playerId } of entry.ticket.players) {
      if (this.holders.get(playerId) === entry.ticket.ticketId) this.holders.delete(playerId);
    }
  }

  private settle(matchId: string): void {
    const proposal = this.proposals.get(matchId);
    if (proposal) proposal.settled = true;
  }

  private ofMatch(matchId: string, ticketId: string): Entry | null {
    const entry = this.entries.get(ticketId);
    return entry && standing(entry).matchId === matchId ? entry : null;
  }

  private eachOfMatch(matchId: string, ticketIds: readonly string[]): Entry[] {
    return ticketIds.flatMap((id) => this.ofMatch(matchId, id) ?? []);
  }

  private waitingIn(queue: string): Entry[] {
    return [...this.pool]
      .flatMap((id) => this.entries.get(id) ?? [])
      .filter(({ ticket }) => ticket.queue === queue);
  }
}

function standing(entry: Entry): TicketEvent {
  const last = entry.events.at(-1);
  if (!last) throw new Error(`ticket ${entry.ticket.ticketId} has no events`);
  return last;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byId(a: Entry, b: Entry): number {
  return compare(a.ticket.ticketId, b.ticket.ticketId);
}
