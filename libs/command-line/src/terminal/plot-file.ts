import { own } from '@muster/domain';
import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is in a folder that does not exist; create it first.',
  ENOTDIR: 'is in a path that is not a folder; name another.',
  EISDIR: 'is a folder; name a file in it.',
  EACCES: 'may not be written by this user; name another place.',
  EPERM: 'may not be written by this user; name another place.',
  EROFS: 'is on a disk that is read-only; name another place.',
  ENOSPC: 'does not fit on its disk; make room, or name another place.',
};

/**
 * Checks before long work whether a plot can be written. It creates no file.
 *
 * @throws Error with a user-facing message if it cannot
 */
export async function checkPlotFile(file: string): Promise<void> {
  const there = await stat(file).catch(() => null);
  if (there?.isDirectory()) throw unwritable(file, { code: 'EISDIR' });
  const target = there ? file : dirname(resolve(file));
  await access(target, constants.W_OK).catch((error: unknown) => {
    throw unwritable(file, error);
  });
}

/** Writes a plot. @throws Error with a user-facing message if it cannot be written */
export async function writePlotFile(file: string, svg: string): Promise<void> {
  await writeFile(file, svg).catch((error: unknown) => {
    throw unwritable(file, error);
  });
}

function unwritable(file: string, error: unknown): Error {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
  return new Error(`${file} ${own(reasons, code) ?? `could not be written (${code}).`}`, { cause: error });
}
