import type { Stack } from '../../support/stack.js';
import { stop } from '../stall/stopping.js';
import type { Row } from './row.js';

/** The processes of services or stores, also of their replicas, such as `queue-2` of `queue`. */
export async function pidsOf(stack: Stack, names: readonly string[]): Promise<number[]> {
  const found = Object.entries(await stack.pids())
    .filter(([name]) => names.includes(name.replace(/-\d+$/, '')))
    .map(([, pid]) => pid);
  if (found.length === 0) throw new Error(`nothing that runs is called ${names.join(' or ')}`);
  return found;
}

const nothing = (): Promise<void> => Promise.resolve();

/** All replicas of a service are killed at once. */
export function kill(title: string, names: readonly string[] = [title]): Row {
  return {
    name: `kill-${names.length === 1 ? title : 'all-services'}`,
    what: `SIGKILL of ${title}`,
    seconds: 0,
    begin: async ({ stack }) => {
      for (const pid of await pidsOf(stack, names)) process.kill(pid, 'SIGKILL');
      return nothing;
    },
  };
}

/** All replicas of a service, or a store, are stopped and resumed. */
export function stopFor(name: string, seconds: number, title = `stop-${name}`): Row {
  return {
    name: title,
    what: `SIGSTOP of ${name} for ${seconds} s`,
    seconds,
    begin: async ({ stack }) => {
      const resume = stop(await pidsOf(stack, [name]));
      return async () => resume();
    },
  };
}
