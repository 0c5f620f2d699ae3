import { skillOf, type Clock, type PoolChange, type Ticket, type TicketStore } from '@muster/domain';
import {
  estimateWait,
  WaitingPool,
  type BindingRule,
  type PastWait,
  type SeatRequest,
  type Tick,
  type TicketFacts,
  type WaitEstimate,
  type WhyWaiting,
} from '@muster/matchmaking';
import type { Queues } from '../rules/queues.js';

/** The versions of a queue's rules that this process knows. */
export type KnownRules = Pick<Queues, 'versionOf' | 'version' | 'effectiveVersion'>;

/** Changes read at once, and tickets per page when the whole pool is read. */
const changesAtOnce = 2_000;
const page = 500;
/** Number of past waits that estimates use. */
const remembered = 4_000;
/** Difference in skill that weighs as much as a different region. */
const skillScale = 8;

/**
 * The waiting tickets of one queue in this process, synchronised with the store by numbered changes. Every replica keeps a
 * copy: the lease holder forms matches of it, each replica can explain and estimate waiting times, and the next holder need
 * not read a hundred thousand tickets first.
 */
export class QueuePool {
  private pool: WaitingPool | null = null;
  /** The number of the last change that is in the pool. */
  private after = 0;
  private newest = 0;
  /** Tickets whose rules version this process does not know yet. */
  private unknownRules = new Map<string, Ticket>();
  private past: PastWait[] = [];
  private following: Promise<void> | null = null;

  constructor(
    private readonly queue: string,
    private readonly rules: KnownRules,
    private readonly store: TicketStore,
    private readonly clock: Clock,
  ) {}

  get size(): number {
    return (this.pool?.size ?? 0) + this.unknownRules.size;
  }

  /** Synchronises the pool with the store; reads all of it when changes were lost. Concurrent calls share one run. */
  follow(): Promise<void> {
    this.following ??= this.applyChanges().finally(() => (this.following = null));
    return this.following;
  }

  /** Clears the pool; the next `follow` reads all of it. */
  forget(): void {
    this.pool = null;
    this.unknownRules.clear();
  }

  tick(now: number): Tick {
    return this.pool?.tick(now) ?? { proposals: [], held: 0, work: { steps: 0, splits: 0, finished: true } };
  }

  /** Returns waiting tickets that may fit a seat, nearest level first; see `WaitingPool.nearest`. */
  nearest(seat: SeatRequest, limit: number, now: number): string[] {
    return this.pool?.nearest(seat, limit, now) ?? [];
  }

  /**
   * Removes a ticket that this process knows to be gone; its change follows later and has no effect.
   *
   * @param matched whether it was claimed; absent when unknown
   */
  remove(ticketId: string, matched?: boolean): void {
    const about = matched === undefined ? undefined : this.pool?.about(ticketId);
    if (about) this.remember(about, matched === true);
    this.pool?.remove(ticketId);
  }

  /** Whether a ticket has the skill with which this process would match it; so has one that is not in the pool. */
  hasLevelOf(ticket: Ticket): boolean {
    const about = this.pool?.about(ticket.ticketId);
    return about === undefined || about.skill === skillOf(ticket);
  }

  /** Why a ticket waits, and how long similar ones waited; undefined when it is not in the pool. */
  explain(ticketId: string, now: number): { why: WhyWaiting; estimate: WaitEstimate | null } | undefined {
    const about = this.pool?.about(ticketId);
    const why = about && this.pool?.explain(ticketId, now);
    if (!about || !why) return undefined;
    const waitedMs = Math.max(0, now - about.enqueuedAt);
    return { why, estimate: estimateWait(this.past, about, waitedMs, skillScale) };
  }

  /** Some waiting tickets, evenly spread over the pool. */
  sample(most: number): string[] {
    return this.pool?.sample(most) ?? [];
  }

