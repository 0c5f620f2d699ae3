import type { AnswerOf } from '@muster/contracts';

export type Key = AnswerOf<'listKeys'>['keys'][number];

export function keyState(
  { revokedAt, expiresAt }: Pick<Key, 'revokedAt' | 'expiresAt'>,
  now: number,
): 'valid' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'valid';
}

export const isUsable = (key: Pick<Key, 'revokedAt' | 'expiresAt'>, now: number): boolean =>
  keyState(key, now) === 'valid';
