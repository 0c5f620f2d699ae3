import { own } from '@muster/domain';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { found, type Finding, type Patient } from './finding.js';

const shortest = 24;
const usual = /^(.)\1*$|secret|password|changeme|change-me|example|operator|server|muster|test|1234/i;
const isWeak = (key: string): boolean =>
  key !== '' && (key.length < shortest || (key.length < 32 && usual.test(key)));

/** Settings in the environment and in the data directory that contradict each other or are easy to guess. */
export async function settingFindings({ env, dataDir }: Patient): Promise<Finding[]> {
  const [operator, server] = await Promise.all([
    secretOf('OPERATOR_KEY', 'operator.key', env, dataDir),
    secretOf('SERVER_KEY', 'server.key', env, dataDir),
  ]);
  return [
    ...Object.entries({ OPERATOR_KEY: operator, SERVER_KEY: server }).flatMap(([name, secret]) =>
      found(
        secret.split(/\s+/).some(isWeak),
        `${name} is easy to guess: it is short, or made of usual words.`,
        'Whoever knows it acts as an operator or as a game server.',
        'Make one with "muster keys make", or "openssl rand -hex 32", and give it to the services.',
      ),
    ),
    ...found(
      operator !== '' && operator === server,
      'OPERATOR_KEY and SERVER_KEY are the same.',
      'Every game server could do what operators can.',
      'Give the services two different keys.',
    ),
    ...found(
      !env['DATABASE_URL'] && Boolean(env['DATABASE_READ_URL']),
      'DATABASE_READ_URL is set, and DATABASE_URL is not.',
      'A replica for reading belongs to a database.',
      'Set DATABASE_URL too, or neither.',
    ),
  ];
}

/** A secret as the services read it: text, or `@file`; else that of the data directory; empty without one. */
async function secretOf(
  name: string,
  file: string,
  env: NodeJS.ProcessEnv,
  dataDir: string,
): Promise<string> {
  const given = own(env, name) || `@${join(dataDir, 'keys', file)}`;
  const text = given.startsWith('@') ? await readFile(given.slice(1), 'utf8').catch(() => '') : given;
  return text.trim();
}
