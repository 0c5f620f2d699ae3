import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Happenings } from './happenings.js';

/** A TCP proxy that cuts connections on demand, like an unreliable network. */
export class CuttableProxy {
  /** The number of connections affected by each cut. */
  readonly cuts = new Happenings<number>();
  private readonly open = new Set<Socket>();
  private readonly muted = new WeakSet<Socket>();
  private timer: NodeJS.Timeout | undefined;
  private away = false;
  private loses: () => boolean = () => false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private target: URL,
  ) {}

  /**
   * @param bytesOf the number of answer bytes after which the nth connection (from 0) is cut; unlimited if undefined
   */
  static async start(
    target: string,
    bytesOf: (n: number) => number | undefined = () => undefined,
  ): Promise<CuttableProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = new CuttableProxy(server, url, new URL(target));
    let count = 0;
    server.on('connection', (client) => {
      if (proxy.away) client.resetAndDestroy();
      else proxy.join(client, connect(Number(proxy.target.port), proxy.target.hostname), bytesOf(count++));
    });
    return proxy;
  }

  /** Cuts all connections without a clean close. */
  cut(hit: readonly Socket[] = [...this.open]): void {
    for (const socket of hit) socket.resetAndDestroy();
    this.cuts.push(hit.length);
  }

  /** Cuts all connections and accepts none, like a peer that is down. */
  shut(): void {
    this.away = true;
    this.cut();
  }

  /** Drops all data on open connections without closing them, like a peer that disappeared. */
  mute(): void {
    for (const socket of this.open) this.muted.add(socket);
  }

  /**
   * Loses answers: instead of one that is lost its connection is cut. The peer has done what was asked.
   *
   * @param isLost decides for each answer
   */
  loseAnswers(isLost: () => boolean): void {
    this.loses = isLost;
  }

  /** Accepts connections again. */
  reopen(): void {
    this.away = false;
  }

  /** Directs new connections to another target, like an address after a fail-over; open ones stay. */
  lead(target: string): void {
    this.target = new URL(target);
  }

  /** Cuts the connections that have carried an answer: on a busy machine an answer takes longer than `ms`. */
  cutEvery(ms: number): void {
    this.timer = setInterval(() => this.cut([...this.open].filter((socket) => socket.bytesWritten > 0)), ms);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, upstream: Socket, bytes: number | undefined): void {
    this.open.add(client);
    let left = bytes ?? Infinity;
    const end = (): void => {
      this.open.delete(client);
      client.destroy();
      upstream.destroy();
    };
    client.on('error', end).on('close', end);
    upstream.on('error', end).on('close', end);
    client.on('data', (data) => {
      if (!this.muted.has(client)) upstream.write(data);
    });
    upstream.on('data', (data: Buffer) => {
      if (this.muted.has(client)) return;
      if (this.loses()) {
        client.resetAndDestroy();
        return;
      }
      const part = data.subarray(0, left);
      left -= part.length;
      client.write(part, () => {
        if (left <= 0) end();
      });
    });
  }
}
