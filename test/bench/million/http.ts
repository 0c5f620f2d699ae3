import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * HTTP/1.1 over kept connections, one call at a time on each. It understands what Muster's services answer: a body with a
 * length. Node's own client takes three times the processor time, which is that of the measured system.
 */
export class SocketClient {
  private readonly idle: Connection[] = [];
  private readonly open = new Set<Connection>();
  private readonly turns: (() => void)[] = [];
  private calling = 0;
  private closed = false;

  /** @param most calls at once; others wait, so that a slow system does not exhaust the open files of either side */
  constructor(
    private readonly port: number,
    private readonly most = Infinity,
  ) {}

  /** @param headers further header lines, each with its line end */
  async call(method: string, path: string, token: string, body?: object, headers = ''): Promise<Answer> {
    const content = body === undefined ? '' : JSON.stringify(body);
    const type =
      body === undefined
        ? ''
        : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(content)}\r\n`;
    const text = `${method} ${path} HTTP/1.1\r\nhost: muster\r\nauthorization: Bearer ${token}\r\n${type}${headers}\r\n${content}`;
    if (this.calling >= this.most) await new Promise<void>((resolve) => this.turns.push(resolve));
    else this.calling += 1;
    try {
      return await this.answered(text);
    } finally {
      const next = this.turns.shift();
      if (next) next();
      else this.calling -= 1;
    }
  }

  private async answered(text: string): Promise<Answer> {
    for (;;) {
      if (this.closed) throw new Error('the client is closed');
      const kept = this.idle.pop();
      const connection = kept ?? this.connected();
      try {
        const answer = await connection.call(text);
        if (connection.isOpen) this.idle.push(connection);
        return answer;
      } catch (error) {
        // A service closes connections that were idle for long; the call may have met that, unread.
        if (!kept || connection.hasAnswered) throw error;
      }
    }
  }

  close(): void {
    this.closed = true;
    for (const connection of this.open) connection.destroy();
  }

  private connected(): Connection {
    const connection: Connection = new Connection(connect({ port: this.port, host: '127.0.0.1' }), () => {
      this.open.delete(connection);
      const at = this.idle.indexOf(connection);
      if (at >= 0) this.idle.splice(at, 1);
    });
    this.open.add(connection);
    return connection;
  }
}

class Connection {
  isOpen = true;
  /** Whether a part of the present answer has arrived. */
  hasAnswered = false;
  private received = '';
  private waiting: Waiting | null = null;

  constructor(
    private readonly socket: Socket,
    gone: () => void,
  ) {
    socket.setNoDelay(true);
    // One character a byte, so that lengths are those of the wire.
    socket.setEncoding('latin1');
    socket.on('data', (data: string) => this.take(data));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isOpen = false;
      gone();
      this.settle((waiting) => waiting.reject(new Error('the connection was closed')));
    });
  }

  call(text: string): Promise<Answer> {
    this.hasAnswered = false;
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      if (this.isOpen) this.socket.write(text);
      else this.settle(() => reject(new Error('the connection was closed')));
    });
  }

  destroy(): void {
    this.socket.destroy();
  }

  private take(data: string): void {
    this.hasAnswered = true;
    this.received += data;
    let read: ReturnType<typeof answerOf>;
    try {
      read = answerOf(this.received);
    } catch (error) {
      this.settle(({ reject }) => reject(error instanceof Error ? error : new Error(String(error))));
      this.socket.destroy();
      return;
    }
    if (!read) return;
    const { answer, isLast } = read;
    this.received = '';
    if (isLast) {
      this.isOpen = false;
      this.socket.destroy();
    }
    this.settle(({ resolve }) => resolve(answer));
  }

  private settle(how: (waiting: Waiting) => void): void {
    const { waiting } = this;
    this.waiting = null;
    if (waiting) how(waiting);
  }
}

const headEnd = '\r\n\r\n';

/**
 * Reads an answer from bytes as characters.
 *
 * @returns null while it is incomplete; `isLast` if the connection ends with it
 * @throws Error if its body has no length
 */
export function answerOf(received: string): { answer: Answer; isLast: boolean } | null {
  const end = received.indexOf(headEnd);
  if (end < 0) return null;
  const head = received.slice(0, end);
  const status = Number(head.slice(9, 12));
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length === undefined && status !== 204) throw new Error(`an answer without a length: ${head}`);
  const body = received.slice(end + headEnd.length);
  if (body.length < Number(length ?? 0)) return null;
  const text = Buffer.from(body, 'latin1').toString('utf8');
  return { answer: { status, text }, isLast: /\r\nconnection: *close/i.test(head) };
}
