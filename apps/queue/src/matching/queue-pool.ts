import type { Clock, PoolChange, QueueRules, Ticket, TicketStore } from '@muster/domain';
import {
  estimateWait,
  WaitingPool,
  type PastWait,
  type SoughtSeat,
  type Tick,
  type TicketFacts,
  type WaitEstimate,
  type WhyWaiting,
} from '@muster/matchmaking';

/** The versions of a queue's rules, as this process knows them. */
export interface RuleVersions {
  /** The newest version's number. */
  versionOf(queue: string): number;
  /** Undefined for one that is not known here yet. */
  version(queue: string, version: number): QueueRules | undefined;
  /** The version that holds for a ticket that was told another. */
  effectiveVersion(queue: string, toldVersion: number | undefined): number;
}

/** Changes read at once, and tickets a page when the pool is read anew. */
const changesAtOnce = 2_000;
const page = 500;
/** Past waits that estimates are made of. */
const remembered = 4_000;
/** Units of skill that make a ticket as different as another region does. */
const skillScale = 8;

/**
 * The waiting tickets of one queue in this process, kept in step with the store by its numbered changes. Every replica keeps one:
 * whichever holds the lease forms matches of it, all of them can say why a ticket waits and for how long, and the next holder
 * need not read a hundred thousand tickets first.
 */
export class QueuePool {
  private pool: WaitingPool | null = null;
  /** The number of the last change that is in the pool. */
  private after = 0;
  private newest = 0;
  /** Tickets that were told rules of which this process has not heard yet. */
  private strangers = new Map<string, Ticket>();
  private past: PastWait[] = [];
  private following: Promise<void> | null = null;

  constructor(
    private readonly queue: string,
    private readonly rules: RuleVersions,
    private readonly store: TicketStore,
    private readonly clock: Clock,
  ) {}

  get size(): number {
    return (this.pool?.size ?? 0) + this.strangers.size;
  }

  /** Brings the pool up to what the store says now; reads it anew when changes were lost. Calls at once share one run. */
  follow(): Promise<void> {
    this.following ??= this.catchUp().finally(() => (this.following = null));
    return this.following;
  }

  /** Forgets everything; the next `follow` reads the pool anew. */
  forget(): void {
    this.pool = null;
    this.strangers.clear();
  }

  tick(now: number): Tick {
    return this.pool?.tick(now) ?? { proposals: [], held: 0, work: { steps: 0, splits: 0, finished: true } };
  }

  /** Waiting tickets that may fit a seat, the nearest to its level first; see `WaitingPool.nearest`. */
  nearest(seat: SoughtSeat, limit: number, now: number): string[] {
    return this.pool?.nearest(seat, limit, now) ?? [];
  }

  /**
   * A ticket is gone, as far as this process knows: its change comes later, and finds it here no more.
   *
   * @param matched whether it was claimed or not; absent when that is not known here
   */
  remove(ticketId: string, matched?: boolean): void {
    const about = matched === undefined ? undefined : this.pool?.about(ticketId);
    if (about) this.remember(about, matched === true);
    this.pool?.remove(ticketId);
  }

  /** Why a ticket waits, and how long others like it did; undefined when it is not in the pool. */
  explain(ticketId: string, now: number): { why: WhyWaiting; estimate: WaitEstimate | null } | undefined {
    const about = this.pool?.about(ticketId);
    const why = about && this.pool?.explain(ticketId, now);
    if (!about || !why) return undefined;
    const waitedMs = Math.max(0, now - about.enqueuedAt);
    return { why, estimate: estimateWait(this.past, about, waitedMs, skillScale) };
  }

  private async catchUp(): Promise<void> {
    this.takeInNewRules();
    if (!this.pool) await this.readAnew();
    for (;;) {
      const { changes, newest, lost } = await this.store.poolChanges(this.queue, this.after, changesAtOnce);
      if (lost) {
        await this.readAnew();
        continue;
      }
      for (const change of changes) this.apply(change);
      this.after += changes.length;
      if (this.after >= newest) return;
    }
  }

  /**
   * Reads the whole pool, page by page. What changes meanwhile comes after: the number of the last change is read first, and to
   * take in or let go of a ticket twice is the same as once.
   */
  private async readAnew(): Promise<void> {
    const { newest } = await this.store.poolChanges(this.queue, 0, 1);
    this.newest = this.rules.versionOf(this.queue);
    const known = Array.from({ length: this.newest }, (_, i) => i + 1).flatMap((version) => {
      const rules = this.rules.version(this.queue, version);
      return rules ? [[version, rules] as const] : [];
    });
    const pool = new WaitingPool(new Map(known));
    this.strangers.clear();
    let cursor = '0';
    do {
      const read = await this.store.scanPool(this.queue, cursor, page);
      for (const ticket of read.tickets) this.takeIn(pool, ticket);
      cursor = read.cursor;
    } while (cursor !== '0');
    this.pool = pool;
    this.after = newest;
  }

  private apply(change: PoolChange): void {
    const { pool } = this;
    if (!pool) return;
    if (change.joined) return this.takeIn(pool, change.joined);
    const about = pool.about(change.left);
    this.strangers.delete(change.left);
    pool.remove(change.left);
    if (about) this.remember(about, change.claimed);
  }

  private remember({ skill, players, region, enqueuedAt }: TicketFacts, matched: boolean): void {
    // As of when the change is read, which is a tick late at the most.
    const waitedMs = Math.max(0, this.clock.now() - enqueuedAt);
    this.past.push({ skill, players, region, waitedMs, matched });
    if (this.past.length > 2 * remembered) this.past = this.past.slice(-remembered);
  }

  private takeIn(pool: WaitingPool, ticket: Ticket): void {
    const rulesVersion = this.rules.effectiveVersion(this.queue, ticket.rulesVersion);
    if (rulesVersion > this.newest) this.strangers.set(ticket.ticketId, ticket);
    else pool.add({ ...ticket, rulesVersion });
  }

  /** Rules may have changed: newcomers follow the new ones; when they are for all, all are taken in anew. */
  private takeInNewRules(): void {
    const newest = this.rules.versionOf(this.queue);
    if (!this.pool || newest === this.newest) return;
    for (let version = this.newest + 1; version <= newest; version++) {
      const rules = this.rules.version(this.queue, version);
      if (rules) this.pool.useRules(version, rules);
    }
    const forAll = this.rules.effectiveVersion(this.queue, 1);
    if (forAll > this.newest) return this.forget();
    this.newest = newest;
    const waiting = [...this.strangers.values()];
    this.strangers.clear();
    for (const ticket of waiting) this.takeIn(this.pool, ticket);
  }
}
