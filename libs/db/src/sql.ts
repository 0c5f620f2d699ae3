import { DatabaseError, type PoolClient as Connection, type QueryResult, types } from 'pg';
import { NotMigrated } from './not-migrated.js';
import { RoleRefused } from './roles.js';
import type { openConnections } from './servers/servers.js';
import { SqlPart, sqlPart } from './sql-part.js';

/** The driver's connections of one process. */
type Connections = ReturnType<typeof openConnections>;

/**
 * Statements as tagged templates: values become parameters, and a {@link sqlPart} among them becomes a part of the statement.
 */
export interface Sql {
  /** @returns the rows, with `bigint` for `int8` and `Date` for timestamps */
  $queryRaw<T = unknown>(text: TemplateStringsArray | SqlPart, ...values: unknown[]): Promise<T>;
  /** @returns the number of rows that were written */
  $executeRaw(text: TemplateStringsArray | SqlPart, ...values: unknown[]): Promise<number>;
}

/** Adds to transactions, such as a row of the audit log to those of an operator's call. */
export interface CommitHook {
  /** Whether the next change is added to: then even a single statement runs in a transaction. */
  isDue(): boolean;
  /** @returns what runs as the last step of the transaction; that returns what is to be done once the commit is certain */
  begin(sql: Sql): Promise<() => Promise<() => void>>;
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

type Tag = (text: TemplateStringsArray | SqlPart, values: readonly unknown[]) => Query;

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
    const query =
      parts instanceof SqlPart
        ? parts
        : values.some((value) => value instanceof SqlPart)
          ? sqlPart(parts, ...values)
          : { text: textOf(parts), values };
    return { text: query.text, values: [...query.values], name: nameOf({ sql: query.text }) };
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
    readonly connections: () => Connections | Connection,
    protected readonly tag: Tag,
  ) {}

  async $queryRaw<T>(text: TemplateStringsArray | SqlPart, ...values: unknown[]): Promise<T> {
    const { rows } = await this.run(this.tag(text, values));
    return rows as T;
  }

  async $executeRaw(text: TemplateStringsArray | SqlPart, ...values: unknown[]): Promise<number> {
    const { rowCount } = await this.run(this.tag(text, values));
    return rowCount ?? 0;
  }

  private run(query: Query): Promise<QueryResult> {
    return answered(this.connections().query({ ...query, types: readTypes }));
  }
}

/** Runs statements on the driver itself. */
export class Statements extends Runner {
  /**
   * @param connections returns the open connections of the driver; new ones after they were closed
   * @param hook adds to transactions
   */
  constructor(
    override readonly connections: () => Connections,
    nameOf: StatementNames,
    private readonly hook: CommitHook | undefined,
  ) {
    super(connections, tagOf(nameOf));
  }

  override $queryRaw<T>(text: TemplateStringsArray | SqlPart, ...values: unknown[]): Promise<T> {
    return this.hook?.isDue()
      ? this.transaction((sql) => sql.$queryRaw<T>(text, ...values))
      : super.$queryRaw<T>(text, ...values);
  }

  override $executeRaw(text: TemplateStringsArray | SqlPart, ...values: unknown[]): Promise<number> {
    return this.hook?.isDue()
      ? this.transaction((sql) => sql.$executeRaw(text, ...values))
      : super.$executeRaw(text, ...values);
  }

  /**
   * Runs statements in one transaction, on one connection.
   *
   * @param limitMs a transaction that takes longer is rolled back
   * @throws what the step throws, after the rollback
   */
  async transaction<T>(step: (sql: Sql) => Promise<T>, limitMs = transactionMs): Promise<T> {
    const connection = await answered(this.connections().connect());
    const loss = lossOf(connection, limitMs);
    let broken: Error | undefined;
    try {
      await answered(connection.query('BEGIN'));
      const sql = new Runner(() => connection, this.tag);
      const last = this.hook?.isDue() ? await this.hook.begin(sql) : undefined;
      const result = await Promise.race([step(sql), loss.happened]);
      const committed = await last?.();
      const { command } = await answered(connection.query('COMMIT'));
      // COMMIT becomes ROLLBACK when a statement failed and the step caught its error.
      if (command !== 'COMMIT')
        throw new Error('a statement of the transaction failed: nothing of it is kept');
      committed?.();
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
