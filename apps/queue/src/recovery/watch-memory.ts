import type { Clock, Ids } from '@muster/domain';
import type { RedisTicketFeed } from '../core/ticket-feed.store.js';
import type { Memory, RedisTicketMemory, Restored } from '../core/ticket-memory.store.js';
import type { QueuePools } from '../matching/queue-pool.js';
import type { Queues } from '../rules/queues.js';
import type { DatabaseIdentity } from './database-identity.store.js';
import type { RestoreTickets } from './restore-tickets.js';

/** Until another replica restores tickets in place of one that has stopped, in milliseconds. Each page renews it. */
const leaseMs = 15_000;
/** A replica that could not restore leaves it to others for this time, in milliseconds. */
const leaveMs = 2_000;
/** Matches that were being formed during a loss are decided by this time after it, in milliseconds. */
const unsettledMs = 30_000;
/** Matches that were formed this long before a loss was noticed may have lost what followed, in milliseconds. */
const recentMs = 60_000;
/** A process that starts long after a loss takes matches of this time for recent, in milliseconds. */
const longMs = 600_000;

/**
 * What a page was compared for, and whether the pass goes on: `recent` and `all` after a loss, with more to compare at once;
 * null when the next page has time.
 */
export type Compared = 'recent' | 'all' | null;

/** What {@link WatchMemory} works with. */
export interface WatchMemoryDependencies {
  readonly memory: Pick<RedisTicketMemory, 'look' | 'remember' | 'dissolveReadyChecks'>;
  readonly tickets: Pick<RestoreTickets, 'restoreAll' | 'restore' | 'release'>;
  readonly queues: Pick<Queues, 'all'>;
  /** Both read again after a loss: events of any ticket may be lost. */
  readonly pools: Pick<QueuePools, 'forget'>;
  readonly feed: Pick<RedisTicketFeed, 'tellGap'>;
  readonly database: Pick<DatabaseIdentity, 'read'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'make'>;
  readonly log: Record<'info' | 'warn', (facts: object, text: string) => void>;
}

/**
 * Notices that Redis lost memory, and has it restored from the matches.
 *
 * 1. Look at the memory. Another server than before, or none of what was noted there, is a loss, and so is another database. Pools and clients that
 *    follow tickets read again.
 * 2. One replica restores the tickets of running matches, page by page. Open ready checks end
 *    without blame. Until then no ticket is created.
 * 3. It releases those of matches that are over, which an older copy brought back. Until then no ticket is matched.
 * 4. Every replica compares the matches that were formed around the loss, until a pass has begun so late that those which were
 *    being formed are decided. Then it compares all once more, at leisure. After that it compares a page now and then, for
 *    a loss that nobody noticed.
 */
export class WatchMemory {
  private known: Memory | null = null;
  private hasBeenOpen = false;
  /** Where the pass goes on: the last match, and the place among open tickets. null: that half is done. */
  private after: string | null = '';
  private cursor: string | null = '0';
  private recentAfter = '';
  /** Matches that ran when this pass read them. */
  private running = new Set<string>();
  private passBegan = -Infinity;
  /** When the last complete pass over recent matches began, and over all. */
  private comparedRecent = -Infinity;
  private compared = -Infinity;
  /** Until then another replica may restore: this one could not. */
  private leavesUntil = -Infinity;

  /** Tells this replica from the others. */
  private readonly name: string;

  constructor(private readonly deps: WatchMemoryDependencies) {
    this.name = deps.ids.make('watch');
  }

  /** Rejects until tickets could be created once. */
  async ready(): Promise<void> {
    if (!this.hasBeenOpen) throw new Error('the tickets of running matches are not known yet');
  }

