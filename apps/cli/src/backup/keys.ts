import { own } from '@muster/domain';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const one = z.looseObject({ kty: z.string() });
const set = z.object({ keys: z.array(one) });

/** The settings of signing keys, and their files in the data directory of a local system. */
const settings: ReadonlyMap<string, string> = new Map([
  ['COORDINATOR_KEY', 'coordinator.jwk'],
  ['PLAYER_JWKS', 'login.jwk'],
]);

/** Text, or `@path` of a file, as services read it. */
async function textOf(value: string): Promise<string> {
  return value.startsWith('@') ? readFile(value.slice(1), 'utf8') : value;
}

async function printsOf(setting: string, text: string): Promise<string[]> {
  try {
    // Two keys with white space between them are those of a rotation.
    const keys = text
      .trim()
      .split(/(?<=\})\s+(?=\{)/)
      .flatMap((each): readonly JWK[] => {
        const parsed: unknown = JSON.parse(each);
        const whole = set.safeParse(parsed);
        return whole.success ? whole.data.keys : [one.parse(parsed)];
      });
    return await Promise.all(keys.map((key) => calculateJwkThumbprint(key)));
  } catch {
    throw new Error(`${setting} is not a key in JWK form.`);
  }
}

/** The directory of a local system, and whether a user named it. */
export interface DataDir {
  readonly dataDir: string;
  readonly dataDirNamed: boolean;
}

/**
 * The thumbprints of the signing keys: of the environment, else of a local system. A thumbprint is of the public half.
 * Beside DATABASE_URL, files are read only from a directory that the user named: others are of another system.
 *
 * @returns by setting; a setting without a key is left out
 * @throws Error with a user-facing message for a key that cannot be read
 */
export async function keyThumbprints(
  { dataDir, dataDirNamed }: DataDir,
  env: NodeJS.ProcessEnv,
): Promise<Record<string, string[]>> {
  const prints: [string, string[]][] = [];
  const isLocal = dataDirNamed || !env['DATABASE_URL'];
  for (const [setting, file] of settings) {
    const given = own(env, setting);
    const text = given
      ? await textOf(given).catch(() => {
          throw new Error(`${setting} names the file ${given.slice(1)}, which cannot be read.`);
        })
      : isLocal
        ? await readFile(join(dataDir, 'keys', file), 'utf8').catch(() => null)
        : null;
    if (text !== null) prints.push([setting, await printsOf(setting, text)]);
  }
  return Object.fromEntries(prints);
}
