import type { CommandCursor, NewestCommand } from '@muster/domain';
import { commandsOf, type Notifier } from './notifier.js';

/** The interval at which the database is read for new commands, in case a wake-up is lost. */
const pollMs = 1_000;
/** A server that waits is asked for by itself at every so many polls, so that it learns of another registration. */
const pollsBetweenQuestions = 10;
/** The number of servers of one statement. */
const askedAtOnce = 1_000;

interface Waiting {
  readonly cursor: CommandCursor;
  /** How many polls have passed meanwhile. */
  polls: number;
  wake(): void;
}

/** What the watch asks the store. */
export interface CommandQuestions {
  /** The newest command of each server that was given one lately. */
  newest(): Promise<readonly NewestCommand[]>;
  /** Returns the positions of servers that have a command after their cursor, or another registration. */
  withNews(cursors: readonly CommandCursor[]): Promise<readonly number[]>;
}

/**
 * Waits for commands of servers. One statement an interval looks for new commands of all servers; each server is asked
 * for every tenth time.
 */
export class CommandWatch {
  private readonly waiting = new Set<Waiting>();
  private isPolling = false;

  constructor(
    private readonly notifier: Notifier,
    private readonly store: CommandQuestions,
  ) {}

  /** Resolves when the server may have a command, at the time-out, or when the signal aborts. */
  async wait(cursor: CommandCursor, ms: number, signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const end = (): void => ended.abort();
    const waiting = { cursor, polls: 0, wake: end };
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
    if (all.length === 0) return;
    const due: Waiting[] = [];
    for (const waiting of all) {
      waiting.polls += 1;
      if (waiting.polls % pollsBetweenQuestions === 0) due.push(waiting);
    }
    for (const waiting of await this.withNewest(all)) waiting.wake();
    for (let from = 0; from < due.length; from += askedAtOnce) {
      const news = await this.newsOf(due.slice(from, from + askedAtOnce));
      for (const waiting of news) waiting.wake();
    }
  }

  private async withNewest(all: readonly Waiting[]): Promise<readonly Waiting[]> {
    try {
      const newest = new Map((await this.store.newest()).map(({ serverId, seq }) => [serverId, seq]));
      return all.filter(({ cursor }) => (newest.get(cursor.serverId) ?? 0) > cursor.after);
    } catch {
      // Each reads by itself, and answers with the error.
      return all;
    }
  }

  private async newsOf(asked: readonly Waiting[]): Promise<readonly Waiting[]> {
    try {
      const at = new Set(await this.store.withNews(asked.map(({ cursor }) => cursor)));
      return asked.filter((_, i) => at.has(i));
    } catch {
      return asked;
    }
  }
}