  /** Looks, and restores if nobody else does. */
  async look(): Promise<void> {
    const claimant = this.deps.clock.now() < this.leavesUntil ? null : this.name;
    const seen = await this.deps.memory.look(claimant, leaseMs, await this.deps.database.read());
    const before = this.known;
    this.known = seen;
    if (seen.isOtherDatabase)
      this.deps.log.warn(
        { loss: seen.loss },
        'The database is another one than before: tickets of matches that it does not have are ended',
      );
    if (before && before.loss !== seen.loss) {
      this.deps.log.warn({ loss: seen.loss }, 'Redis or the database may have lost memory');
      this.deps.pools.forget();
      this.deps.feed.tellGap();
    }
    this.hasBeenOpen ||= seen.isOpen;
    if (seen.state === 'claimed') await this.restore(seen).catch((error: unknown) => this.leave(error));
  }

  /** Compares a page. */
  async compare(): Promise<Compared> {
    if (!this.known?.isOpen) return null;
    const { lostAt } = this.known;
    const settled = lostAt + unsettledMs;
    if (this.comparedRecent < settled)
      return this.compareRecent(Math.max(lostAt, this.deps.clock.now() - longMs) - recentMs);
    if (this.compared < settled) return this.compareAll();
    // Nothing is lost, as far as is known: tickets that are merely behind their match are about to be told.
    this.after = await this.compareMatches(this.after ?? '', 'missing');
    this.after ??= '';
    return null;
  }

  private async compareRecent(formedSince: number): Promise<Compared> {
    if (this.recentAfter === '') this.passBegan = this.deps.clock.now();
    const last = await this.compareMatches(this.recentAfter, 'all', formedSince);
    this.recentAfter = last ?? '';
    if (last !== null) return 'recent';
    this.comparedRecent = this.passBegan;
    [this.after, this.cursor] = ['', '0'];
    return null;
  }

  private async compareAll(): Promise<Compared> {
    if (this.after === '') this.running.clear();
    if (this.after === '' && this.cursor === '0') this.passBegan = this.deps.clock.now();
    if (this.after !== null) this.after = await this.compareMatches(this.after, 'all');
    else if (this.cursor !== null) await this.compareTickets(this.cursor);
    if (this.after !== null || this.cursor !== null) return 'all';
    this.compared = this.passBegan;
    [this.after, this.cursor] = ['', '0'];
    return null;
  }

  /** @returns the last match of the page; null at the end */
  private async compareMatches(after: string, which: Restored, formedSince = 0): Promise<string | null> {
    const { last, matchIds, restored } = await this.deps.tickets.restore(after, which, formedSince);
    if (which === 'all') for (const matchId of matchIds) this.running.add(matchId);
    if (restored > 0)
      this.deps.log.warn({ restored }, 'tickets of running matches were missing and are restored');
    return last;
  }

  private async compareTickets(from: string): Promise<void> {
    const { cursor, released } = await this.deps.tickets.release(from, this.running);
    this.cursor = cursor === '0' ? null : cursor;
    if (released > 0)
      this.deps.log.warn({ released }, 'tickets of matches that are over were open and are released');
  }

  /** Gives the claim up: another replica may reach what this one does not. */
  private async leave(error: unknown): Promise<never> {
    this.leavesUntil = this.deps.clock.now() + leaveMs;
    await this.deps.memory.look(this.name, 0);
    throw error;
  }

  private async restore({ loss, isOpen }: Memory): Promise<void> {
    const queues = this.deps.queues.all.map(({ name }) => name);
    let running: ReadonlySet<string> = new Set();
    if (!isOpen) {
      const known = await this.deps.tickets.restoreAll(() => this.holds(loss));
      if (!known) return;
      ({ running } = known);
      while (await this.deps.memory.dissolveReadyChecks());
      if (!(await this.deps.memory.remember(loss, 'run', queues))) return;
      this.hasBeenOpen = true;
      this.deps.log.info({ restored: known.restored }, 'the tickets of running matches are known');
    }
    let cursor = '0';
    do {
      ({ cursor } = await this.deps.tickets.release(cursor, running));
      if (!(await this.holds(loss))) return;
    } while (cursor !== '0');
    await this.deps.memory.remember(loss, 'matching', queues);
  }

  /** Renews the claim. @returns false when memory was lost again, or another replica restores it */
  private async holds(loss: string): Promise<boolean> {
    const now = await this.deps.memory.look(this.name, leaseMs);
    return now.state === 'claimed' && now.loss === loss;
  }
}
