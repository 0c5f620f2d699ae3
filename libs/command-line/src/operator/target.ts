import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOfRun } from './run-file.js';

/** The address and operator key of a coordinator. */
export interface Target {
  readonly url: string;
  readonly operatorKey: string;
}

/** The address options of the command line. */
export interface TargetOptions {
  readonly url?: string;
  readonly operatorKey?: string;
  readonly dataDir: string;
}

const defaultUrl = 'http://127.0.0.1:8080';

/**
 * Finds the coordinator and its operator key: on the command line, else in the environment, else in the data directory
 * of a local system.
 *
 * @throws Error with a user-facing message without a key or with an invalid address
 */
export async function findTarget(options: TargetOptions, env: NodeJS.ProcessEnv): Promise<Target> {
  const url =
    options.url ??
    (env['MUSTER_URL'] || undefined) ??
    (await addressOfRun(options.dataDir, 'url')) ??
    defaultUrl;
  checkAddress(url);
  return {
    url,
    operatorKey:
      options.operatorKey ?? (env['MUSTER_OPERATOR_KEY'] || undefined) ?? (await keyIn(options.dataDir)),
  };
}

/** @throws Error with a user-facing message for what is not an address of Muster */
export function checkAddress(url: string): void {
  if (!URL.canParse(url) || !/^https?:\/\//.test(url))
    throw new Error(`"${url}" is not an address; give one such as ${defaultUrl} with --url.`);
}

async function keyIn(dataDir: string): Promise<string> {
  const path = join(dataDir, 'keys', 'operator.key');
  const key = await readFile(path, 'utf8').catch(() => '');
  if (key.trim() !== '') return key.trim();
  throw new Error(
    `There is no operator key in ${path}: start Muster here with "npm start", or give --data-dir or --operator-key.`,
  );
}
