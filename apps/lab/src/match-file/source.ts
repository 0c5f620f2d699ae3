import { whyUnreadable } from '@muster/command-line/terminal/unreadable';
import { open, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

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

/** Reads the content of a file. @throws Error that begins with the file's name */
export function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${file} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
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
