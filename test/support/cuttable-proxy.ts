import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Happenings } from './happenings.js';

/** A TCP proxy that cuts connections when the test wants it: what a bad network does to a client. */
export class CuttableProxy {
  /** How many connections each cut hit. */
  readonly cuts = new Happenings<number>();
  private readonly open = new Set<Socket>();
  private readonly muted = new WeakSet<Socket>();
  private timer: NodeJS.Timeout | undefined;
  private away = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private target: URL,
  ) {}

  /** @param bytesOf how many bytes of its answers the nth connection (from 0) lets pass before it is cut; all when undefined */
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

  /** Cuts all connections there are, without a goodbye. */
  cut(): void {
    const hit = [...this.open];
    for (const socket of hit) socket.resetAndDestroy();
    this.cuts.push(hit.length);
  }

  /** Cuts all connections and lets none in: nothing arrives, as when the other side is down. */
  shut(): void {
    this.away = true;
    this.cut();
  }

  /** From now on nothing passes on the connections there are, and nobody is told: the other side is gone, packets go nowhere. */
  mute(): void {
    for (const socket of this.open) this.muted.add(socket);
  }

  /** Lets connections in again. */
  reopen(): void {
    this.away = false;
  }

  /** Leads new connections elsewhere, as an address does after a fail-over; those that are open stay where they are. */
  lead(target: string): void {
    this.target = new URL(target);
  }

  cutEvery(ms: number): void {
    this.timer = setInterval(() => this.cut(), ms);
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
      const part = data.subarray(0, left);
      left -= part.length;
      client.write(part, () => {
        if (left <= 0) end();
      });
    });
  }
}
