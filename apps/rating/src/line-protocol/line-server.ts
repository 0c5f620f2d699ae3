import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Connection } from './connection.js';
import type { LineSettings } from '../line-settings.js';
import type { Answer, Question } from './session.js';

/** Closing connections are destroyed after this time. */
const closeWithinMs = 2_000;
/** The interval at which throttled connections are resumed. */
const throttleMs = 50;
const maxSweepMs = 1_000;
/** Connections over the limit that get an error line; further ones are destroyed without one. */
const maxRefused = 256;

/**
 * Listens for connections of the line protocol. All connections share one timer for idle checks, and one that runs only
 * while some are throttled, so an idle connection costs little more than its socket.
 */
export class LineServer {
  private readonly server: Server;
  private readonly connections = new Set<Connection>();
  /** Connections over a limit, until they have taken the error line; they do not count towards the limits. */
  private readonly refused = new Set<Connection>();
  private readonly byAddress = new Map<string, number>();
  private readonly throttled = new Set<Connection>();
  private sweepTimer: NodeJS.Timeout | null = null;
  private throttleTimer: NodeJS.Timeout | null = null;
  private refusals = 0;

  /**
   * @param answer throws any error if the answer cannot be determined
   * @param onRefused is told of connections refused over a limit since the last call
   * @param nowMs of a monotonic clock
   */
  constructor(
    private readonly settings: LineSettings,
    readonly answer: (question: Question) => Promise<Answer>,
    private readonly onRefused: (count: number) => void,
    readonly nowMs: () => number,
  ) {
    // A query is small and its sender waits for the answer, so Nagle's delay would gain nothing.
    this.server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (socket) =>
      this.take(socket),
    );
    this.server.maxConnections = settings.maxConnections + maxRefused;
    this.server.on('drop', () => this.refusals++);
  }

  /** @returns the port; rejects if it cannot listen */
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

  /** The number of connections, with those being refused. */
  get size(): number {
    return this.connections.size + this.refused.size;
  }

  /** Bytes buffered for all connections; independent of their age. */
  get bufferedBytes(): number {
    return [...this.connections].reduce((sum, connection) => sum + connection.bufferedBytes, 0);
  }

  /** Stops listening and finishes all connections; destroys those that do not close in time. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const connection of this.connections) connection.finish();
    const cut = setTimeout(() => {
      for (const connection of [...this.connections, ...this.refused]) connection.destroy();
    }, closeWithinMs);
    await closed;
    clearTimeout(cut);
    this.stopTimers();
  }

  /** Called when the connection has used up its token bucket; it works on once that has refilled. */
  throttle(connection: Connection): void {
    this.throttled.add(connection);
    this.throttleTimer ??= setInterval(() => this.resumeThrottled(), throttleMs);
  }

  /** Called when the connection has closed. */
  closed(connection: Connection): void {
    this.throttled.delete(connection);
    if (!this.refused.delete(connection) && this.connections.delete(connection)) {
      const left = (this.byAddress.get(connection.address) ?? 1) - 1;
      if (left > 0) this.byAddress.set(connection.address, left);
      else this.byAddress.delete(connection.address);
    }
    if (this.size === 0) this.stopTimers();
  }

  private take(socket: Socket): void {
    // A socket that was reset before it was accepted has no address.
    const address = plainAddress(socket.remoteAddress ?? '');
    const connection = new Connection(socket, address, this.settings, this);
    this.sweepTimer ??= setInterval(() => this.sweep(), Math.min(maxSweepMs, this.settings.idleMs / 4));
    const fromAddress = this.byAddress.get(address) ?? 0;
    const why = this.refusalReason(address, fromAddress);
    if (why === null) {
      this.connections.add(connection);
      this.byAddress.set(address, fromAddress + 1);
      return;
    }
    this.refusals++;
    this.refused.add(connection);
    if (this.refused.size > maxRefused) connection.destroy();
    else connection.closeWithError(why);
  }

  private refusalReason(address: string, fromAddress: number): string | null {
    const { maxConnections, maxPerAddress } = this.settings;
    if (this.connections.size >= maxConnections)
      return `there are ${maxConnections} connections, the maximum; try again later`;
    return fromAddress < maxPerAddress
      ? null
      : `there are ${maxPerAddress} connections from ${address}, the maximum; use one of them, or close one`;
  }

  private sweep(): void {
    const nowMs = this.nowMs();
    for (const connection of [...this.connections, ...this.refused]) connection.check(nowMs, closeWithinMs);
    if (this.refusals === 0) return;
    this.onRefused(this.refusals);
    this.refusals = 0;
  }

  private resumeThrottled(): void {
    const waiting = [...this.throttled];
    this.throttled.clear();
    for (const connection of waiting) void connection.work();
    // Connections still over the rate have called `throttle` again.
    if (this.throttled.size > 0 || !this.throttleTimer) return;
    clearInterval(this.throttleTimer);
    this.throttleTimer = null;
  }

  /** Stops the timers when no connection is left. */
  private stopTimers(): void {
    if (this.refusals > 0) this.onRefused(this.refusals);
    this.refusals = 0;
    for (const timer of [this.sweepTimer, this.throttleTimer]) if (timer) clearInterval(timer);
    this.sweepTimer = null;
    this.throttleTimer = null;
  }
}

/** An IPv4-mapped IPv6 address as IPv4. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}
