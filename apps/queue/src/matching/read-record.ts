import type { Clock, QueueRules, RecordedTicket, Ticket, TicketStore } from '@muster/domain';
import type { FollowRules } from '../rules/follow-rules.js';
import type { Queues } from '../rules/queues.js';

const hourMs = 3_600_000;
/** A page blocks the store for some milliseconds. */
const keysAtOnce = 1_000;

/** Metadata of a record. Times in milliseconds since the epoch. */
export interface RecordHeadView {
  readonly queue: string;
  readonly from: number;
  readonly until: number;
  readonly rules: QueueRules & { readonly version: number };
}

/** A ticket and how its waiting ended, as one flat object. */
export type RecordLineView = Omit<Ticket, 'queue' | 'fingerprint' | 'trace'> & Omit<RecordedTicket, 'ticket'>;

/** Returns how the tickets of a queue waited recently, as input for trying rules. */
export class ReadRecord {
  constructor(
    private readonly queues: Queues,
    private readonly follow: FollowRules,
    private readonly store: TicketStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the head of a record, and its tickets page by page, unordered; a ticket may occur twice.
   *
   * @param hours how far back @throws QueueNotFound with the known names
   */
  async open(
    queue: string,
    hours: number,
  ): Promise<{ readonly head: RecordHeadView; readonly pages: AsyncIterable<RecordLineView[]> }> {
    await this.follow.refresh();
    const until = this.clock.now();
    const from = Math.round(until - hours * hourMs);
    const rules = { ...this.queues.named(queue), version: this.queues.versionOf(queue) };
    return { head: { queue, from, until, rules }, pages: this.pages(queue, from) };
  }

  private async *pages(queue: string, from: number): AsyncGenerator<RecordLineView[]> {
    let cursor = '0';
    do {
      const page = await this.store.recorded(queue, from, cursor, keysAtOnce);
      if (page.tickets.length > 0) yield page.tickets.map(lineOf);
      cursor = page.cursor;
    } while (cursor !== '0');
  }
}

function lineOf({ ticket, ...how }: RecordedTicket): RecordLineView {
  const { queue: _, fingerprint: __, attributes: ___, trace: ____, ...waited } = ticket;
  return { ...waited, ...how };
}
