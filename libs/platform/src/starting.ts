import { errorCodes, MusterError } from '@muster/domain';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceSettings } from './config.js';
import type { Log } from './logging.js';
import { isStoreAway } from './store-away.js';

/** Pauses between two tries: quick at first, never long. */
const firstPauseMs = 100;
const lastPauseMs = 5_000;
/** One try may take so long: a network that swallows everything is to be named as well. */
const tryMs = 10_000;

/** A database that is there before what the service needs is in it: no such database, no such table, migrations to come. */
const notYet = new Set(['3D000', 'P1003', '42P01', 'P2021', 'not-migrated']);

/** The process was told to end while it waited. */
export class EndedWhileStarting extends Error {}

/**
 * What a service is before its stores answer. It waits for them with growing pauses and says for which: in the log and at
 * `/health/ready`, which is 503 meanwhile; `/health/live` is 200. SIGTERM and SIGINT end it with code 0.
 */
export class Starting {
  private readonly ended = new AbortController();
  private readonly onSignal = (): void => this.ended.abort();
  private waitsFor = 'nothing yet';
  private server: Server | null = null;

  constructor(
    private readonly name: string,
    private readonly settings: Pick<ServiceSettings, 'HTTP_HOST' | 'HTTP_PORT'>,
    private readonly log: Log,
    private readonly random: () => number = Math.random,
  ) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, this.onSignal);
  }

  /**
   * Does the first thing that needs a store, again until the store answers. It must be safe to repeat.
   *
   * @param store its name, for people
   * @throws Error when waiting would not help, such as a wrong password; EndedWhileStarting
   */
  readonly until = async <T>(store: string, step: () => Promise<T>): Promise<T> => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(lastPauseMs, 2 * pauseMs)) {
      try {
        const done = await withinTry(step, this.ended.signal);
        if (pauseMs > firstPauseMs) this.log.info({ store }, `${store} answers`);
        return done;
      } catch (error) {
        if (this.ended.signal.aborted) throw new EndedWhileStarting();
        if (error instanceof MusterError) throw error;
        const reason = reasonOf(error);
        if (!mayPass(error))
          throw new Error(`${this.name} cannot start: ${store}: ${reason}`, { cause: error });
        this.waitsFor = `${store}: ${reason}`;
        this.log.warn({ store, reason, pauseMs }, `${this.name} waits for ${store}`);
        await this.answer();
      }
      // Half of it at least, so that replicas that start together do not ask together for ever.
      const pause = pauseMs * (0.5 + this.random() / 2);
      await sleep(pause, undefined, { signal: this.ended.signal }).catch(() => undefined);
      if (this.ended.signal.aborted) throw new EndedWhileStarting();
    }
  };

  /** Lets go of the port and of the signals: from now on the service itself answers to both. */
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

  /** Answers in the service's place from the first time that it has to wait. */
  private async answer(): Promise<void> {
    if (this.server) return;
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
      server.once('error', reject).listen(this.settings.HTTP_PORT, this.settings.HTTP_HOST, resolve);
    });
  }
}

async function withinTry<T>(step: () => Promise<T>, ended: AbortSignal): Promise<T> {
  const late = new AbortController();
  const limit = sleep(tryMs, undefined, { signal: AbortSignal.any([late.signal, ended]) }).then(() => {
    throw Object.assign(new Error(`no answer within ${tryMs} ms`), { code: 'ETIMEDOUT' });
  });
  try {
    return await Promise.race([step(), limit]);
  } finally {
    late.abort();
    limit.catch(() => undefined);
  }
}

function mayPass(error: unknown): boolean {
  return isStoreAway(error) || errorCodes(error).some((code) => notYet.has(code));
}

/** The sentence of an error that says what is wrong; a client puts the place in our code before it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = error.message.split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1)?.trim() ?? error.name;
}
