import { withAuthority } from '@muster/db';
import { readFile } from 'node:fs/promises';
import { addressOfRun } from './run-file.js';

/**
 * The address of the database: DATABASE_URL with DATABASE_CA, else that of a system that runs on this machine.
 *
 * @throws Error with a user-facing message if there is none
 */
export async function databaseOf(dataDir: string, env: NodeJS.ProcessEnv): Promise<string> {
  const url = addressOf(env, 'DATABASE_URL');
  if (url) return addressIn(env, url);
  const local = await addressOfRun(dataDir, 'databaseUrl');
  if (local) return local;
  throw new Error(
    'Set DATABASE_URL to the database, such as postgresql://user:password@host/muster, or start Muster here.',
  );
}

/**
 * The address of a store; undefined if the variable is unset.
 *
 * @throws Error if it is empty: the store of this machine would be taken instead, and nobody would notice
 */
export function addressOf(env: NodeJS.ProcessEnv, name: 'DATABASE_URL' | 'REDIS_URL'): string | undefined {
  const address = env[name];
  if (address === '')
    throw new Error(`${name} is empty. Set it to the address, or unset it to use the store on this machine.`);
  return address;
}

/** Adds the certificate authority of DATABASE_CA, which is text or `@path`. @throws Error if the file cannot be read */
export async function addressIn({ DATABASE_CA: ca }: NodeJS.ProcessEnv, url: string): Promise<string> {
  if (!ca) return url;
  if (!ca.startsWith('@')) return withAuthority(url, ca);
  const path = ca.slice(1);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`DATABASE_CA names the file ${path}, which cannot be read.`);
  });
  return withAuthority(url, text.trim());
}
