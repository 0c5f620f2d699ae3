import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { NO_FILTERS, withSchemaEngine } from './schema-engine.js';

/**
 * The SQL that would turn the database into what schema.prisma says; empty when it is that already. It does not see
 * what that file cannot say: checks, partial indexes, triggers, functions and sequences.
 */
export async function schemaDrift(databaseUrl: string, schemaPath: string): Promise<string> {
  const path = resolve(schemaPath);
  const files = [{ path, content: await readFile(path, 'utf8') }];
  return withSchemaEngine(databaseUrl, 'Comparing the schema', async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      // This names the database that the engine is connected to; nothing is read from the schema but its kind.
      from: { tag: 'schemaDatasource', files, configDir: dirname(path) },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: NO_FILTERS,
    });
    return exitCode === 0 ? '' : (stdout ?? '');
  });
}
