import { BaseRpcContext, Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { EMPTY } from 'rxjs';
import { LineServer, type LineServerEvents } from './line-server.js';
import type { LineSettings } from '../line-settings.js';
import type { Answer, Question } from './session.js';

/** The transport id of handlers that serve only this transport. */
export const lineTransport = Symbol('line-protocol');

/** The Nest message patterns of the protocol's commands. */
export const linePatterns = { player: 'PLAYER', bot: 'BOT', meanbot: 'MEANBOT' } as const;

/** Nest's transport for the line protocol over TCP. Each question goes to the handler of its pattern. */
export class LineTransport extends Server implements CustomTransportStrategy {
  override readonly transportId = lineTransport;
  private readonly lines: LineServer;

  constructor(settings: LineSettings, events: LineServerEvents & { listening(port: number): void }) {
    super();
    this.lines = new LineServer(
      settings,
      (question) => this.ask(question),
      events,
      () => performance.now(),
    );
    this.events = events;
  }

  private readonly events: { listening(port: number): void };

  listen(callback: (error?: unknown) => void): void {
    const missing = Object.values(linePatterns).filter((pattern) => !this.getHandlerByPattern(pattern));
    if (missing.length > 0) {
      callback(new Error(`The line protocol has no handler for ${missing.join(', ')}.`));
      return;
    }
    this.lines.listen().then(
      (port) => {
        this.events.listening(port);
        callback();
      },
      (error: unknown) => callback(error),
    );
  }

  close(): Promise<void> {
    return this.lines.close();
  }

  /** The protocol has no events. */
  override on(): void {
    throw new Error('The line protocol has no events.');
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
            // Nest would swallow the rejection.
            reject(error instanceof Error ? error : new Error(String(error)));
            return EMPTY;
          }
        },
        ({ err, response, isDisposed }) => {
          if (err) reject(err instanceof Error ? err : new Error(JSON.stringify(err)));
          else if (response !== undefined) resolve(response as Answer);
          else if (isDisposed) reject(new Error(`The handler of ${pattern} returned no answer.`));
        },
      );
    });
  }
}
