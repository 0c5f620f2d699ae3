import { processTime, type PostgresOutbox } from '@muster/db';
import { type ElapsedTime, Pace } from '@muster/domain';
import { sendByQueue, type JobSender } from './job-sender.js';
import type { Log } from '../core/logging.js';
import { repeat, type Running } from '../loops/loop.js';
import type { SentJobs } from './sent-jobs.js';

/** Entries relayed in one turn. */
const entriesAtOnce = 200;

/**
 * The minimum time between the beginnings of two turns, in milliseconds: entries written meanwhile share a transaction and
 * its jobs.
 */
const turnMs = 50;

/** Relays the jobs that commits wrote to the outbox: immediately on a kick, and at intervals. */
export class OutboxRelay {
  private running: Running | null = null;
  /** Whether the last turn left entries: the next one does not wait for more. */
  private isBehind = false;
  /** Whether entries were written since the last turn, as far as this process knows. */
  private isKicked = false;
  /** Whether a turn waits for more entries: it sends those written meanwhile, so a kick starts no other. */
  private isGathering = false;
  private readonly pace: Pace;
  private readonly sent: Pick<SentJobs, 'start' | 'stop'> | null;
  private readonly turn: (owner: string) => Promise<number>;

  /**
   * @param owner the owner of the jobs; a service that writes none has no relay
   * @param more `time` passes between turns; `sent` sends jobs again that Redis lost
   */
  constructor(
    private readonly owner: string | null,
    private readonly outbox: Pick<PostgresOutbox, 'relay' | 'isEmpty'>,
    private readonly sender: Pick<JobSender, 'send'>,
    private readonly log: Log,
    more: { readonly time?: ElapsedTime; readonly sent?: Pick<SentJobs, 'start' | 'stop'> } = {},
  ) {
    this.sent = more.sent ?? null;
    this.pace = new Pace(turnMs, more.time ?? processTime);
    this.turn = this.pace.counting((whose: string) => this.send(whose));
  }

  start(): void {
    const { owner } = this;
    if (owner !== null) this.running = repeat(`outbox of ${owner}`, 500, () => this.relay(owner), this.log);
    this.sent?.start();
  }

  readonly kick = (): void => {
    this.isKicked = true;
    if (!this.isGathering) this.running?.kick();
  };

  async stop(): Promise<void> {
    await Promise.all([this.running?.stop(), this.sent?.stop()]);
  }

  /** @returns whether more entries may be due */
  private async relay(owner: string): Promise<boolean> {
    // A turn at an interval finds what another process left. There is rarely anything, and a look costs less.
    if (!this.isKicked && !this.isBehind && (await this.outbox.isEmpty(owner))) return false;
    if (!this.isBehind) await this.gather();
    [this.isKicked, this.isBehind] = [false, false];
    const sent = await this.turn(owner);
    this.isBehind = sent === entriesAtOnce;
    return this.isBehind;
  }

  private async gather(): Promise<void> {
    this.isGathering = true;
    await this.pace.next();
    this.isGathering = false;
  }

  private send(owner: string): Promise<number> {
    return this.outbox.relay(owner, entriesAtOnce, (entries) => sendByQueue(this.sender, entries));
  }
}
