import { own } from '@muster/domain';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it. Step by step: `mkdir` with `recursive` never returns where the file system refuses with
 * ENOENT, as /proc does.
 *
 * @param directory an absolute path
 * @param mode of each that is made
 */
export async function makeDirectory(directory: string, mode?: number): Promise<void> {
  const found = await stat(directory).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (found?.isDirectory()) return;
  if (found) throw new Error(`${directory} is a file`);
  if (dirname(directory) !== directory) await makeDirectory(dirname(directory), mode);
  await mkdir(directory, mode).catch((error: unknown) => {
    // Another run made it.
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

const whys: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a file system that cannot be written to',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'the file system makes no directory there',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'the name is too long',
};

/**
 * Makes the data directory of a system.
 *
 * @throws Error with a user-facing message
 */
export async function makeDataDirectory(directory: string): Promise<void> {
  await makeDirectory(directory).catch((error: unknown) => {
    throw new Error(
      `The data directory ${directory} cannot be made (${whyOf(error)}); name another one with --data-dir.`,
      { cause: error },
    );
  });
}

/** Why a directory cannot be made or written to, in words. */
export function whyOf(error: unknown): string {
  const why = own(whys, codeOf(error) ?? '');
  return why ?? (error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
