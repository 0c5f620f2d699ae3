// Loaded into the processes that are measured: SIGUSR2 has them collect their garbage, so that what is left is what they hold.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');
process.on('SIGUSR2', () => {
  if (typeof collect === 'function') collect();
});
