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
  type MatchFigures,
  type OpenBackfill,
  type OverdueProposal,
  type OverdueReadyCheck,
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
  type UnansweredTicket,
} from '@muster/domain';
import * as scripts from '../generated/scripts.js';
import {
  scriptRunner,
  type RedisConnection,
  type ReplicatedConnection,
  type ScriptRunner,
} from '@muster/redis';
import { recovering } from './recovering.js';
import {
  joinPieces,
  readMessagesOf,
  readTicket,
  readTickets,
  encodeReason,
  rowsOf,
  writeTicket,
} from './ticket-text.js';

const readAtOnce = 500;
/** How often tickets that changed meanwhile are read again before they are put back. */
const attempts = 5;

const { ticketFields: field } = scripts;

/** The waiting tickets of a queue. */
export interface WaitingDepth {
  readonly waiting: number;
  /**
   * When the ticket that expires first was enqueued, in milliseconds since the epoch; null without one. It is the oldest
   * ticket unless the rules changed the lifetime of tickets since.
   */
  readonly oldestAt: number | null;
}

/** What is counted of tickets. */
const countedTickets = ['accepted', 'assigned', 'cancelled', 'expired', 'failed'] as const;
/** Tickets of a queue that were `accepted`, or ended in a state. */
export interface TicketCount {
  readonly what: (typeof countedTickets)[number];
  readonly count: number;
}

/** Whole thousandths: the scripts count in buckets above 100 of them. */
const inUnits = (value: number): number => Math.round(1_000 * value);

/**
 * Tickets in Redis: one script per state change, all keys of a realm under one hash tag. Tickets are created and matched
 * only while they agree with the matches; see `RedisTicketMemory`. Leases and outages follow the clock of the server.
 */
export class RedisTicketStore implements TicketStore {
  private readonly run: ScriptRunner;
  /** For what a caller is told, and what other services act on: it must survive a fail-over. */
  private readonly safely: ScriptRunner;

  constructor(
    private readonly redis: RedisConnection,
    private readonly root: string,
    /** A connection of its own, because waiting for replicas holds up the commands behind. */
    safe: ReplicatedConnection | null = null,
    /** Whether the stream of events has the first one of each ticket, which no follower needs but a copy does. */
    private readonly tellsOfNew = false,
  ) {
    this.run = scriptRunner(redis, root);
    this.safely = safe ? scriptRunner(safe.redis, root, safe.replicas) : this.run;
  }

  async enqueue(ticket: Ticket, now: number, reason: Explanation = inTheQueue): Promise<EnqueueResult> {
    const { ticketId, queue, fingerprint, expiresAt } = ticket;
    const players = ticket.players.map((player) => player.playerId);
    const fixed = writeTicket(ticket);
    const [outcome, playerId, holder] = await scripts.enqueue(this.safely, {
      ticketId,
      queue,
      players,
      fixed,
      fingerprint,
      expiresAt,
      reason: encodeReason(reason),
      now,
      told: Number(this.tellsOfNew),
    });
    if (outcome === 'recovering') throw recovering();
    return outcome === 'busy' ? { outcome, playerId, ticketId: holder } : { outcome };
  }

  async cancel(ticketId: string, reason: Explanation, now: number): Promise<CancelResult> {
    const args = { ticketId, reason: encodeReason(reason), now };
    const [outcome, state] = await scripts.cancel(this.safely, args);
    return outcome === 'too-late' ? { outcome, state } : { outcome };
  }

  async withdraw(
    ticketId: string,
    reason: Explanation,
    others: Explanation,
    now: number,
  ): Promise<CancelResult> {
    const args = { ticketId, reason: encodeReason(reason), others: encodeReason(others), now };
    const [outcome, state] = await scripts.withdraw(this.safely, args);
    return outcome === 'too-late' ? { outcome, state } : { outcome };
  }

  expire(queue: string, reason: Explanation, now: number, limit: number): Promise<string[]> {
    return scripts.expire(this.run, { queue, reason: encodeReason(reason), now, limit });
  }

  async acquireLease(queue: string, holder: string, ttlMs: number): Promise<Lease | null> {
    const [outcome, epoch, expiresAt] = await scripts.acquireLease(this.run, { queue, holder, ttlMs });
    return outcome === 'held' ? { epoch: Number(epoch), expiresAt: Number(expiresAt) } : null;
  }

  async releaseLease(queue: string, holder: string): Promise<void> {
    await scripts.releaseLease(this.run, { queue, holder });
  }

