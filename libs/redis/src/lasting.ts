/** The part of a client of ioredis, or of its Cluster, that is used here. */
interface Client {
  status: string;
  on(event: 'ready' | 'close' | 'end', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
  emit(event: 'end'): unknown;
  connect(): Promise<void>;
  disconnect(reconnect?: boolean): void;
  quit(): Promise<'OK'>;
  /** Of a Cluster: the nodes that it has, or is about to have, connections to. */
  nodes?(): readonly unknown[];
}

/** A client that has not been closed, or not yet. */
interface Wanted {
  readonly name: string;
  /** Since when it cannot be used, by the monotonic clock; null: it can, or nobody has used it yet. */
  awaySince: number | null;
}

const clients = new Set<Wanted>();

/** A client is stuck when it cannot be used for this long while another one of the process can, in milliseconds. */
export const stuckAfterMs = 60_000;

/**
 * Keeps a client until its owner closes it, by `disconnect()` or `quit()`: connects it again where ioredis gives it up or
 * forgets it.
 *
 * - A client ends, with the event `end`, that is told to disconnect while it looks for the master: Sentinel's announcement
 *   of a fail-over does that. So does a Cluster whose first attempt after a `disconnect()` fails.
 * - A Cluster stays at `close` for ever if a connection of the time before ends while names of nodes are resolved.
 *
 * BullMQ disconnects the client of a worker whose command does not return, waits for `end`, connects, and waits for that.
 * ioredis does not always settle the one or tell the other, see {@link settled} and {@link isUnheard}; the worker would take
 * no job any more.
 *
 * @param pauseMs the pause before an attempt
 */
export function keepConnected(client: Client, name: string, pauseMs: (attempt: number) => number): void {
  const wanted: Wanted = { name, awaySince: client.status === 'wait' ? null : performance.now() };
  let attempts = 0;
  let next: NodeJS.Timeout | null = null;
  /** It was told to disconnect, and has not ended yet: until then it may be stuck, like one that does not connect. */
  let isClosing = false;
  const connect = client.connect.bind(client);
  const disconnect = client.disconnect.bind(client);
  const quit = client.quit.bind(client);
  const leave = (): void => void clients.delete(wanted);
  const away = (): void => void (wanted.awaySince ??= performance.now());
  const isWanted = (): boolean => clients.has(wanted) && !isClosing;
  const comeBack = (): void => {
    if (!isWanted()) return;
    away();
    next ??= setTimeout(() => {
      next = null;
      // ioredis may be about to connect by itself. A refused attempt ends with the same events.
      if (isWanted() && ['close', 'end'].includes(client.status)) client.connect().catch(() => undefined);
    }, pauseMs(++attempts));
  };
  clients.add(wanted);
  client.connect = () => {
    isClosing = false;
    clients.add(wanted);
    away();
    return settled(client, connect());
  };
  client.disconnect = (reconnect = false) => {
    const unheard = isUnheard(client);
    if (!reconnect) {
      isClosing = true;
      away();
      if (client.status === 'end') leave();
    }
    disconnect(reconnect);
    if (reconnect || !unheard) return;
    client.status = 'end';
    process.nextTick(() => client.emit('end'));
  };
  client.quit = () => {
    leave();
    return quit();
  };
  client.on('ready', () => {
    if (client.status !== 'ready') return;
    attempts = 0;
    wanted.awaySince = null;
  });
  client.on('close', comeBack);
  client.on('end', () => {
    if (isClosing) leave();
    comeBack();
  });
}

/**
 * An attempt to connect that settles. A Cluster forgets its attempt, and begins another, when the nodes say that the Cluster
 * is down (upstream: "`resolve` is lost when we issue `.disconnect(true)`").
 */
function settled(client: Client, attempt: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    // What ioredis itself says of the attempt comes first: it tells the reason.
    const closed = (): void => void setImmediate(reject, new Error('Connection is closed.'));
    client.once('close', closed);
    attempt.then(resolve, reject).finally(() => client.off('close', closed));
  });
}

/** Whether a client has no connection whose end ioredis would hear: it stops its attempts without an event. */
function isUnheard(client: Client): boolean {
  return client.status === 'reconnecting' || (client.status !== 'wait' && client.nodes?.().length === 0);
}

/** How many clients of this process can be used, and how many cannot. */
export function clientStates(): { readonly ready: number; readonly away: number } {
  const away = [...clients].filter(({ awaySince }) => awaySince !== null).length;
  return { ready: clients.size - away, away };
}

/**
 * The names of clients of this process that cannot be used for a minute while another can: Redis is there, and a client
 * does not come back to it.
 */
export function stuckClients(now = performance.now()): string[] {
  const all = [...clients];
  if (all.every(({ awaySince }) => awaySince !== null)) return [];
  return all
    .filter(({ awaySince }) => awaySince !== null && now - awaySince > stuckAfterMs)
    .map(({ name }) => name);
}
