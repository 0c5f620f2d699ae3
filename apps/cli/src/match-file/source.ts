import { own } from '@muster/domain';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder; name a file in it.',
  EACCES: 'may not be read by this user; change its permissions or copy it.',
  EPERM: 'may not be read by this user; change its permissions or copy it.',
};

/** Why a file that is there could not be read, to go behind its name; null when it is not there. */
export function whyUnreadable(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? null
    : (own(reasons, code) ?? `could not be read (${code}).`);
}

/**
 * Reads the file, or the one of this name in the folder of recorded data.
 *
 * @param dataFolder `MUSTER_DATA`, if it is set
 * @throws Error with a sentence for people
 */
export async function readSource(file: string, dataFolder: string | undefined): Promise<string> {
  const places = [file, ...(dataFolder && !isAbsolute(file) ? [join(dataFolder, file)] : [])];
  for (const place of places) {
    try {
      return await readFile(place, 'utf8');
    } catch (error) {
      const why = whyUnreadable(error);
      if (why !== null) throw new Error(`${place} ${why}`, { cause: error });
    }
  }
  const where = places.length > 1 ? 'neither here nor in MUSTER_DATA' : 'not there';
  throw new Error(
    `${file} is ${where}; give the path of a file of recorded matches, or set MUSTER_DATA to their folder.`,
  );
}
