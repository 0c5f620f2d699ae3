import { own } from '@muster/domain';
import { readFile } from 'node:fs/promises';

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

/** Reads a file of text. @param absent why not, if it does not exist @throws Error with a user-facing message */
export async function readText(file: string, absent: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`${file} ${whyUnreadable(error) ?? absent}`, { cause: error });
  });
}
