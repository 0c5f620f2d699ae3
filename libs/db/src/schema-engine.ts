import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { bindMigrationAwareSqlAdapterFactory, isDriverAdapterError } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { connectForMigrations, type LockPatience } from './migration-connection.js';
import { webAssembly } from './webassembly.js';

/** All objects in the schema belong to Muster; nothing is excluded. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

/** The module's panic messages; it looks for this name on the global object. */
const panics: string[] = [];

/**
 * The module's `setTimeout`, whose name ends in a hash. It guards a lock for ten seconds and is never cleared, so it
 * would keep a process alive that long after a migration.
 */
function timers(): Record<string, unknown> {
  const names = Object.keys(bindings).filter((name) => name.startsWith('__wbg_setTimeout_'));
  const unheld = (callback: () => void, ms: number): NodeJS.Timeout => setTimeout(callback, ms >>> 0).unref();
  return Object.fromEntries(names.map((name) => [name, unheld]));
}

async function load(): Promise<void> {
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const module = await webAssembly.compile(await readFile(script.replace(/\.js$/, '.wasm')));
  const instance = await webAssembly.instantiate(module, {
    './schema_engine_bg.js': { ...bindings, ...timers() },
  });
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => panics.push(message) },
  });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start === 'function') start();
}

/**
 * The bindings support one instance of the module; a second would invalidate the memory of engines in use. A process
 * may load this file twice (a test runner that loads sources per project), so the instance is stored per process.
 */
const once = Symbol.for('muster.schema-engine');

function loaded(): Promise<void> {
  const known: unknown = Reflect.get(globalThis, once);
  if (known instanceof Promise) return known;
  const loading = load();
  Reflect.set(globalThis, once, loading);
  return loading;
}

/** The error without the engine's Rust stack, with the migration that it names. */
function messageOf(error: unknown): string {
  const panic = panics.splice(0).join(' ');
  if (panic) return panic;
  if (isDriverAdapterError(error)) {
    const { cause } = error;
    if (cause.kind === 'DatabaseNotReachable') return `nothing answers at ${cause.host}:${cause.port}`;
    return cause.originalMessage ?? error.message;
  }
  const message = error instanceof Error ? error.message : String(error);
  const migration = /migration_name="([^"]+)"/.exec(message)?.[1];
  const text = (message.split(/\n\s+0: /)[0] ?? message).replace('external connector error\n', '').trim();
  return migration ? `${text} (in ${migration})` : text;
}

/**
 * Runs `work` with Prisma's schema engine, without a download, over a single connection to `databaseUrl`.
 *
 * @param doing the activity named in an error, e.g. "Applying migrations"
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  doing: string,
  work: (engine: bindings.SchemaEngine) => Promise<T>,
  patience?: LockPatience,
): Promise<T> {
  await loaded();
  const connection = await connectForMigrations(databaseUrl, patience);
  const bound = bindMigrationAwareSqlAdapterFactory({
    provider: connection.provider,
    adapterName: connection.adapterName,
    connect: () => Promise.resolve(connection),
    // Given a URL, the adapter's own would use the main database as its shadow.
    connectToShadowDb: () => Promise.reject(new Error('A shadow database is never used here.')),
  });
  try {
    const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, bound);
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } catch (error) {
    throw new Error(`${doing} failed: ${messageOf(error)}`, { cause: error });
  } finally {
    await connection.dispose();
  }
}
