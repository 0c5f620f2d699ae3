import { own } from '@muster/domain';
import type { Claims } from './jwt.js';

/** A claim by its name, which may have dots, or by a path. */
export function valueAt(claims: Claims, path: string): unknown {
  const within = (value: unknown, name: string): unknown => (isObject(value) ? own(value, name) : undefined);
  return own(claims, path) ?? path.split('.').reduce<unknown>(within, claims);
}

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null;
