import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandOf } from './command-of.js';

/** Stores end after the services that are connected to them. */
const stores = ['redis', 'postgres'];
/** Command lines of what a run starts: another process may have the id of one that ended. */
const startedByRun = /[\\/]dist[\\/][\w.-]+\.js|tools[\\/]start\.mjs|-server 127\.0\.0\.1:|postgres.* -D /;

/** What a data directory's run file says of processes. */
interface RunProcesses {
  readonly launcher: number | null;
  /** In the order in which to end them. */
  readonly pids: readonly number[];
}

/**
 * How to end the run that uses a data directory, as sentences: by its launcher while that runs, else all processes that it left.
 *
 * @param found the process that was found to run there
 * @param commands the command line of a process; null if none runs
 */
export async function howToStop(
  dataDir: string,
  found: number,
  commands: (pid: number) => Promise<string | null> = commandOf,
): Promise<string> {
  const { launcher, pids } = await processesOf(dataDir);
  const isOurs = async (pid: number): Promise<boolean> => startedByRun.test((await commands(pid)) ?? '');
  if (launcher !== null && (await isOurs(launcher)))
    return `another \`muster up\` uses this data directory. Stop it with Ctrl-C (or \`kill ${launcher}\`), or choose another data directory.`;
  const running = await Promise.all(pids.map(async (pid) => ((await isOurs(pid)) ? [pid] : [])));
  const left = running.flat();
  const all = left.includes(found) ? left : [...left, found];
  return (
    'a `muster up` that was killed left it behind, or another one uses this data directory. ' +
    `End all that still runs with \`kill ${all.join(' ')}\` and start again in some seconds, or choose another data directory.`
  );
}

/** Nothing of a file that is missing or damaged. */
async function processesOf(dataDir: string): Promise<RunProcesses> {
  try {
    const run: unknown = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8'));
    const { launcher, pids } = run as { launcher?: unknown; pids?: Record<string, unknown> };
    const named = Object.entries(pids ?? {}).filter((each): each is [string, number] => isPid(each[1]));
    const rank = ([name]: readonly [string, number]): number => stores.indexOf(name);
    return {
      launcher: isPid(launcher) ? launcher : null,
      pids: named.toSorted((a, b) => rank(a) - rank(b)).map(([, pid]) => pid),
    };
  } catch {
    return { launcher: null, pids: [] };
  }
}

function isPid(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
