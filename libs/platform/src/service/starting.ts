import { errorCodes, Misconfigured, MusterError } from '@muster/domain';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceSettings } from '../core/config.js';
import type { Log } from '../core/logging.js';
import { isStoreUnavailable, isTurnedAway } from '../core/store-unavailable.js';
import { within } from '../core/within.js';

/** The back-off between attempts. */
const firstPauseMs = 100;
const lastPauseMs = 5_000;
/** The time-out of an attempt, so that a network that drops packets is reported as well. */
const tryMs = 10_000;

/** Errors of a database that is up but not yet migrated: no such database, no such table, pending migrations. */
const notMigratedCodes = new Set(['3D000', '42P01', 'not-migrated']);

/** The process was stopped while it waited. */
export class EndedWhileStarting extends Error {}

/**
 * A service before its stores answer. It waits for them with back-off and reports which one, in the log and at
 * `/health/ready`, which is 503 meanwhile; `/health/live` is 200. SIGTERM and SIGINT exit with code 0.
 */
export class Starting {
  private readonly ended = new AbortController();
  private readonly onSignal = (): void => this.ended.abort();
  private readonly stopped = new Promise<never>((_resolve, reject) => {
    this.ended.signal.addEventListener('abort', () => reject(new EndedWhileStarting()));
  });
  private waitsFor = 'nothing yet';
  private server: Server | null = null;

  constructor(
    private readonly name: string,
    /** Where it answers meanwhile; null: nowhere, because another server of the process does. */
    private readonly settings: Pick<ServiceSettings, 'HTTP_HOST' | 'HTTP_PORT'> | null,
    private readonly log: Log,
    private readonly random: () => number = Math.random,
  ) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, this.onSignal);
    // It may end between two attempts.
    this.stopped.catch(() => undefined);
  }

  /**
   * Repeats the first step that needs a store until the store answers. The step must be idempotent.
   *
   * @param store its name, for messages
   * @throws Misconfigured if neither waiting nor a restart helps, such as a wrong password; Error with another error of the
   * step; EndedWhileStarting
   */
  readonly until = async <T>(store: string, step: () => Promise<T>): Promise<T> => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(lastPauseMs, 2 * pauseMs)) {
      try {
        const done = await within(tryMs, Promise.race([step(), this.stopped]), tooLate);
        if (pauseMs > firstPauseMs) this.log.info({ store }, `${store} answers`);
        return done;
      } catch (error) {
        if (this.ended.signal.aborted) throw new EndedWhileStarting();
        if (error instanceof MusterError) throw error;
        const reason = reasonOf(error);
        if (!isTransient(error)) {
          // Of an error that nobody foresaw, a restart may be the end.
          const Ends = isTurnedAway(error) ? Misconfigured : Error;
          throw new Ends(`${this.name} cannot start: ${store}: ${reason}`, { cause: error });
        }
        this.waitsFor = `${store}: ${reason}`;
        this.log.warn({ store, reason, pauseMs }, `${this.name} waits for ${store}`);
        await this.answer();
      }
      // At least half of it, randomised so that replicas that start together spread out.
      const pause = pauseMs * (0.5 + this.random() / 2);
      await sleep(pause, undefined, { signal: this.ended.signal }).catch(() => undefined);
      if (this.ended.signal.aborted) throw new EndedWhileStarting();
    }
  };

  /** Releases the port and the signal handlers: the service itself takes over both. */
  async over(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, this.onSignal);
    const { server } = this;
    this.server = null;
    if (server)
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    if (this.ended.signal.aborted) throw new EndedWhileStarting();
  }

  /** Serves the health endpoints from the first wait on. */
  private async answer(): Promise<void> {
    const { settings } = this;
    if (this.server || settings === null) return;
    const server = createServer((request, response) => {
      const alive = request.url?.startsWith('/health/live') ?? false;
      response.writeHead(alive ? 200 : 503, {
        'content-type': 'application/json',
        'retry-after': '2',
        connection: 'close',
      });
      response.end(
        JSON.stringify(alive ? { status: 'ok' } : { status: 'starting', waitsFor: this.waitsFor }),
      );
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(settings.HTTP_PORT, settings.HTTP_HOST, resolve);
    });
  }
}

const tooLate = (): Error => Object.assign(new Error(`no answer within ${tryMs} ms`), { code: 'ETIMEDOUT' });

function isTransient(error: unknown): boolean {
  return isStoreUnavailable(error) || errorCodes(error).some((code) => notMigratedCodes.has(code));
}

/** The last sentence of the error; clients prepend the place in the code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = error.message.split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1)?.trim() ?? error.name;
}
