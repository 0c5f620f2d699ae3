import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory, whyOf } from '../directory.js';

/**
 * Makes the directory for exports, which only its owner can read, and checks that files can be written to it.
 *
 * @param directory an absolute path
 * @throws Error with a user-facing message
 */
export async function exportDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(directory, 0o700);
    await rm(await mkdtemp(join(directory, '.export-')), { recursive: true });
  } catch (error) {
    throw new Error(
      `No export can be written to ${directory} (${whyOf(error)}); name another directory with --requested. No request was carried out.`,
      { cause: error },
    );
  }
}
