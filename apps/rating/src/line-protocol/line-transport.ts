import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import type { LineServer } from './line-server.js';

/** The line server in Nest's form, so that it begins and ends with the others of the service. It has no message handlers. */
export class LineTransport extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('line-protocol');

  constructor(
    private readonly lines: LineServer,
    private readonly listening: (port: number) => void,
  ) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    this.lines.listen().then((port) => {
      this.listening(port);
      callback();
    }, callback);
  }

  close(): Promise<void> {
    return this.lines.close();
  }

  override on(): void {
    throw new Error('The line protocol has no events.');
  }

  override unwrap<T>(): T {
    return this.lines as T;
  }
}
