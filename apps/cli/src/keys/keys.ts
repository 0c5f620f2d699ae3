import { readKeys } from '@muster/embedded';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory, whyOf } from '../directory.js';

/**
 * Makes the missing keys of a data directory, and the file of public keys that services need for `PLAYER_JWKS`.
 *
 * @returns lines that name each setting and its file
 * @throws Error with a user-facing message if the directory cannot be written
 */
export async function makeKeys(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'keys');
  const players = join(folder, 'players.jwks');
  try {
    await makeDirectory(folder, 0o700);
    const { playerJwks } = await readKeys(dataDir);
    // Moved into place: a service may read it at this moment.
    await writeFile(`${players}.new`, `${playerJwks}\n`, { mode: 0o600 });
    await rename(`${players}.new`, players);
  } catch (error) {
    throw new Error(
      `The keys in ${folder} cannot be made or read (${whyOf(error)}). Give a directory that user ${process.getuid?.() ?? 'of this process'} may write, and whole key files.`,
      { cause: error },
    );
  }
  return [
    `COORDINATOR_KEY=@${join(folder, 'coordinator.jwk')}`,
    `SERVER_KEY=@${join(folder, 'server.key')}`,
    `OPERATOR_KEY=@${join(folder, 'operator.key')}`,
    `PLAYER_JWKS=@${players}`,
  ];
}
