import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Connection, type Holder } from './connection.js';
import type { LineSettings } from './line-settings.js';
import type { Answer, Question } from './session.js';

/** Those who have to go have so long to take the last words and close. */
const goWithinMs = 2_000;
/** How often those are looked at who were too fast. */
const throttleMs = 50;
const mostSweepMs = 1_000;
/** Sockets beyond the limit that are told so; those beyond are dropped without a word. */
const mostRefused = 256;

/** What a server tells of itself. */
export interface LineServerHears {
  /** Connections that were turned away since the last time, because there were too many. */
  refused(count: number): void;
}

/**
 * Listens for connections of the line protocol and holds them. All share one timer that looks after the silent ones, and one
 * that runs only while somebody is too fast: an idle connection costs its socket and little more.
 */
export class LineServer implements Holder {
  private readonly server: Server;
  private readonly connections = new Set<Connection>();
  /** Those beyond a limit, until they have taken the word that says so: they count against nobody. */
  private readonly refused = new Set<Connection>();
  private readonly byAddress = new Map<string, number>();
  private readonly throttled = new Set<Connection>();
  private sweeping: NodeJS.Timeout | null = null;
  private growing: NodeJS.Timeout | null = null;
  private refusals = 0;

  /** @param now milliseconds of a clock that does not go back */
  constructor(
    private readonly settings: LineSettings,
    private readonly answers: (question: Question) => Promise<Answer>,
    private readonly hears: LineServerHears,
    private readonly now: () => number,
  ) {
    // A game server's question is small and waits for its answer: delayed, it would wait for nothing.
    this.server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (socket) =>
      this.take(socket),
    );
    this.server.maxConnections = settings.maxConnections + mostRefused;
    this.server.on('drop', () => this.refusals++);
  }

  /** @returns the port that it listens on; rejects with what keeps it from listening */
  listen(): Promise<number> {
    const { host, port } = this.settings;
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ port, host, backlog: 1_024 }, () => {
        this.server.off('error', reject);
        resolve(this.port);
      });
    });
  }

  get port(): number {
    const address: AddressInfo | string | null = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : this.settings.port;
  }

  /** Connections there are, with those that are being turned away. */
  get size(): number {
    return this.connections.size + this.refused.size;
  }

  /** Bytes that are kept for all connections: nothing grows with how long they last. */
  get heldBytes(): number {
    return [...this.connections].reduce((sum, connection) => sum + connection.heldBytes, 0);
  }

  /** Takes no more connections and ends those there are; those that do not go are cut off. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const connection of this.connections) connection.finish();
    const cut = setTimeout(() => {
      for (const connection of [...this.connections, ...this.refused]) connection.destroy();
    }, goWithinMs);
    await closed;
    clearTimeout(cut);
    this.rest();
  }

  nowMs(): number {
    return this.now();
  }

  answer(question: Question): Promise<Answer> {
    return this.answers(question);
  }

  throttle(connection: Connection): void {
    this.throttled.add(connection);
    this.growing ??= setInterval(() => this.goOn(), throttleMs);
  }

  gone(connection: Connection): void {
    this.throttled.delete(connection);
    if (!this.refused.delete(connection) && this.connections.delete(connection)) {
      const left = (this.byAddress.get(connection.address) ?? 1) - 1;
      if (left > 0) this.byAddress.set(connection.address, left);
      else this.byAddress.delete(connection.address);
    }
    if (this.size === 0) this.rest();
  }

  private take(socket: Socket): void {
    // One that is cut off before it is looked at has no address.
    const address = plainAddress(socket.remoteAddress ?? '');
    const connection = new Connection(socket, address, this.settings, this);
    this.sweeping ??= setInterval(() => this.sweep(), Math.min(mostSweepMs, this.settings.idleMs / 4));
    const ofAddress = this.byAddress.get(address) ?? 0;
    const why = this.whyNot(address, ofAddress);
    if (why === null) {
      this.connections.add(connection);
      this.byAddress.set(address, ofAddress + 1);
      return;
    }
    this.refusals++;
    this.refused.add(connection);
    if (this.refused.size > mostRefused) connection.destroy();
    else connection.dismiss(why);
  }

  private whyNot(address: string, ofAddress: number): string | null {
    const { maxConnections, maxPerAddress } = this.settings;
    if (this.connections.size >= maxConnections)
      return `there are ${maxConnections} connections, and no more are taken; try again later`;
    return ofAddress < maxPerAddress
      ? null
      : `there are ${maxPerAddress} connections from ${address}, and no more are taken; use one of them, or close one`;
  }

  private sweep(): void {
    const nowMs = this.now();
    for (const connection of [...this.connections, ...this.refused]) connection.check(nowMs, goWithinMs);
    if (this.refusals === 0) return;
    this.hears.refused(this.refusals);
    this.refusals = 0;
  }

  private goOn(): void {
    const waiting = [...this.throttled];
    this.throttled.clear();
    for (const connection of waiting) void connection.work();
    // Those who are too fast still have said so again by now.
    if (this.throttled.size > 0 || !this.growing) return;
    clearInterval(this.growing);
    this.growing = null;
  }

  /** Nobody is there to look after. */
  private rest(): void {
    if (this.refusals > 0) this.hears.refused(this.refusals);
    this.refusals = 0;
    for (const timer of [this.sweeping, this.growing]) if (timer) clearInterval(timer);
    this.sweeping = null;
    this.growing = null;
  }
}

/** An IPv4 address is the same whichever way it came in. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}
