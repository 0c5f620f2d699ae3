import type { ElapsedTime } from '@muster/domain';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** The time of this process. One poll of the event loop finds the requests of all sockets. */
export const processTime: ElapsedTime = {
  now: () => performance.now(),
  sleep: (ms) => sleep(ms),
  arrived: () => nextTurn(),
};
