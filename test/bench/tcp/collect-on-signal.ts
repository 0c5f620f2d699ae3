// Loaded into the processes that are measured: SIGUSR2 has them collect their garbage and write down what they hold then.
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
  // Written beside and moved over, so that a reader never sees half of it.
  writeFileSync(`${path}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${path}.new`, path);
});