  async propose(proposal: Proposal, epoch: number, leaseMs: number, now: number): Promise<ProposeResult> {
    const { readyCheck, backfill, rulesVersion = 0, reason, ...claimed } = proposal;
    const [outcome, ticketId] = await scripts.propose(this.safely, {
      ...claimed,
      reason: encodeReason(reason),
      acceptBy: readyCheck?.acceptBy ?? 0,
      asking: encodeReason(readyCheck?.reason ?? ''),
      backfill: backfill?.backfillId ?? '',
      of: backfill?.matchId ?? '',
      rulesVersion,
      epoch,
      leaseMs,
      now,
    });
    return outcome === 'gone' ? { outcome, ticketId } : { outcome };
  }

  async overdueProposals(now: number, leaseMs: number, limit: number): Promise<OverdueProposal[]> {
    return rowsOf(await scripts.overdueProposals(this.run, { now, leaseMs, limit }), 'matchId', 'job');
  }

  async accept(
    ticketId: string,
    playerId: string,
    everybody: Explanation,
    leaseMs: number,
    now: number,
  ): Promise<AcceptResult> {
    const args = { ticketId, playerId, everybody: encodeReason(everybody), leaseMs, now };
    const [outcome, of, job] = await scripts.accept(this.safely, args);
    if (outcome === 'complete') return { outcome, matchId: of, job };
    return outcome === 'too-late' ? { outcome, state: of } : { outcome };
  }

  async decline(
    ticketId: string,
    playerId: string,
    words: Explanation,
    others: Explanation,
    now: number,
  ): Promise<DeclineResult> {
    const args = { ticketId, playerId, words: encodeReason(words), others: encodeReason(others), now };
    const [outcome, state] = await scripts.decline(this.safely, args);
    return outcome === 'too-late' ? { outcome, state } : { outcome };
  }

  async overdueReadyChecks(now: number, limit: number, deafMs = 0): Promise<OverdueReadyCheck[]> {
    const flat = await scripts.overdueReadyChecks(this.run, { now, limit, deafMs });
    return rowsOf(flat, 'matchId', 'asked', 'unanswered').map(({ matchId, asked, unanswered }) => ({
      matchId,
      asked: Number(asked),
      unanswered: JSON.parse(unanswered) as UnansweredTicket[],
    }));
  }

  async endReadyCheck(
    matchId: string,
    words: ReadonlyMap<string, Explanation>,
    others: Explanation,
    now: number,
    excused = false,
  ): Promise<void> {
    await scripts.endReadyCheck(this.run, {
      matchId,
      ticketIds: [...words.keys()],
      words: [...words.values()].map(encodeReason),
      others: encodeReason(others),
      excused: Number(excused),
      now,
    });
  }

  async blamed(limit: number): Promise<Blame[]> {
    const texts = await scripts.blamed(this.run, { limit });
    return texts.map((text) => JSON.parse(text) as Blame);
  }

  async forgetBlame(matchId: string): Promise<void> {
    await scripts.forgetBlame(this.run, { matchId });
  }

  async confirm(
    matchId: string,
    ticketIds: readonly string[],
    reason: Explanation,
    now: number,
    figures?: MatchFigures,
  ): Promise<void> {
    const { queue = '', teamGap = 0, favouriteLead = null, waitsMs = [] } = figures ?? {};
    const counted = {
      queue,
      gap: inUnits(teamGap),
      lead: favouriteLead === null ? -1 : inUnits(100 * favouriteLead),
      waits: waitsMs.map(String),
    };
    await scripts.confirm(this.run, { matchId, ticketIds, reason: encodeReason(reason), now, ...counted });
  }

  async release(
    matchId: string,
    ticketIds: readonly string[],
    failed: readonly string[],
    reason: Explanation,
    now: number,
  ): Promise<void> {
    await scripts.release(this.run, { matchId, ticketIds, failed, reason: encodeReason(reason), now });
  }

  async relevel(
    ticket: Ticket,
    players: readonly TicketPlayer[],
  ): Promise<'relevelled' | 'closed' | 'changed'> {
    const { ticketId } = ticket;
    const texts = { was: writeTicket(ticket), fixed: writeTicket({ ...ticket, players }) };
    const [outcome] = await scripts.relevel(this.run, { ticketId, ...texts });
    return outcome;
  }

  async note(matchId: string, ticketIds: readonly string[], reason: Explanation, now: number): Promise<void> {
    await scripts.note(this.run, { matchId, ticketIds, reason: encodeReason(reason), now });
  }

