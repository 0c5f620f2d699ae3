import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { bindMigrationAwareSqlAdapterFactory, isDriverAdapterError } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { connectForMigrations } from './migration-connection.js';
import { webAssembly } from './webassembly.js';

/** Everything in the schema is ours; nothing is left to other tools. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

/** What the module said when it broke; it looks for this name on the global object. */
const panics: string[] = [];

/**
 * The module's own setTimeout, whose name ends in a hash. It guards a lock for ten seconds and is never cleared; left
 * as it is it would keep a process that has migrated alive as long.
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
 * The bindings know one instance of the module; a second would take the memory away from engines in use. A process may have
 * this file twice (a test runner that loads sources for each of its projects), so the instance is kept for the process.
 */
const once = Symbol.for('muster.schema-engine');

function loaded(): Promise<void> {
  const known: unknown = Reflect.get(globalThis, once);
  if (known instanceof Promise) return known;
  const loading = load();
  Reflect.set(globalThis, once, loading);
  return loading;
}

/** What went wrong, without the engine's stack of Rust functions but with the migration it names. */
function plain(error: unknown): string {
  const panic = panics.splice(0).join(' ');
  if (panic) return panic;
  if (isDriverAdapterError(error)) {
    const { cause } = error;
    if (cause.kind === 'DatabaseNotReachable') return `nothing answers at ${cause.host}:${cause.port}`;
    return cause.originalMessage ?? error.message;
  }
  const message = error instanceof Error ? error.message : String(error);
  const migration = /migration_name="([^"]+)"/.exec(message)?.[1];
  const said = (message.split(/\n\s+0: /)[0] ?? message).replace('external connector error\n', '').trim();
  return migration ? `${said} (in ${migration})` : said;
}

/**
 * Runs `work` with Prisma's schema engine, which needs no download, over a single connection to `databaseUrl`.
 *
 * @param doing said in the error when it fails, e.g. "Applying migrations"
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  doing: string,
  work: (engine: bindings.SchemaEngine) => Promise<T>,
): Promise<T> {
  await loaded();
  const connection = await connectForMigrations(databaseUrl);
  const bound = bindMigrationAwareSqlAdapterFactory({
    provider: connection.provider,
    adapterName: connection.adapterName,
    connect: () => Promise.resolve(connection),
    // The adapter's own would take the main database for its shadow when it is given a URL.
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
    throw new Error(`${doing} failed: ${plain(error)}`, { cause: error });
  } finally {
    await connection.dispose();
  }
}
