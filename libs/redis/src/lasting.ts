/** The part of a client of ioredis, or of its Cluster, that is used here. */
interface Client {
  status: string;
  on(event: 'ready' | 'close' | 'end', listener: () => void): unknown;
  emit(event: 'end'): unknown;
  connect(): Promise<void>;
  disconnect(reconnect?: boolean): void;
  quit(): Promise<'OK'>;
}

/** A client that its owner has not closed. */
interface Wanted {
  readonly name: string;
  /** Since when it cannot be used, by the monotonic clock; null: it can, or nobody has used it yet. */
  awaySince: number | null;
}

const clients = new Set<Wanted>();

/** A client is stuck when it cannot be used for this long while another one of the process can, in milliseconds. */
export const stuckAfterMs = 60_000;

/**
 * Keeps a client until its owner closes it, by `disconnect()` or `quit()`. ioredis gives a client up, with the event `end`,
 * when it is told to disconnect while it looks for the master: Sentinel's announcement of a fail-over does that. Such a
 * client is connected again.
 *
 * @param pauseMs the pause before an attempt
 */
export function keepConnected(client: Client, name: string, pauseMs: (attempt: number) => number): void {
  const wanted: Wanted = { name, awaySince: client.status === 'wait' ? null : performance.now() };
  let attempts = 0;
  const connect = client.connect.bind(client);
  const disconnect = client.disconnect.bind(client);
  const quit = client.quit.bind(client);
  const leave = (): void => void clients.delete(wanted);
  const away = (): void => void (wanted.awaySince ??= performance.now());
  clients.add(wanted);
  client.connect = () => {
    clients.add(wanted);
    away();
    return connect();
  };
  client.disconnect = (reconnect = false) => {
    if (!reconnect) leave();
    const wasWithoutSocket = client.status === 'reconnecting';
    disconnect(reconnect);
    if (reconnect || !wasWithoutSocket || client.status !== 'reconnecting') return;
    // ioredis stops its attempts without an event; BullMQ waits for this one before it connects again.
    client.status = 'end';
    process.nextTick(() => client.emit('end'));
  };
  client.quit = () => {
    leave();
    return quit();
  };
  client.on('ready', () => {
    attempts = 0;
    wanted.awaySince = null;
  });
  client.on('close', away);
  client.on('end', () => {
    if (!clients.has(wanted)) return;
    away();
    setTimeout(() => {
      // A refused attempt ends with the same event.
      if (clients.has(wanted) && client.status === 'end') client.connect().catch(() => undefined);
    }, pauseMs(++attempts));
  });
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
