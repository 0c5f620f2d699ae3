import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The time between two windows in which replies are dropped, and the length of a window, in milliseconds. */
const everyMs = 400;
const windowMs = 40;

/**
 * A TCP proxy that delivers every request and sometimes no reply: during a window replies are swallowed, and at its end
 * their connections are reset. The caller cannot know whether its request was carried out.
 */
export class ReplyDropper {
  /** The number of connections that lost a reply. */
  dropped = 0;
  private readonly open = new Set<Socket>();
  private readonly swallowed = new Set<Socket>();
  private swallowing = false;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly server: Server,
    /** The port on 127.0.0.1. */
    readonly port: number,
  ) {}

  /** @param target a port on 127.0.0.1 */
  static async start(target: number): Promise<ReplyDropper> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new ReplyDropper(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => proxy.join(client, connect(target, '127.0.0.1')));
    return proxy;
  }

  /** Begins to drop replies. @returns a function that ends it */
  drop(): () => void {
    this.timer = setInterval(() => {
      this.swallowing = true;
      setTimeout(() => {
        this.swallowing = false;
        for (const client of this.swallowed) client.resetAndDestroy();
        this.dropped += this.swallowed.size;
        this.swallowed.clear();
      }, windowMs);
    }, everyMs);
    return () => clearInterval(this.timer);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, upstream: Socket): void {
    this.open.add(client);
    const end = (): void => {
      this.open.delete(client);
      this.swallowed.delete(client);
      client.destroy();
      // What has been sent is still to be carried out.
      upstream.end();
    };
    client.setNoDelay(true);
    upstream.setNoDelay(true);
    client.on('error', end).on('close', end);
    upstream.on('error', end).on('close', end);
    client.on('data', (data) => void upstream.write(data));
    upstream.on('data', (data) => {
      if (this.swallowing) this.swallowed.add(client);
      if (!this.swallowed.has(client)) client.write(data);
    });
  }
}
