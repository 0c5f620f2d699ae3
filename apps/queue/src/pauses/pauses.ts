import {
  InMaintenance,
  isInForce,
  message,
  QueuePaused,
  retryAfterOf,
  TimePast,
  type Clock,
  type Pause,
  type TicketStore,
} from '@muster/domain';
import type { PostgresPauses } from './pause.store.js';

/** What an operator says about a pause. */
export type PauseRequest = Pick<Pause, 'message' | 'waiting'> & {
  readonly startsAt?: number | undefined;
  readonly until?: number | undefined;
};

/** Tickets of a queue that are returned in one step. */
const returnedAtOnce = 500;

/**
 * The pauses that operators put in force. Every replica reads them each second, so one is in force everywhere within about a
 * second; a refusal is read again first, so a resumed queue refuses nobody.
 */
export class Pauses {
  private known: readonly Pause[] = [];
  private running: Promise<void> | null = null;

  constructor(
    private readonly store: Pick<PostgresPauses, 'all' | 'put' | 'end'>,
    private readonly tickets: Pick<TicketStore, 'waiting' | 'cancel'>,
    private readonly queues: { readonly all: readonly { readonly name: string }[] },
    private readonly clock: Clock,
  ) {}

  /** Reads the pauses anew. Concurrent calls share a statement. */
  refresh(): Promise<void> {
    this.running ??= this.store
      .all()
      .then((all) => void (this.known = all))
      .finally(() => (this.running = null));
    return this.running;
  }

  /** The pause of a queue that is in force: that of the realm, or its own. */
  inForce(queue: string): Pause | null {
    const now = this.clock.now();
    const holds = this.known.filter((pause) => isInForce(pause, now));
    return (
      holds.find((pause) => pause.queue === null) ?? holds.find((pause) => pause.queue === queue) ?? null
    );
  }

  /** The pause of all queues, announced or in force; null: none. */
  get maintenance(): Pause | null {
    const now = this.clock.now();
    const ofRealm = this.known.find(({ queue }) => queue === null);
    return ofRealm && (ofRealm.until === null || ofRealm.until > now) ? ofRealm : null;
  }

  /** @throws QueuePaused, InMaintenance with the message of the operator, and when another try makes sense */
  async check(queue: string): Promise<void> {
    if (!this.inForce(queue)) return;
    await this.reread();
    const pause = this.inForce(queue);
    if (!pause) return;
    const { message: detail, until } = pause;
    const facts = { queue, message: detail, until, retryAfterSeconds: retryAfterOf(pause, this.clock.now()) };
    throw pause.queue === null
      ? new InMaintenance(`There is maintenance: ${detail}`, facts)
      : new QueuePaused(`The queue "${queue}" is paused: ${detail}`, facts);
  }

  /**
   * Pauses a queue, or all of them. It replaces the pause before; one in force keeps its beginning, so a repeat changes nothing.
   *
   * @param queue null: all queues @throws TimePast when it would end before it begins
   */
  async put(queue: string | null, { startsAt, until, ...said }: PauseRequest): Promise<Pause> {
    await this.reread();
    const now = this.clock.now();
    const before = this.known.find((known) => known.queue === queue && isInForce(known, now));
    const begins = startsAt ?? before?.startsAt ?? now;
    const pause: Pause = { queue, ...said, startsAt: begins, until: until ?? null };
    if (pause.until !== null && pause.until <= Math.max(now, pause.startsAt))
      throw new TimePast('`until` must be in the future, and after `startsAt`.', { until, startsAt });
    await this.store.put(pause);
    await this.reread();
    return pause;
  }

  /** Ends a pause, also one that is announced. @returns whether there was one */
  async end(queue: string | null): Promise<boolean> {
    const ended = await this.store.end(queue);
    await this.reread();
    return ended;
  }

  /** Ends the waiting tickets of queues whose pause returns them, as long as it is in force: a late one is found, too. */
  async returnWaiting(): Promise<void> {
    for (const { name } of this.queues.all) {
      const pause = this.inForce(name);
      if (pause?.waiting !== 'returned') continue;
      const reason = [message('ticket.returned-by-pause', { detail: pause.message })];
      for (;;) {
        const ids = await this.tickets.waiting(name, returnedAtOnce);
        await Promise.all(ids.map((id) => this.tickets.cancel(id, reason, this.clock.now())));
        if (ids.length < returnedAtOnce) break;
      }
    }
  }

  /** A read that began earlier may miss the change. */
  private async reread(): Promise<void> {
    await this.running?.catch(() => undefined);
    await this.refresh();
  }
}
