import type { LoginCheck } from '@muster/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkToken } from './check-token.js';
import { readLogins } from './login-document.js';
import { keptApart, Logins, loginsOf } from './logins.js';

/**
 * Checks a token against a document of logins, in this process. Keys are fetched as a service fetches them, once.
 *
 * @param text the document, YAML or JSON
 * @param file its name in errors
 * @param onError gets errors of reading a login's keys
 * @throws Error with one line per flaw of the document
 */
export function checkAgainst(
  text: string,
  file: string,
  token: string,
  onError: (login: string, error: unknown) => void,
): Promise<LoginCheck> {
  const read = readLogins(text);
  if (!read.ok)
    throw new Error(`The logins make no sense:\n${read.flaws.map((flaw) => `  ${file}:${flaw}`).join('\n')}`);
  const logins = keptApart(
    loginsOf(read.value, { elapsed: () => performance.now(), onError, pause: (ms) => sleep(ms) }),
  );
  return checkToken(new Logins(logins), token, Date.now());
}
