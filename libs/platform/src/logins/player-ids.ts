import { createHash } from 'node:crypto';

/** Ids of players as Muster takes them. */
const playerId = /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,63}$/;

/** Whether an id is one of Muster as it is. */
export const isPlayerId = (id: string): boolean => playerId.test(id);

/** Runs of characters that are escaped: all that ids may not have, and the character that escapes. */
const foreign = /[^A-Za-z0-9_.:-]+/gu;
/** Half a surrogate pair: all of them have the same bytes. */
const halfCharacter = /\p{Cs}/u;
/** Never the beginning of an escaped id: `@` is followed by two digits there. */
const hashed = 'h@.';

/**
 * The id of a player from the id that a login gives them, in any characters. Two ids are never made the same: each byte of a
 * character that ids may not have becomes `@` and two hexadecimal digits, so `auth0|5f` is `auth0@7c5f`. An id that
 * is then longer than 64 characters, or begins with none of a letter or digit, becomes a hash of it.
 *
 * @param prefix of the login, with which ids of another one cannot begin; empty for none
 * @returns null for an empty text, and for one that is not well-formed Unicode
 */
export function playerIdOf(id: string, prefix: string): string | null {
  if (id === '' || halfCharacter.test(id)) return null;
  const begin = prefix === '' ? '' : `${prefix}:`;
  const plain = begin + id.replaceAll(foreign, (run) => Array.from(Buffer.from(run), escapedByte).join(''));
  if (isPlayerId(plain)) return plain;
  return `${begin}${hashed}${createHash('sha256').update(id).digest('base64url')}`;
}

const escapedByte = (byte: number): string => `@${byte.toString(16).padStart(2, '0')}`;
