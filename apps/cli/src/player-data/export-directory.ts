import { own } from '@muster/domain';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Makes the directory for exports, which only its owner can read, and checks that files can be written to it.
 *
 * @param directory an absolute path
 * @throws Error with a user-facing message
 */
export async function exportDirectory(directory: string): Promise<void> {
  try {
    await make(directory);
    await rm(await mkdtemp(join(directory, '.export-')), { recursive: true });
  } catch (error) {
    throw new Error(
      `No export can be written to ${directory} (${whyOf(error)}); name another directory with --requested. No request was carried out.`,
      { cause: error },
    );
  }
}

/** Step by step: `mkdir` with `recursive` never returns where the file system refuses with ENOENT, as /proc does. */
async function make(directory: string): Promise<void> {
  const found = await stat(directory).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (found?.isDirectory()) return;
  if (found) throw new Error(`${directory} is a file`);
  if (dirname(directory) !== directory) await make(dirname(directory));
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
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

function whyOf(error: unknown): string {
  const why = own(whys, codeOf(error) ?? '');
  return why ?? (error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
