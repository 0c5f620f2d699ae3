import { isReservedId, type Habits } from '@muster/domain';
import { createHmac } from 'node:crypto';
import { keyFor } from '../auth/coordinator-keys.js';

/** A habit as it is stored: a hash in place of the code. */
interface HashedHabit {
  readonly playerId: string;
  readonly kind: string;
  readonly code: string;
}

/** Hashes the habits of players of a pool with a key that is in no store. */
export type HashHabits = (pool: string, habits: Readonly<Record<string, Habits>>) => HashedHabit[];

/** Enough to tell the codes of a pool apart. */
const hashBytes = 16;

/**
 * Hashes codes of habits with a key of the coordinator. Who reads the table cannot tell which code a hash is of by trying codes,
 * and cannot compare the players of two pools. Bots and erased players have no habits.
 */
export function habitHash(coordinatorKey: string): HashHabits {
  const key = keyFor('muster habits', coordinatorKey);
  const hash = (pool: string, kind: string, code: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([pool, kind, code]))
      .digest()
      .subarray(0, hashBytes)
      .toString('base64url');
  return (pool, habits) =>
    Object.entries(habits).flatMap(([playerId, kinds]) =>
      isReservedId(playerId)
        ? []
        : Object.entries(kinds).map(([kind, code]) => ({ playerId, kind, code: hash(pool, kind, code) })),
    );
}
