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
 * 1. Look at the memory. Another server than before, or none of what was noted there, is a loss: no ticket is created
 *    until the tickets of running matches are restored. Pools and clients that follow tickets read again.
 * 2. One replica restores, page by page, and allows new tickets.
 * 3. Compare again from the beginning, until a pass has begun so late that matches which were being formed are decided.
 *    After that, compare a page now and then: for a loss that nobody noticed.
 */
export class WatchMemory {
  private known: Memory | null = null;
  private hasBeenWhole = false;
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

  /** Rejects until tickets were whole once. */
  async ready(): Promise<void> {
    if (!this.hasBeenWhole) throw new Error('the tickets of running matches are not known yet');
  }

  /** Looks, and restores if nobody else does. */
  async look(): Promise<void> {
    const seen = await this.memory.look(this.name, leaseMs);
    const before = this.known;
    this.known = seen;
    if (before && before.loss !== seen.loss) {
      this.log.warn({ run: seen.run, before: before.run }, 'Redis may have lost memory');
      this.onLoss();
    }
    if (seen.state === 'claimed' && (await this.restoreAll(seen))) this.hasBeenWhole = true;
    if (seen.state === 'whole') this.hasBeenWhole = true;
  }

  /** Compares a page. @returns whether more of this pass is due now */
  async compare(): Promise<boolean> {
    if (this.known?.state === 'broken' || !this.known) return false;
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

  /** @returns whether new tickets are allowed */
  private async restoreAll(seen: Memory): Promise<boolean> {
    let total = 0;
    for (let after: string | null = ''; after !== null;) {
      const { last, restored } = await this.tickets.restore(after);
      total += restored;
      after = last;
      const now = await this.memory.look(this.name, leaseMs);
      if (now.state !== 'claimed' || now.loss !== seen.loss) return false;
    }
    const queues = this.queues.all.map(({ name }) => name);
    const isWhole = await this.memory.remember(seen, queues);
    if (isWhole) this.log.info({ restored: total }, 'the tickets of running matches are known');
    return isWhole;
  }
}
