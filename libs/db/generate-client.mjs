// Generates the Prisma client into src/generated, without a download and only if something changed. Runs before `tsc
// -b`; plain Node, because nothing is compiled yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const schemaPath = join(here, '..', '..', 'prisma', 'schema.prisma');
const output = join(here, 'src', 'generated');
const stamp = join(output, '.stamp');

const require = createRequire(import.meta.url);
const manifestPath = require.resolve('prisma/package.json');
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));

const fingerprint = createHash('sha256')
  .update(manifest.version)
  .update('\0')
  .update(readFileSync(schemaPath))
  .digest('hex');

const unchanged =
  existsSync(join(output, 'client.ts')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint;

// The migrations that a service of this version requires.
const migrations = readdirSync(join(dirname(schemaPath), 'migrations'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted();

if (!unchanged) {
  const prisma = join(dirname(manifestPath), manifest.bin.prisma);
  const run = spawnSync(process.execPath, [prisma, 'generate', '--schema', schemaPath, '--no-hints'], {
    cwd: here,
    encoding: 'utf8',
    env: {
      ...process.env,
      // `generate` requires a schema engine and would download one, but never runs it for this generator.
      PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
    },
  });
  if (run.status !== 0) {
    process.stderr.write(`prisma generate failed for ${schemaPath}\n${run.stdout ?? ''}${run.stderr ?? ''}`);
    if (run.error) process.stderr.write(`${run.error.message}\n`);
    process.exit(1);
  }
  if (!existsSync(join(output, 'client.ts'))) {
    process.stderr.write(`${schemaPath}: the generator's "output" must be "../libs/db/src/generated".\n`);
    process.exit(1);
  }
  writeFileSync(stamp, fingerprint);
}

// Written after the client, because its generator empties the folder.
const list = join(output, 'migrations.ts');
const text = `/** The migrations that this version was built with. */\nexport const migrations: readonly string[] = ${JSON.stringify(migrations, null, 2)};\n`;
if (!existsSync(list) || readFileSync(list, 'utf8') !== text) writeFileSync(list, text);
