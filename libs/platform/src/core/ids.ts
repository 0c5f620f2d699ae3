import type { Ids } from '@muster/domain';
import { createHash, randomBytes } from 'node:crypto';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** JSON with sorted keys, so that equal values have equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** 128 bits in 22 characters each: as unique as a UUID and a third shorter, because millions are in memory. */
export const ids: Ids = {
  make: (prefix) => `${prefix}_${randomBytes(16).toString('base64url')}`,
  derive: (prefix, text) => `${prefix}_${sha256(text).slice(0, 22)}`,
  fingerprint: (value) => sha256(canonical(value)).slice(0, 22),
};
