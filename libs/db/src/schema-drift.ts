import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { NO_FILTERS, withSchemaEngine } from './schema-engine.js';

/**
 * The SQL that would bring the database to schema.prisma; empty if nothing differs. It does not cover what that file
 * cannot express: checks, partial indexes, triggers, functions and sequences.
 */
export async function schemaDrift(databaseUrl: string, schemaPath: string): Promise<string> {
  const path = resolve(schemaPath);
  const files = [{ path, content: await readFile(path, 'utf8') }];
  return withSchemaEngine(databaseUrl, 'Comparing the schema', async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      // Names the database to which the engine is connected; only the provider is read from the schema.
      from: { tag: 'schemaDatasource', files, configDir: dirname(path) },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: NO_FILTERS,
    });
    return exitCode === 0 ? '' : (stdout ?? '');
  });
}
