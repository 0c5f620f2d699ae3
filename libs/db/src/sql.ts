import type { DatabaseAddress } from './address.js';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { DatabaseError, type PoolClient as Connection, type QueryResult, types } from 'pg';
import { Prisma } from './generated/client.js';
import { NotMigrated } from './migrated.js';
import { RoleRefused } from './roles.js';
import { openConnections } from './servers.js';

/** The driver's connections of one process. */
type Connections = ReturnType<typeof openConnections>;
type ConnectionsConfig = Parameters<typeof openConnections>[1];
type PrismaPgOptions = NonNullable<ConstructorParameters<typeof PrismaPg>[1]>;

/**
 * Statements as tagged templates: values become parameters, and a `Prisma.sql` among them becomes a part of the statement.
 */
export interface Sql {
  /** @returns the rows, with `bigint` for `int8` and `Date` for timestamps */
  $queryRaw<T = unknown>(text: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<T>;
  /** @returns the number of rows that were written */
  $executeRaw(text: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>;
}

/** The connection to the database was refused, lost, or not free in time. */
export class ConnectionFailed extends Error {
  readonly code = 'ConnectionClosed';

  constructor(override readonly cause: Error) {
    super(cause.message);
    this.name = 'ConnectionFailed';
  }
}

/** A statement and its parameters, as the driver takes them. */
interface Query {
  readonly text: string;
  readonly values: unknown[];
  readonly name: string;
}

/** @returns the name under which a statement stays prepared; empty when it does not */
export type StatementNames = (statement: { readonly sql: string }) => string;

type Tag = (text: TemplateStringsArray | Prisma.Sql, values: readonly unknown[]) => Query;

/** The text of a template is built once per call site. */
function tagOf(nameOf: StatementNames): Tag {
  const texts = new WeakMap<TemplateStringsArray, string>();
  const textOf = (parts: TemplateStringsArray): string => {
    const known = texts.get(parts);
    if (known !== undefined) return known;
    const text = parts.reduce((before, part, i) => `${before}$${i}${part}`);
    texts.set(parts, text);
    return text;
  };
  return (parts, values) => {
    const isWhole = !(parts instanceof Prisma.Sql) && !values.some((value) => value instanceof Prisma.Sql);
    if (isWhole) {
      const text = textOf(parts);
      return { text, values: [...values], name: nameOf({ sql: text }) };
    }
    const { text, values: all } = parts instanceof Prisma.Sql ? parts : Prisma.sql(parts, ...values);
    return { text, values: all, name: nameOf({ sql: text }) };
  };
}

/** The driver returns `int8` as text, which does not compare like a number. */
const int8 = 20;
const readTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? BigInt : types.getTypeParser(oid, format),
};

/** Long enough for a busy small machine, short enough that a stuck lock becomes an error that a retry mends. */
const transactionMs = 15_000;

/** Errors that are not about the connection: the database's own, those of taking a role, and faults of ours. */
const ownErrors = [DatabaseError, NotMigrated, RoleRefused, TypeError];

/** @throws ConnectionFailed for an error of the connection */
async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const isOwn = !(error instanceof Error) || ownErrors.some((own) => error instanceof own);
    throw isOwn ? error : new ConnectionFailed(error);
  }
}

/** Runs statements on one connection, or each on any of several. */
class Runner implements Sql {
  constructor(
    private readonly connection: Connections | Connection,
    private readonly tag: Tag,
  ) {}

