import pg, { DatabaseError } from 'pg';
import type { DatabaseAddress, ServerAddress } from './address.js';

const { Client, Pool: Connections } = pg;
type Connection = InstanceType<typeof Client>;
type ConnectionsConfig = NonNullable<ConstructorParameters<typeof Connections>[0]>;
type ClientConfig = pg.ClientConfig;

/** No server of the database is up and accepts writes. */
export class NoServer extends Error {
  readonly code = 'DatabaseNotReachable';

  constructor(tried: ReadonlyMap<string, Error>) {
    // An error of several addresses of a host has no message.
    const each = [...tried].map(
      ([name, error]) => `${name}: ${error.message || String(Reflect.get(error, 'code'))}`,
    );
    super(`no server of the database can be used (${each.join('; ')})`, {
      cause: [...tried.values()].at(-1),
    });
    this.name = 'NoServer';
  }
}

/** The server is a standby, or rejects writes for another reason. */
export class ReadOnlyServer extends Error {
  /** The SQLSTATE of a write there. */
  readonly code = '25006';

  constructor(name: string) {
    super(`${name} accepts no writes: it is a standby`);
    this.name = 'ReadOnlyServer';
  }
}

/** Starting, stopping, in recovery, or without resources: another server may do. */
const elsewhere = /^(08...|53...|57P0.|25006)$/;

/** What the driver says if no connection became free, which says nothing about the server. */
const allInUse = 'timeout exceeded when trying to connect';
/** The network's errors and the driver's have no class of their own. */
const ofConnection = new Set(['Error', 'AggregateError', 'ReadOnlyServer']);

/** Whether another server may accept a connection that this one refused. */
function isOfServer(error: unknown): error is Error {
  if (error instanceof DatabaseError) return elsewhere.test(error.code ?? '');
  return error instanceof Error && ofConnection.has(error.name) && error.message !== allInUse;
}

/** The default time limit of an attempt to connect, in milliseconds. */
const longestConnectMs = 5_000;

/** The server in use. All connections of a process share it, and go on to the next one when it fails. */
class Turn {
  private at = 0;

  constructor(readonly servers: readonly ServerAddress[]) {}

  get server(): ServerAddress {
    const server = this.servers[this.at];
    if (!server) throw new Error('an address has at least one server');
    return server;
  }

  /** Goes on to the next server, unless another connection has done so. */
  failed(server: ServerAddress): void {
    if (server === this.server) this.at = (this.at + 1) % this.servers.length;
  }
}

/** @throws ReadOnlyServer if the connection accepts no writes */
async function checkWritable(connection: Pick<Connection, 'query'>, name: string): Promise<void> {
  const { rows } = await connection.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServer(name);
}

/** A connection to the server whose turn it is. */
function clientOf(turn: Turn, attemptMs: number): typeof Client {
  return class extends Client {
    readonly server: ServerAddress;

    constructor(config?: string | ClientConfig) {
      const { server } = turn;
      const { connectionString, ssl } = server;
      const given = typeof config === 'object' ? config : {};
      // A query waits longer for a connection that others use.
      const connectionTimeoutMillis = Math.min(given.connectionTimeoutMillis ?? attemptMs, attemptMs);
      super({ ...given, connectionTimeoutMillis, connectionString, ...(ssl ? { ssl } : {}) });
      this.server = server;
    }
  };
}

function serverOf(connection: unknown): ServerAddress | undefined {
  return Object(connection) === connection ? Reflect.get(connection as object, 'server') : undefined;
}

/** Tries each server, beginning with the one whose turn it is. @throws NoServer */
async function fromAny<T>(turn: Turn, attempt: () => Promise<T>): Promise<T> {
  const tried = new Map<string, Error>();
  // Twice: other connections may have gone past a server that this one has not tried.
  for (let n = 0; n < 2 * turn.servers.length; n++) {
    const { server } = turn;
    try {
      return await attempt();
    } catch (error) {
      if (!isOfServer(error)) throw error;
      tried.set(server.name, error);
      turn.failed(server);
      if (tried.size >= turn.servers.length) break;
    }
  }
  throw new NoServer(tried);
}

/** Connections to one of several servers: each new one tries all of them, beginning with the last that worked. */
class ConnectionsToOne extends Connections {
  constructor(
    config: ConnectionsConfig,
    private readonly turn: Turn,
  ) {
    super(config);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(
    callback: (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void,
  ): void;
  override connect(
    callback?: (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void,
  ): Promise<pg.PoolClient> | void {
    const connected = fromAny(this.turn, () => super.connect());
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, () => client.release()),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }
}

/**
 * Opens the connections of a process to a database.
 *
 * @param address several servers, of which one is used at a time, or one
 */
export function openConnections(
  { servers, writable }: DatabaseAddress,
  config: ConnectionsConfig,
  attemptMs = longestConnectMs,
): InstanceType<typeof Connections> {
  const turn = new Turn(servers);
  const { onConnect } = config;
  const checked: ConnectionsConfig = {
    ...config,
    Client: clientOf(turn, attemptMs),
    onConnect: async (connection) => {
      const name = serverOf(connection)?.name ?? turn.server.name;
      if (writable) await checkWritable(connection, name);
      await onConnect?.(connection);
    },
  };
  return servers.length > 1 ? new ConnectionsToOne(checked, turn) : new Connections(checked);
}

/**
 * Opens a single connection to a server of the database.
 *
 * @throws NoServer if none is up; of one server, its error
 */
export async function connectToOne(
  { servers, writable }: DatabaseAddress,
  config: ClientConfig,
): Promise<Connection> {
  const turn = new Turn(servers);
  const attempt = async (): Promise<Connection> => {
    const { connectionString, ssl, name } = turn.server;
    const connection = new Client({ ...config, connectionString, ...(ssl ? { ssl } : {}) });
    // A loss also rejects the statement that it interrupts.
    connection.on('error', () => undefined);
    try {
      await connection.connect();
      if (writable && servers.length > 1) await checkWritable(connection, name);
      return connection;
    } catch (error) {
      // Not awaited: a peer that refused may leave its side open for ever.
      void connection.end().catch(() => undefined);
      throw error;
    }
  };
  return servers.length > 1 ? fromAny(turn, attempt) : attempt();
}
