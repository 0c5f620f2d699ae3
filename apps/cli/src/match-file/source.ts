import { own } from '@muster/domain';
import { open, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder; name a file in it.',
  EACCES: 'may not be read by this user; change its permissions or copy it.',
  EPERM: 'may not be read by this user; change its permissions or copy it.',
};

/** The reason why an existing file could not be read, to follow its name; null if it does not exist. */
export function whyUnreadable(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? null
    : (own(reasons, code) ?? `could not be read (${code}).`);
}

/**
 * Reads the file, or the file of this name in the data folder.
 *
 * @param dataFolder `MUSTER_DATA`, if set
 * @throws Error with a user-facing message
 */
export function readSource(file: string, dataFolder: string | undefined): Promise<string> {
  return firstOf(file, dataFolder, (place) => readFile(place, 'utf8'));
}

/**
 * The path of the file, or of the file of this name in the data folder. Parameters and errors as of `readSource`.
 */
export function findSource(file: string, dataFolder: string | undefined): Promise<string> {
  return firstOf(file, dataFolder, async (place) => {
    const opened = await open(place);
    try {
      // A folder can be opened, but not read.
      await opened.read(Buffer.alloc(1), 0, 1, 0);
    } finally {
      await opened.close();
    }
    return place;
  });
}

async function firstOf<T>(
  file: string,
  dataFolder: string | undefined,
  use: (place: string) => Promise<T>,
): Promise<T> {
  const places = [file, ...(dataFolder && !isAbsolute(file) ? [join(dataFolder, file)] : [])];
  for (const place of places) {
    try {
      return await use(place);
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
