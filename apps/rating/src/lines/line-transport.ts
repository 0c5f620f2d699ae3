import { BaseRpcContext, Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { EMPTY } from 'rxjs';
import { LineServer, type LineServerHears } from './line-server.js';
import type { LineSettings } from './line-settings.js';
import type { Answer, Question } from './session.js';

/** Marks handlers that are for this transport alone. */
export const lineTransport = Symbol('line-protocol');

/** What the questions of the protocol are called among Nest's patterns. */
export const linePatterns = { player: 'PLAYER', bot: 'BOT', meanbot: 'MEANBOT' } as const;

/** Nest's transport for the line protocol: lines come in over TCP, each question goes to the handler of its pattern. */
export class LineTransport extends Server implements CustomTransportStrategy {
  override readonly transportId = lineTransport;
  private readonly lines: LineServer;

  constructor(settings: LineSettings, hears: LineServerHears & { listening(port: number): void }) {
    super();
    this.lines = new LineServer(
      settings,
      (question) => this.ask(question),
      hears,
      () => performance.now(),
    );
    this.hears = hears;
  }

  private readonly hears: { listening(port: number): void };

  listen(callback: (error?: unknown) => void): void {
    const missing = Object.values(linePatterns).filter((pattern) => !this.getHandlerByPattern(pattern));
    if (missing.length > 0) {
      callback(new Error(`The line protocol has no handler for ${missing.join(', ')}.`));
      return;
    }
    this.lines.listen().then(
      (port) => {
        this.hears.listening(port);
        callback();
      },
      (error: unknown) => callback(error),
    );
  }

  close(): Promise<void> {
    return this.lines.close();
  }

  /** Nothing is told by events. */
  override on(): void {
    throw new Error('The line protocol tells nothing by events.');
  }

  override unwrap<T>(): T {
    return this.lines as T;
  }

  private ask(question: Question): Promise<Answer> {
    const pattern = linePatterns[question.kind];
    const context = new BaseRpcContext([pattern]);
    return new Promise((resolve, reject) => {
      this.handleRequest(
        context,
        async () => {
          try {
            const handler = this.getHandlerByPattern(pattern);
            return this.transformToObservable<Answer>(await handler?.(question, context));
          } catch (error) {
            // Nobody would hear of it further up.
            reject(error instanceof Error ? error : new Error(String(error)));
            return EMPTY;
          }
        },
        ({ err, response, isDisposed }) => {
          if (err) reject(err instanceof Error ? err : new Error(JSON.stringify(err)));
          else if (response !== undefined) resolve(response as Answer);
          else if (isDisposed) reject(new Error(`The handler of ${pattern} answered nothing.`));
        },
      );
    });
  }
}
