import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Happenings } from './happenings.js';

/** The direction in which bytes vanish, as the client sees it. */
export type Swallowed = 'requests' | 'answers' | 'both';

/** A TCP proxy that cuts connections on demand, like an unreliable network. */
export class CuttableProxy {
  /** The number of connections affected by each cut. */
  readonly cuts = new Happenings<number>();
  private readonly open = new Set<Socket>();
  /** Connections on which bytes vanish for ever: bytes after a gap would belong to nothing. */
  private readonly muted = new WeakMap<Socket, Swallowed>();
  /** The other halves of connections whose client is gone without the target's knowledge. */
  private readonly halves = new Set<Socket>();
  private swallowing: Swallowed | null = null;
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

  /** The port on 127.0.0.1. */
  get port(): number {
    return Number(new URL(this.url).port);
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

  /**
   * Acknowledges and drops the bytes of open connections, and their end, like a peer that disappeared behind a device that
   * still answers for it.
   */
  mute(which: Swallowed = 'both'): void {
    for (const socket of this.open) this.muted.set(socket, which);
  }

  /** The same for new connections as well, until {@link reopen}. */
  swallow(which: Swallowed): void {
    this.swallowing = which;
    this.mute(which);
  }

  /**
   * Loses answers: instead of one that is lost its connection is cut. The peer has done what was asked.
   *
   * @param isLost decides for each answer
   */
  loseAnswers(isLost: () => boolean): void {
    this.loses = isLost;
  }

  /** Accepts connections again, and delivers what is sent on new ones. */
  reopen(): void {
    this.away = false;
    this.swallowing = null;
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
    for (const socket of [...this.open, ...this.halves]) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, upstream: Socket, bytes: number | undefined): void {
    this.open.add(client);
    if (this.swallowing) this.muted.set(client, this.swallowing);
    let left = bytes ?? Infinity;
    const isLost = (which: Swallowed): boolean => ['both', which].includes(this.muted.get(client) ?? '');
    const end = (): void => {
      this.open.delete(client);
      client.destroy();
      upstream.destroy();
    };
    const clientGone = (): void => {
      if (!isLost('requests')) return end();
      this.open.delete(client);
      if (!upstream.destroyed) this.halves.add(upstream);
    };
    const upstreamGone = (): void => {
      this.halves.delete(upstream);
      if (!isLost('answers')) end();
    };
    client.on('error', clientGone).on('close', clientGone);
    upstream.on('error', upstreamGone).on('close', upstreamGone);
    client.on('data', (data) => {
      if (!isLost('requests')) upstream.write(data);
    });
    upstream.on('data', (data: Buffer) => {
      if (isLost('answers')) return;
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
