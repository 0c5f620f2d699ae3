// Builds the operators' dashboard with Vite, into files that the edge serves as they are.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { dependenciesOf } from './dev/affected.mjs';
import { sourcesOf } from './prepare/built.mjs';
import { checkout } from './prepare/checkout.mjs';
import { noteShipped } from './shipped.mjs';

/** Smaller files fit into one packet anyhow. */
const leastBytes = 1_024;
/** A package, and all of ours that it depends on. */
function withDependencies(folder, dependencies, known = new Set()) {
  known.add(folder);
  for (const other of dependencies.get(folder) ?? [])
    if (!known.has(other)) withDependencies(other, dependencies, known);
  return [...known];
}

/** @param folder where the pages are written to; it is replaced */
export async function buildDashboard(folder) {
  // React decides by it which of its builds is used.
  process.env.NODE_ENV = 'production';
  // Loaded here, as other builds need no Vite.
  const { build } = await import('vite');
  const configFile = join(checkout, 'apps/dashboard/vite.config.ts');
  const { output } = await build({ configFile, logLevel: 'warn', build: { outDir: folder } });
  noteShipped(output, folder);
  await compress(join(folder, 'assets'));
}

/** Writes each file as Brotli and as gzip beside it, so that the edge computes nothing. */
async function compress(folder) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      const content = await readFile(path);
      if (content.length <= leastBytes) return;
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
      await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

/** Puts the dashboard into a new build: that of the build before, if nothing has changed that it is made from. */
export async function placeDashboard(before, fresh) {
  const [old, folder] = [join(before, 'dashboard'), join(fresh, 'dashboard')];
  const packages = withDependencies('apps/dashboard', dependenciesOf(checkout));
  const madeFrom = sourcesOf(checkout, [...packages, 'tools']);
  const stamp = join(old, '.made-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === madeFrom)
    return cpSync(old, folder, { recursive: true });
  await buildDashboard(folder);
  writeFileSync(join(folder, '.made-from'), madeFrom);
}
