import type { CommandCursor } from '@muster/domain';
import { commandsOf, type Notifier } from './notifier.js';

/** The interval at which the database is read for all servers that wait, in case a wake-up is lost. */
const pollMs = 1_000;
/** The number of servers of one statement. */
const askedAtOnce = 1_000;

interface Waiting {
  readonly cursor: CommandCursor;
  wake(): void;
}

/** Waits for commands of servers. One statement an interval looks for those of all waiting servers. */
export class CommandWatch {
  private readonly waiting = new Set<Waiting>();
  private isPolling = false;

  constructor(
    private readonly notifier: Notifier,
    /** Returns the positions of servers that have a command after their cursor, or another registration. */
    private readonly withNews: (cursors: readonly CommandCursor[]) => Promise<readonly number[]>,
  ) {}

  /** Resolves when the server may have a command, at the time-out, or when the signal aborts. */
  async wait(cursor: CommandCursor, ms: number, signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const end = (): void => ended.abort();
    const waiting = { cursor, wake: end };
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    this.waiting.add(waiting);
    this.poll();
    try {
      await this.notifier.wait(commandsOf(cursor.serverId), ms, ended.signal);
    } finally {
      this.waiting.delete(waiting);
      signal.removeEventListener('abort', end);
    }
  }

  private poll(): void {
    if (this.isPolling) return;
    this.isPolling = true;
    setTimeout(() => {
      void this.look().finally(() => {
        this.isPolling = false;
        if (this.waiting.size > 0) this.poll();
      });
    }, pollMs).unref();
  }

  private async look(): Promise<void> {
    const all = [...this.waiting];
    for (let from = 0; from < all.length; from += askedAtOnce) {
      const asked = all.slice(from, from + askedAtOnce);
      const news = await this.newsOf(asked);
      for (const waiting of news) waiting.wake();
    }
  }

  private async newsOf(asked: readonly Waiting[]): Promise<readonly Waiting[]> {
    try {
      const at = new Set(await this.withNews(asked.map(({ cursor }) => cursor)));
      return asked.filter((_, i) => at.has(i));
    } catch {
      // Each reads by itself, and answers with the error.
      return asked;
    }
  }
}