  async $queryRaw<T>(text: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<T> {
    const { rows } = await this.run(this.tag(text, values));
    return rows as T;
  }

  async $executeRaw(text: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number> {
    const { rowCount } = await this.run(this.tag(text, values));
    return rowCount ?? 0;
  }

  private run(query: Query): Promise<QueryResult> {
    return answered(this.connection.query({ ...query, types: readTypes }));
  }
}

/**
 * Runs statements on the driver itself. Prisma takes as much processor time to pass a small statement on as the database takes to
 * run it, and its engine takes 0.4 s and 100 MB to start.
 */
export class Statements implements Sql {
  private readonly tag: Tag;

  /** @param open returns the open connections */
  constructor(
    private readonly open: () => Connections,
    nameOf: StatementNames,
  ) {
    this.tag = tagOf(nameOf);
  }

  $queryRaw<T>(text: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<T> {
    return new Runner(this.open(), this.tag).$queryRaw(text, ...values);
  }

  $executeRaw(text: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number> {
    return new Runner(this.open(), this.tag).$executeRaw(text, ...values);
  }

  /**
   * Runs statements in one transaction, on one connection.
   *
   * @param limitMs a transaction that takes longer is rolled back
   * @throws what the step throws, after the rollback
   */
  async transaction<T>(step: (sql: Sql) => Promise<T>, limitMs = transactionMs): Promise<T> {
    const connection = await answered(this.open().connect());
    const loss = lossOf(connection, limitMs);
    let broken: Error | undefined;
    try {
      await answered(connection.query('BEGIN'));
      const result = await Promise.race([step(new Runner(connection, this.tag)), loss.happened]);
      const { command } = await answered(connection.query('COMMIT'));
      // COMMIT becomes ROLLBACK when a statement failed and the step caught its error.
      if (command !== 'COMMIT')
        throw new Error('a statement of the transaction failed: nothing of it is kept');
      return result;
    } catch (error) {
      // A server that became a standby stays one: the next transaction needs another connection.
      broken = loss.error ?? (await rollback(connection)) ?? readOnly(error);
      throw error;
    } finally {
      loss.ignore();
      connection.release(broken);
    }
  }
}

/** @returns why the connection cannot be used again, if so */
async function rollback(connection: Connection): Promise<Error | undefined> {
  try {
    await connection.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** @returns the error if the server accepts no writes */
function readOnly(error: unknown): Error | undefined {
  return error instanceof DatabaseError && error.code === '25006' ? error : undefined;
}

interface Loss {
  /** Rejects when the connection is lost, or the time is over. */
  readonly happened: Promise<never>;
  readonly error: Error | undefined;
  ignore(): void;
}

/** A step may wait for something else while its connection is lost, and without a listener the loss would end the process. */
function lossOf(connection: Connection, limitMs: number): Loss {
  const loss: { error: Error | undefined } = { error: undefined };
  let lose = (_error: Error): void => undefined;
  const happened = new Promise<never>((_resolve, reject) => {
    lose = (error) => {
      loss.error = error;
      reject(new ConnectionFailed(error));
    };
  });
  // It may reject while nothing awaits it.
  happened.catch(() => undefined);
  connection.on('error', lose);
  const timer = setTimeout(() => lose(new Error(`a transaction took longer than ${limitMs} ms`)), limitMs);
  return {
    happened,
    get error() {
      return loss.error;
    },
    ignore() {
      clearTimeout(timer);
      connection.off('error', lose);
    },
  };
}

/** Opens the connections of a process, which Prisma borrows when it is first used. */
export class Lender implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider = 'postgres';
  readonly adapterName = '@muster/db';
  private connections: Connections | undefined;

  constructor(
    private readonly address: DatabaseAddress,
    private readonly config: ConnectionsConfig,
    private readonly options: PrismaPgOptions,
  ) {}

  /** @returns the open connections; new ones after they were closed */
  open(): Connections {
    if (!this.connections) {
      this.connections = openConnections(this.address, this.config);
      // An idle connection that is lost is replaced. Without a listener, the loss would end the process.
      this.connections.on('error', () => undefined);
    }
    return this.connections;
  }

  async close(): Promise<void> {
    const { connections } = this;
    this.connections = undefined;
    await connections?.end();
  }

  connect(): ReturnType<PrismaPg['connect']> {
    return new PrismaPg(this.open(), this.options).connect();
  }

  connectToShadowDb(): ReturnType<PrismaPg['connectToShadowDb']> {
    return new PrismaPg(this.open(), this.options).connectToShadowDb();
  }
}