  /** The rule that keeps a ticket waiting; undefined when it is not in the pool. */
  bindingRule(ticketId: string, now: number): BindingRule | undefined {
    return this.pool?.explain(ticketId, now)?.rule;
  }

  private async applyChanges(): Promise<void> {
    this.applyNewRules();
    if (!this.pool) await this.readAll();
    for (;;) {
      const { changes, newest, lost } = await this.store.poolChanges(this.queue, this.after, changesAtOnce);
      if (lost) {
        await this.readAll();
        continue;
      }
      for (const change of changes) this.apply(change);
      this.after += changes.length;
      if (this.after >= newest) return;
    }
  }

  /**
   * Reads the whole pool, page by page. The number of the last change is read first, so later changes are applied
   * afterwards; adding or removing a ticket twice has the same effect as once.
   */
  private async readAll(): Promise<void> {
    const { newest } = await this.store.poolChanges(this.queue, 0, 1);
    this.newest = this.rules.versionOf(this.queue);
    const known = Array.from({ length: this.newest }, (_, i) => i + 1).flatMap((version) => {
      const rules = this.rules.version(this.queue, version);
      return rules ? [[version, rules] as const] : [];
    });
    const pool = new WaitingPool(new Map(known));
    this.unknownRules.clear();
    let cursor = '0';
    do {
      const read = await this.store.scanPool(this.queue, cursor, page);
      for (const ticket of read.tickets) this.admit(pool, ticket);
      cursor = read.cursor;
    } while (cursor !== '0');
    this.pool = pool;
    this.after = newest;
  }

  private apply(change: PoolChange): void {
    const { pool } = this;
    if (!pool) return;
    if (change.joined) {
      // A ticket that is known has new levels.
      pool.remove(change.joined.ticketId);
      return this.admit(pool, change.joined);
    }
    const about = pool.about(change.left);
    this.unknownRules.delete(change.left);
    pool.remove(change.left);
    if (about) this.remember(about, change.claimed);
  }

  private remember({ skill, players, region, enqueuedAt }: TicketFacts, matched: boolean): void {
    // The time at which the change is read: at most one tick late.
    const waitedMs = Math.max(0, this.clock.now() - enqueuedAt);
    this.past.push({ skill, players, region, waitedMs, matched });
    if (this.past.length > 2 * remembered) this.past = this.past.slice(-remembered);
  }

  private admit(pool: WaitingPool, ticket: Ticket): void {
    const rulesVersion = this.rules.effectiveVersion(this.queue, ticket.rulesVersion);
    if (rulesVersion > this.newest) this.unknownRules.set(ticket.ticketId, ticket);
    else pool.add({ ...ticket, rulesVersion });
  }

  /**
   * Applies changed rules: newcomers follow the new version; when it applies to waiting tickets, all are evaluated again.
   */
  private applyNewRules(): void {
    const newest = this.rules.versionOf(this.queue);
    if (!this.pool || newest === this.newest) return;
    for (let version = this.newest + 1; version <= newest; version++) {
      const rules = this.rules.version(this.queue, version);
      if (rules) this.pool.useRules(version, rules);
    }
    const forAll = this.rules.effectiveVersion(this.queue, 1);
    if (forAll > this.newest) return this.forget();
    this.newest = newest;
    const waiting = [...this.unknownRules.values()];
    this.unknownRules.clear();
    for (const ticket of waiting) this.admit(this.pool, ticket);
  }
}

/** The pools of this process by queue; a pool is created on first use. */
export class QueuePools {
  private readonly byQueue = new Map<string, QueuePool>();

  constructor(private readonly open: (queue: string) => QueuePool) {}

  of(queue: string): QueuePool {
    let pool = this.byQueue.get(queue);
    if (!pool) this.byQueue.set(queue, (pool = this.open(queue)));
    return pool;
  }

  /** Every pool is read as a whole at its next use. */
  forget(): void {
    for (const pool of this.byQueue.values()) pool.forget();
  }
}
