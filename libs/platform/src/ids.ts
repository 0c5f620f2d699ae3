import type { Ids } from '@muster/domain';
import { createHash, randomUUID } from 'node:crypto';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** JSON with keys in order, so that equal values have equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export const ids: Ids = {
  make: (prefix) => `${prefix}_${randomUUID()}`,
  derive: (prefix, text) => `${prefix}_${sha256(text).slice(0, 32)}`,
  fingerprint: (value) => sha256(canonical(value)),
};
