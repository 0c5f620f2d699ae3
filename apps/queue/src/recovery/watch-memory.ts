import type { Clock } from '@muster/domain';
import type { RestoreTickets } from './restore-tickets.js';
import type { Memory, TicketMemory } from './ticket-memory.js';

/** Until another replica restores tickets in place of one that has stopped, in milliseconds. Each page renews it. */
const leaseMs = 15_000;
/** Matches that were being formed during a loss are decided by this time after it, in milliseconds. */
const unsettledMs = 30_000;

/** What this class writes to the log. */
export interface RecoveryLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

/**
 * Notices that Redis lost memory, and has it restored from the matches.
 *
 * 1. Look at the memory. Another server than before, or none of what was noted there, is a loss. Pools and clients that
 *    follow tickets read again.
 * 2. One replica restores the tickets of running matches, page by page. Open ready checks end
 *    without blame. Until then no ticket is created.
 * 3. It releases those of matches that are over, which an older copy brought back. Until then no ticket is matched.
 * 4. Every replica compares again from the beginning, until a pass has begun so late that matches which were being formed
 *    are decided. After that it compares a page now and then, for a loss that nobody noticed.
 */
export class WatchMemory {
  private known: Memory | null = null;
  private hasBeenOpen = false;
  private after = '';
  private cursor = '0';
  private passBegan = -Infinity;
  /** When the last complete pass began. */
  private compared = -Infinity;

  constructor(
    private readonly memory: TicketMemory,
    private readonly tickets: RestoreTickets,
    private readonly queues: { readonly all: readonly { readonly name: string }[] },
    private readonly clock: Clock,
    private readonly name: string,
    private readonly log: RecoveryLog,
    /** Called when events of any ticket may be lost. */
    private readonly onLoss: () => void,
  ) {}

  /** Rejects until tickets could be created once. */
  async ready(): Promise<void> {
    if (!this.hasBeenOpen) throw new Error('the tickets of running matches are not known yet');
  }

  /** Looks, and restores if nobody else does. */
  async look(): Promise<void> {
    const seen = await this.memory.look(this.name, leaseMs);
    const before = this.known;
    this.known = seen;
    if (before && before.loss !== seen.loss) {
      this.log.warn({ loss: seen.loss }, 'Redis may have lost memory');
      this.onLoss();
    }
    this.hasBeenOpen ||= seen.isOpen;
    if (seen.state === 'claimed') await this.restore(seen);
  }

  /** Compares a page. @returns whether more of this pass is due now */
  async compare(): Promise<boolean> {
    if (!this.known?.isOpen) return false;
    const isRecent = this.compared < this.known.lostAt + unsettledMs;
    if (this.after === '' && this.cursor === '0') this.passBegan = this.clock.now();
    const { last, restored } = await this.tickets.restore(this.after);
    this.after = last ?? '';
    if (restored > 0) this.log.warn({ restored }, 'tickets of running matches were missing and are restored');
    if (!isRecent) return false;
    const { cursor, released } = await this.tickets.release(this.cursor);
    this.cursor = cursor;
    if (released > 0)
      this.log.warn({ released }, 'tickets of matches that are over were open and are released');
    if (this.after !== '' || this.cursor !== '0') return true;
    this.compared = this.passBegan;
    return false;
  }

  private async restore({ loss, isOpen }: Memory): Promise<void> {
    const queues = this.queues.all.map(({ name }) => name);
    if (!isOpen) {
      let total = 0;
      for (let after: string | null = ''; after !== null;) {
        const { last, restored } = await this.tickets.restore(after);
        total += restored;
        after = last;
        if (!(await this.holds(loss))) return;
      }
      while (await this.memory.dissolveReadyChecks());
      if (!(await this.memory.remember(loss, 'run', queues))) return;
      this.hasBeenOpen = true;
      this.log.info({ restored: total }, 'the tickets of running matches are known');
    }
    let cursor = '0';
    do {
      ({ cursor } = await this.tickets.release(cursor));
      if (!(await this.holds(loss))) return;
    } while (cursor !== '0');
    await this.memory.remember(loss, 'matching', queues);
  }

  /** Renews the claim. @returns false when memory was lost again, or another replica restores it */
  private async holds(loss: string): Promise<boolean> {
    const now = await this.memory.look(this.name, leaseMs);
    return now.state === 'claimed' && now.loss === loss;
  }
}
