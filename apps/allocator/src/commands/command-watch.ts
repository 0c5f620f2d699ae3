import type { Clock, ServerIdentity } from '@muster/domain';
import { commandsOf, type Notifier } from '../watch/wake-ups.js';
import type { PostgresCommandStore } from './commands.store.js';

/** The interval at which the database is read for new commands, in case a wake-up is lost. */
const pollMs = 1_000;
/** A server that waits is asked for by itself at every so many polls, so that it learns of another registration. */
const pollsBetweenQuestions = 10;
/** The number of servers of one statement. */
const askedAtOnce = 1_000;
/** Commands younger than this are new: longer than a commit takes, and than clocks may differ. */
const givenLatelyMs = 10_000;

/** A server that waits for the commands after the last one that it received. */
export interface CommandCursor extends ServerIdentity {
  readonly after: number;
}

/** The newest pending command of a server. */
export interface NewestCommand {
  readonly serverId: string;
  readonly seq: number;
}

interface Waiting {
  readonly cursor: CommandCursor;
  /** How many polls have passed meanwhile. */
  polls: number;
  wake(): void;
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
    private readonly store: Pick<PostgresCommandStore, 'newestCommands' | 'withCommands'>,
    private readonly clock: Clock,
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
      const newest = new Map(
        (await this.store.newestCommands(this.clock.now() - givenLatelyMs)).map(({ serverId, seq }) => [
          serverId,
          seq,
        ]),
      );
      return all.filter(({ cursor }) => (newest.get(cursor.serverId) ?? 0) > cursor.after);
    } catch {
      // Each reads by itself, and answers with the error.
      return all;
    }
  }

  private async newsOf(asked: readonly Waiting[]): Promise<readonly Waiting[]> {
    try {
      const at = new Set(await this.store.withCommands(asked.map(({ cursor }) => cursor)));
      return asked.filter((_, i) => at.has(i));
    } catch {
      return asked;
    }
  }
}