  async assign(
    ticketId: string,
    assignment: Assignment,
    reason: Explanation,
    now: number,
  ): Promise<Pick<Ticket, 'queue' | 'enqueuedAt'> | null> {
    const { matchId } = assignment;
    const [outcome, fixed] = await scripts.assign(this.run, {
      ticketId,
      matchId,
      assignment: JSON.stringify(assignment),
      reason: encodeReason(reason),
      now,
    });
    if (outcome === 'left') return null;
    const { queue, enqueuedAt } = readTicket(ticketId, fixed);
    return { queue, enqueuedAt };
  }

  async join(
    proposalId: string,
    ticketId: string,
    assignment: Assignment,
    reason: Explanation,
    now: number,
  ): Promise<void> {
    const { matchId } = assignment;
    const text = JSON.stringify(assignment);
    const encoded = encodeReason(reason);
    await scripts.join(this.run, { proposalId, ticketId, matchId, assignment: text, reason: encoded, now });
  }

  async openBackfill(backfill: OpenBackfill): Promise<void> {
    const { queue, backfillId, seats } = backfill;
    await scripts.openBackfill(this.run, { queue, backfillId, seats, backfill: JSON.stringify(backfill) });
  }

  async closeBackfill(queue: string, backfillId: string): Promise<void> {
    await scripts.closeBackfill(this.run, { queue, backfillId });
  }

  async openBackfills(queue: string): Promise<OpenBackfill[]> {
    const texts = await scripts.openBackfills(this.run, { queue });
    return texts.map((text) => JSON.parse(text) as OpenBackfill);
  }

  async close(
    matchId: string,
    ticketIds: readonly string[],
    matchState: TicketMatchState,
    reason: Explanation,
    now: number,
    state: 'assigned' | 'failed' = matchState === 'abandoned' ? 'failed' : 'assigned',
  ): Promise<void> {
    const args = { matchId, ticketIds, matchState, state, reason: encodeReason(reason), now };
    await scripts.close(this.run, args);
  }

