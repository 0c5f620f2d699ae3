import type { QueueRules, RecordedTicket, Ticket } from '@muster/domain';
import { WaitingPool } from '../pool/waiting-pool.js';
import {
  tryResultOf,
  type TryResult,
  type TriedMatch,
  type TriedOutcome,
  type TriedTicket,
} from './try-result.js';

export interface TryOptions {
  /** Between two ticks of the matcher, in milliseconds, above 0. */
  readonly tickMs: number;
  /** Start of the replay; earlier tickets wait by then. Milliseconds since the epoch; the first arrival when absent. */
  readonly from?: number;
  /** End of the replay; later tickets are excluded. Milliseconds since the epoch. */
  readonly until: number;
  /** Called every replayed minute with the progress, 0 to 1. */
  readonly progress?: (done: number) => void;
}

const minuteMs = 60_000;

/**
 * Replays a record under some rules, in virtual time, with the real matcher: tickets arrive as recorded, and cancelled ones
 * leave when they did unless matched sooner. All others stay until they are matched or expire by these rules, including
 * those matched in the record. The order of the records does not matter; a duplicate counts once, with its latest end.
 *
 * A replay cannot know who would have given up after a longer wait, and who would have returned sooner.
 */
export function tryRules(
  recorded: readonly RecordedTicket[],
  rules: QueueRules,
  options: TryOptions,
): TryResult {
  return new Replay(recorded, rules, options).run();
}

/** Each ticket once, in the order of arrival. */
export function inOrder(recorded: readonly RecordedTicket[]): RecordedTicket[] {
  const byId = new Map<string, RecordedTicket>();
  for (const each of recorded) {
    const known = byId.get(each.ticket.ticketId);
    if (!known || (each.leftAt ?? -Infinity) > (known.leftAt ?? -Infinity))
      byId.set(each.ticket.ticketId, each);
  }
  return [...byId.values()].sort(
    ({ ticket: a }, { ticket: b }) => a.enqueuedAt - b.enqueuedAt || (a.ticketId < b.ticketId ? -1 : 1),
  );
}

/** A future ticket, and its latest departure. */
interface Visit {
  readonly ticket: Ticket;
  readonly comesAt: number;
  readonly goesAt: number;
  readonly goes: 'left' | 'expired';
}

class Replay {
  private readonly pool: WaitingPool;
  private readonly visits: readonly Visit[];
  /** The same, earliest departure first. */
  private readonly goings: readonly Visit[];
  private readonly from: number;
  private readonly waiting = new Map<string, Ticket>();
  /** Players of the waiting tickets. */
  private readonly held = new Set<string>();
  private readonly tried: TriedTicket[] = [];
  private readonly matches: TriedMatch[] = [];
  private come = 0;
  private gone = 0;

  constructor(
    recorded: readonly RecordedTicket[],
    private readonly rules: QueueRules,
    private readonly options: TryOptions,
  ) {
    const part = inOrder(recorded).filter(({ ticket }) => ticket.enqueuedAt <= options.until);
    this.from = options.from ?? part[0]?.ticket.enqueuedAt ?? options.until;
    this.pool = new WaitingPool(rules);
    this.visits = part.map((each) => this.visit(each));
    this.goings = this.visits.toSorted((a, b) => a.goesAt - b.goesAt);
  }

  run(): TryResult {
    const { tickMs, until, progress } = this.options;
    let minute = this.from;
    for (let now = this.from; now <= until; now = this.nextTick(now, tickMs)) {
      this.pass(now);
      if (this.waiting.size > 0) this.tick(now);
      if (progress && now >= minute) {
        progress((now - this.from) / Math.max(1, until - this.from));
        minute = now + minuteMs;
      }
    }
    this.pass(until);
    for (const ticket of this.waiting.values()) this.end(ticket, 'waiting', until);
    return tryResultOf(this.tried, this.matches, this.rules.teams);
  }

  private visit({ ticket: recordedTicket, outcome, leftAt }: RecordedTicket): Visit {
    // It gets the tested rules, not its recorded version.
    const { rulesVersion: _, ...rest } = recordedTicket;
    const expiresAt = recordedTicket.enqueuedAt + this.rules.ticketTtlSeconds * 1000;
    const leaves = outcome === 'cancelled' && leftAt !== null && leftAt < expiresAt;
    return {
      ticket: { ...rest, expiresAt },
      comesAt: Math.max(recordedTicket.enqueuedAt, this.from),
      goesAt: leaves ? leftAt : expiresAt,
      goes: leaves ? 'left' : 'expired',
    };
  }

  /** While no ticket waits nothing can be matched: the next tick is then the one after the next arrival. */
  private nextTick(now: number, tickMs: number): number {
    const next = now + tickMs;
    const comesAt = this.visits[this.come]?.comesAt ?? Infinity;
    if (this.waiting.size > 0 || comesAt <= next) return next;
    return comesAt === Infinity ? Infinity : this.from + Math.ceil((comesAt - this.from) / tickMs) * tickMs;
  }

  /**
   * Applies all arrivals and departures up to now, in the order of their times: departures release players for arrivals.
   */
  private pass(now: number): void {
    for (;;) {
      const [comer, goer] = [this.visits[this.come], this.goings[this.gone]];
      const comesAt = comer?.comesAt ?? Infinity;
      const goesAt = goer?.goesAt ?? Infinity;
      if (Math.min(comesAt, goesAt) > now) return;
      if (goer && goesAt <= comesAt) {
        this.gone++;
        if (this.waiting.has(goer.ticket.ticketId)) this.end(goer.ticket, goer.goes, goesAt);
      } else if (comer) {
        this.come++;
        this.arrive(comer);
      }
    }
  }

  private arrive({ ticket, comesAt, goesAt, goes }: Visit): void {
    const { ticketId, players, enqueuedAt } = ticket;
    if (players.length > this.rules.maxPartySize) this.end(ticket, 'refused', enqueuedAt);
    else if (players.some(({ playerId }) => this.held.has(playerId))) this.end(ticket, 'busy', enqueuedAt);
    else if (goesAt <= comesAt) this.end(ticket, goes, goesAt);
    else {
      this.waiting.set(ticketId, ticket);
      for (const { playerId } of players) this.held.add(playerId);
      this.pool.add(ticket);
    }
  }

  private tick(now: number): void {
    for (const { tickets: ticketIds, figures } of this.pool.tick(now).proposals) {
      const { unfairness, spread } = figures;
      this.matches.push({ ticketIds, at: now, unfairness, spread });
      for (const ticketId of ticketIds) {
        const ticket = this.waiting.get(ticketId);
        if (ticket) this.end(ticket, 'matched', now, unfairness);
      }
    }
  }

  private end(ticket: Ticket, outcome: TriedOutcome, at: number, unfairness: number | null = null): void {
    const { ticketId, enqueuedAt, players } = ticket;
    this.tried.push({ ticketId, outcome, waitMs: Math.max(0, at - enqueuedAt), unfairness });
    if (!this.waiting.delete(ticketId)) return;
    for (const { playerId } of players) this.held.delete(playerId);
    this.pool.remove(ticketId);
  }
}
