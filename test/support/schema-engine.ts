import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type ColumnType,
  ColumnTypeEnum,
  isDriverAdapterError,
  type SqlDriverAdapter,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

// Prisma's own schema engine: what `prisma migrate` runs, without its download.

/** All objects in the schema belong to Muster; nothing is excluded. */
const filters = { externalTables: [], externalEnums: [] };

interface WebAssembly {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(
    module: object,
    imports: Record<string, object>,
  ): Promise<{ readonly exports: Readonly<Record<string, unknown>> }>;
}

const surroundings: object = globalThis;
/** Node has WebAssembly, but neither its types nor ES2023 declare it; these are the parts in use. */
const webAssembly = Reflect.get(surroundings, 'WebAssembly') as WebAssembly;

async function load(): Promise<void> {
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const module = await webAssembly.compile(await readFile(script.replace(/\.js$/, '.wasm')));
  const { exports } = await webAssembly.instantiate(module, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(exports);
  const start = exports['__wbindgen_start'];
  if (typeof start === 'function') start();
}

let loaded: Promise<void> | undefined;

/** Types of the system catalogue by oid. The adapter supports all but `"char"` (18), on which it fails. */
const catalogueTypes: Readonly<Record<number, ColumnType>> = {
  16: ColumnTypeEnum.Boolean,
  18: ColumnTypeEnum.Character,
  19: ColumnTypeEnum.Text,
  20: ColumnTypeEnum.Int64,
  21: ColumnTypeEnum.Int32,
  23: ColumnTypeEnum.Int32,
  25: ColumnTypeEnum.Text,
  26: ColumnTypeEnum.Int64,
};

async function connect(url: string): Promise<SqlDriverAdapter> {
  const adapter = await new PrismaPg({ connectionString: url, max: 1, idleTimeoutMillis: 0 }).connect();
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    executeRaw: (query) => adapter.executeRaw(query),
    startTransaction: (level) => adapter.startTransaction(level),
    getConnectionInfo: () => adapter.getConnectionInfo(),
    dispose: () => adapter.dispose(),
    async queryRaw(query) {
      try {
        return await adapter.queryRaw(query);
      } catch (error) {
        if (!isDriverAdapterError(error) || error.cause.kind !== 'UnsupportedNativeDataType') throw error;
        const { fields, rows } = await adapter
          .underlyingDriver()
          .query<unknown[]>({ text: query.sql, values: query.args, rowMode: 'array' });
        const columnTypes = fields.map((field) => {
          const type = catalogueTypes[field.dataTypeID];
          if (type === undefined) throw error;
          return type;
        });
        return { columnNames: fields.map((field) => field.name), columnTypes, rows };
      }
    },
    // The adapter splits scripts at every ";", also within function bodies and comments.
    async executeScript(script) {
      await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
    },
  };
}

/** Runs `work` with the engine, over a single connection. */
async function withSchemaEngine<T>(
  databaseUrl: string,
  work: (engine: bindings.SchemaEngine) => Promise<T>,
): Promise<T> {
  loaded ??= load();
  await loaded;
  const connection = await connect(databaseUrl);
  const bound = bindMigrationAwareSqlAdapterFactory({
    provider: connection.provider,
    adapterName: connection.adapterName,
    connect: () => Promise.resolve(connection),
    connectToShadowDb: () => Promise.reject(new Error('A shadow database is never used here.')),
  });
  try {
    const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, bound);
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await connection.dispose();
  }
}

/**
 * The SQL that would bring the database to schema.prisma; empty if nothing differs. It does not cover what that file
 * cannot express: checks, partial indexes, triggers, functions and sequences.
 */
export async function schemaDrift(databaseUrl: string, schemaPath: string): Promise<string> {
  const path = resolve(schemaPath);
  const files = [{ path, content: await readFile(path, 'utf8') }];
  return withSchemaEngine(databaseUrl, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      // Names the database to which the engine is connected; only the provider is read from the schema.
      from: { tag: 'schemaDatasource', files, configDir: dirname(path) },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters,
    });
    return exitCode === 0 ? '' : (stdout ?? '');
  });
}

async function listOf(directory: string): Promise<Parameters<bindings.SchemaEngine['applyMigrations']>[0]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
  const migrationDirectories = await Promise.all(
    names.map(async (name) => {
      const value = await readFile(join(directory, name, 'migration.sql'), 'utf8');
      return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } } };
    }),
  );
  const content = await readFile(join(directory, 'migration_lock.toml'), 'utf8');
  const lockfile = { path: 'migration_lock.toml', content };
  return {
    migrationsList: { baseDir: directory, lockfile, shadowDbInitScript: '', migrationDirectories },
    filters,
  };
}

/** What `prisma migrate status` reports. */
export async function prismaStatus(
  databaseUrl: string,
  directory: string,
): ReturnType<bindings.SchemaEngine['diagnoseMigrationHistory']> {
  const list = await listOf(directory);
  return withSchemaEngine(databaseUrl, (engine) =>
    engine.diagnoseMigrationHistory({ ...list, optInToShadowDatabase: false }),
  );
}

/** `prisma migrate deploy`. @returns the names of the migrations applied now */
export async function prismaDeploy(databaseUrl: string, directory: string): Promise<readonly string[]> {
  const list = await listOf(directory);
  const { appliedMigrationNames } = await withSchemaEngine(databaseUrl, (engine) =>
    engine.applyMigrations(list),
  );
  return appliedMigrationNames;
}
