import { explained } from '../backup/restore.js';
import { withDatabase, type DataOptions } from './stores.js';

/**
 * Holds a player's data: it cannot be erased until it is released. A second hold replaces the reason of the first.
 *
 * @param now milliseconds since the epoch
 * @throws Error with a user-facing message
 */
export async function holdPlayer(
  playerId: string,
  options: DataOptions & { readonly reason: string },
  env: NodeJS.ProcessEnv,
  now: number,
): Promise<void> {
  try {
    await withDatabase(
      options,
      env,
      (db) => db.$sql.$executeRaw`
      INSERT INTO legal_hold (player_id, by, reason, since) VALUES (${playerId}, 'operator', ${options.reason}, ${new Date(now)})
      ON CONFLICT (player_id) DO UPDATE SET reason = EXCLUDED.reason`,
    );
  } catch (error) {
    throw explained(error);
  }
}

/** Ends a hold. @returns false if there was none @throws Error with a user-facing message */
export async function releasePlayer(
  playerId: string,
  options: DataOptions,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  try {
    const count = await withDatabase(
      options,
      env,
      (db) => db.$sql.$executeRaw`DELETE FROM legal_hold WHERE player_id = ${playerId}`,
    );
    return count === 1;
  } catch (error) {
    throw explained(error);
  }
}
