import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The coordinator to talk to. */
export interface Target {
  readonly url: string;
  readonly operatorKey: string;
}

/** What was said about it on the command line. */
export interface TargetOptions {
  readonly url?: string;
  readonly operatorKey?: string;
  readonly dataDir: string;
}

const usualUrl = 'http://127.0.0.1:8080';

/**
 * Finds the coordinator and its operator key: what the command line says, else the environment, else what a system that
 * runs on this machine left in its data directory.
 *
 * @throws Error with a sentence for people when there is no key, or an address that is none
 */
export async function findTarget(options: TargetOptions, env: NodeJS.ProcessEnv): Promise<Target> {
  const url =
    options.url ?? (env['MUSTER_URL'] || undefined) ?? (await urlOfRun(options.dataDir)) ?? usualUrl;
  if (!URL.canParse(url) || !/^https?:\/\//.test(url)) {
    throw new Error(`"${url}" is not an address; give one such as ${usualUrl} with --url.`);
  }
  return {
    url,
    operatorKey:
      options.operatorKey ?? (env['MUSTER_OPERATOR_KEY'] || undefined) ?? (await keyIn(options.dataDir)),
  };
}

async function keyIn(dataDir: string): Promise<string> {
  const path = join(dataDir, 'keys', 'operator.key');
  const key = await readFile(path, 'utf8').catch(() => '');
  if (key.trim() !== '') return key.trim();
  throw new Error(
    `There is no operator key in ${path}: start Muster here with "npm start", or say which with --data-dir or --operator-key.`,
  );
}

async function urlOfRun(dataDir: string): Promise<string | undefined> {
  try {
    const run: unknown = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8'));
    const url = typeof run === 'object' && run !== null && 'url' in run ? run.url : undefined;
    return typeof url === 'string' ? url : undefined;
  } catch {
    // Nothing runs here, or it is just starting: the usual address is as good a guess as any.
    return undefined;
  }
}