  async remake(
    matchId: string,
    ticketIds: readonly string[],
    failed: readonly string[],
    words: RemakeReasons,
    now: number,
    how: Remaking = {},
  ): Promise<void> {
    const reasons = {
      back: encodeReason(words.back),
      ended: encodeReason(words.ended),
      gone: encodeReason(words.left),
      late: encodeReason(words.late),
    };
    const { left = [] } = how;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const { rewritten, empty } = await this.rewrite(ticketIds, how);
      const args = { matchId, ticketIds, failed: [...failed, ...empty], left, rewritten, ...reasons, now };
      const [outcome] = await scripts.remake(this.run, args);
      if (outcome === 'done') return;
    }
    throw new Error(`the tickets of ${matchId} changed ${attempts} times while they were put back`);
  }

  /** What changes in tickets that return to the queue, and the ids of tickets without a player who returns. */
  private async rewrite(
    ticketIds: readonly string[],
    { out = [], expiresAt = -Infinity }: Remaking,
  ): Promise<{ rewritten: string[]; empty: string[] }> {
    const rewritten: string[] = [];
    const empty: string[] = [];
    if (out.length === 0 && expiresAt === -Infinity) return { rewritten, empty };
    const flat = await scripts.readTickets(this.run, { ticketIds });
    for (const { id, was } of rowsOf(flat, 'id', 'was')) {
      const ticket = readTicket(id, was);
      const players = ticket.players.filter(({ playerId }) => !out.includes(playerId));
      const expires = Math.max(ticket.expiresAt, expiresAt);
      const gone = ticket.players.flatMap(({ playerId }) => (out.includes(playerId) ? [playerId] : []));
      if (players.length === 0) empty.push(id);
      else if (gone.length > 0 || expires > ticket.expiresAt)
        rewritten.push(
          JSON.stringify({
            id,
            was,
            fixed: writeTicket({ ...ticket, players, expiresAt: expires }),
            expires,
            gone,
          }),
        );
    }
    return { rewritten, empty };
  }

  async find(ticketId: string): Promise<TicketRecord | null> {
    const hash = await this.redis.hgetall(`${this.root}:ticket:${ticketId}`);
    const { [field.state]: state, [field.match]: match, [field.matchState]: matchState } = hash;
    const { [field.assignment]: assignment, [field.rulesVersion]: rulesVersion } = hash;
    const { [field.acceptBy]: acceptBy, [field.acceptedBy]: accepted } = hash;
    if (state === undefined) return null;
    const seq = Number(hash[field.seq]);
    const messages = readMessagesOf(hash, seq);
    return {
      ...readTicket(ticketId, joinPieces(hash)),
      ...(rulesVersion === undefined ? {} : { rulesVersion: Number(rulesVersion) }),
      state: state as TicketState,
      seq,
      reason: hash[field.reason] ?? '',
      ...(messages ? { messages } : {}),
      at: Number(hash[field.changedAt]),
      ...(match === undefined ? {} : { matchId: match }),
      ...(matchState === undefined ? {} : { matchState: matchState as TicketMatchState }),
      ...(assignment === undefined ? {} : { assignment: JSON.parse(assignment) as Assignment }),
      ...(acceptBy === undefined ? {} : { acceptBy: Number(acceptBy) }),
      ...(accepted === undefined ? {} : { accepted: JSON.parse(accepted) as string[] }),
      closed: hash[field.closed] === '1',
    };
  }

  ticketOf(playerId: string): Promise<string | null> {
    return this.redis.get(`${this.root}:player:${playerId}`);
  }

  async holdsOf(playerIds: readonly string[]): Promise<Hold[]> {
    const flat = await scripts.holdsOf(this.run, { players: playerIds });
    return rowsOf(flat, 'playerId', 'ticketId', 'blamed').map(({ playerId, ticketId, blamed }) => ({
      playerId,
      ticketId: ticketId === '' ? null : ticketId,
      blamed: blamed === '1',
    }));
  }

  async eventsAfter(ticketId: string, afterSeq: number): Promise<TicketEvent[]> {
    const texts = await scripts.eventsAfter(this.run, { ticketId, after: afterSeq });
    return texts.map((text) => JSON.parse(text) as TicketEvent);
  }

  async waiting(queue: string, limit: number): Promise<string[]> {
    // Below 0 an index counts from the end.
    if (limit < 1) return [];
    return this.redis.zrange(`${this.root}:waiting:${queue}`, 0, String(limit - 1));
  }

  /** How much waits, at a cost that does not depend on it. */
  async waitingDepth(queue: string): Promise<WaitingDepth> {
    const [count = '0', fixed] = await scripts.waitingDepth(this.run, { queue });
    return {
      waiting: Number(count),
      oldestAt: fixed === undefined ? null : readTicket('', fixed).enqueuedAt,
    };
  }

  /** How many tickets of a queue were accepted, and how many ended in each state, since Redis began to count. */
  async counts(queue: string): Promise<TicketCount[]> {
    const counts = await this.redis.hmget(`${this.root}:counts:${queue}`, ...countedTickets);
    // Zeros, too: a first event is an increase for those who compare.
    return countedTickets.map((what, i) => ({ what, count: Number(counts[i] ?? 0) }));
  }

  async poolChanges(queue: string, after: number, limit: number): Promise<PoolChanges> {
    const [newest, whole, ...flat] = await scripts.poolChanges(this.run, { queue, after, limit });
    const changes = rowsOf(flat, 'kind', 'id', 'text').map(({ kind, id, text }) =>
      kind === 'joined' ? { joined: readTicket(id, text) } : { left: id, claimed: kind === 'claimed' },
    );
    return { changes, newest: Number(newest), lost: whole !== 'whole' };
  }

  async scanPool(
    queue: string,
    cursor: string,
    count: number,
  ): Promise<{ cursor: string; tickets: Ticket[] }> {
    const [next = '0', ...flat] = await scripts.poolScan(this.run, { queue, cursor, count });
    return { cursor: next, tickets: readTickets(flat) };
  }

  async recorded(
    queue: string,
    since: number,
    cursor: string,
    count: number,
  ): Promise<{ cursor: string; tickets: RecordedTicket[] }> {
    const [next = '0', ...flat] = await scripts.recorded(this.run, { queue, since, cursor, count });
    const tickets = rowsOf(flat, 'id', 'text', 'leaving').map(({ id, text, leaving }) =>
      recordOf(readTicket(id, text), leaving === '' ? null : (JSON.parse(leaving) as TicketEvent)),
    );
    return { cursor: next, tickets };
  }

  async tickets(ticketIds: readonly string[]): Promise<Ticket[]> {
    const found: Ticket[] = [];
    // A script blocks the server, so tickets are read in chunks.
    for (let from = 0; from < ticketIds.length; from += readAtOnce) {
      const some = ticketIds.slice(from, from + readAtOnce);
      found.push(...readTickets(await scripts.readTickets(this.run, { ticketIds: some })));
    }
    return found;
  }
}
