// Loaded into the measured processes: on SIGUSR2 they collect garbage and write their memory use to a file.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');
const folder = process.env['BENCH_MEMORY_DIR'];
process.on('SIGUSR2', () => {
  if (typeof collect !== 'function' || folder === undefined) return;
  collect();
  const path = join(folder, String(process.pid));
  // Written to a temporary file and renamed, so that a reader never sees a partial one.
  writeFileSync(`${path}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${path}.new`, path);
});
