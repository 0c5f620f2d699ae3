import type { Outbox } from '@muster/domain';
import type { JobItem } from './job-items.js';
import type { JobSender } from './job-sender.js';
import type { Log } from './logging.js';
import { repeat, type Running } from './loop.js';

/** Entries relayed in one turn. */
const entriesAtOnce = 200;

/** The time in which an {@link EntryRate} forgets most of what it counted. */
const rateMs = 1_000;

/** How many entries were relayed a second lately. */
export interface EntryRate {
  readonly perSecond: number;
  /** Monotonic. */
  readonly atMs: number;
}

/** Counts `entries` at `nowMs`; earlier ones count less the longer they are ago. */
export function countEntries(rate: EntryRate, entries: number, nowMs: number): EntryRate {
  const kept = Math.exp(-(nowMs - rate.atMs) / rateMs);
  return { perSecond: rate.perSecond * kept + (entries * 1_000) / rateMs, atMs: nowMs };
}

const shortestMs = 3;
const longestMs = 25;
/** The rate from which the wait grows, and that at which it is longest. */
const [quiet, busy] = [50, 300];

/**
 * The time for which a turn waits, so that entries written meanwhile share its jobs: short while little happens, because
 * then it is only latency.
 */
export function gatherMs(perSecond: number): number {
  const load = Math.min(1, Math.max(0, (perSecond - quiet) / (busy - quiet)));
  return Math.round(shortestMs + load * (longestMs - shortestMs));
}

/** Relays the jobs that commits wrote to the outbox: immediately on a kick, and at intervals. */
export class OutboxRelay {
  private running: Running | null = null;
  private rate: EntryRate = { perSecond: 0, atMs: performance.now() };
  /** Whether the last turn left entries: the next one does not wait for more. */
  private isBehind = false;
  /** Whether entries were written since the last turn, as far as this process knows. */
  private isKicked = false;
  /** Whether a turn waits for more entries: it sends those written meanwhile, so a kick starts no other. */
  private isGathering = false;

  /** @param owner the owner of the jobs; a service that writes none has no relay */
  constructor(
    private readonly owner: string | null,
    private readonly outbox: Outbox,
    private readonly sender: Pick<JobSender, 'send'>,
    private readonly log: Log,
  ) {}

  start(): void {
    const { owner } = this;
    if (owner !== null) this.running = repeat(`outbox of ${owner}`, 500, () => this.relay(owner), this.log);
  }

  readonly kick = (): void => {
    this.isKicked = true;
    if (!this.isGathering) this.running?.kick();
  };

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  /** @returns whether more entries may be due */
  private async relay(owner: string): Promise<boolean> {
    // A turn at an interval finds what another process left. There is rarely anything, and a look costs less.
    if (!this.isKicked && !this.isBehind && (await this.outbox.isEmpty(owner))) return false;
    if (!this.isBehind) await this.gather();
    [this.isKicked, this.isBehind] = [false, false];
    const sent = await this.outbox.relay(owner, entriesAtOnce, async (entries) => {
      const byQueue = new Map<string, JobItem[]>();
      for (const entry of entries) {
        const items = byQueue.get(entry.queue) ?? [];
        items.push(entry);
        byQueue.set(entry.queue, items);
      }
      await Promise.all([...byQueue].map(([queue, items]) => this.sender.send(queue, items)));
    });
    this.rate = countEntries(this.rate, sent, performance.now());
    this.isBehind = sent === entriesAtOnce;
    return this.isBehind;
  }

  private async gather(): Promise<void> {
    const { perSecond } = countEntries(this.rate, 0, performance.now());
    this.isGathering = true;
    await new Promise((resolve) => setTimeout(resolve, gatherMs(perSecond)));
    this.isGathering = false;
  }
}
