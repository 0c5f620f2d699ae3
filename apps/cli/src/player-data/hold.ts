import type { Db } from '@muster/db';
import { explained } from '../backup/restore.js';
import { moment } from '@muster/command-line/terminal/moment';
import { asSentence } from '@muster/command-line/terminal/sentence';
import { withDatabase, type DataOptions } from './stores.js';

/** Who sets holds with this command. */
const operator = 'operator';

/** A hold that is stored. */
interface StoredHold {
  readonly by: string;
  readonly reason: string;
  readonly since: Date;
}

/** Why a player cannot be held for a second reason, as a sentence for people. */
export class HoldRefused extends Error {}

/**
 * Holds a player's data: it cannot be erased until it is released. A player has one hold. The same reason may be repeated; a
 * second one is refused, since one release would end both.
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
    await withDatabase(options, env, (db) => hold(db, playerId, options.reason, now));
  } catch (error) {
    throw error instanceof HoldRefused ? error : explained(error);
  }
}

/** Stores a hold. @throws HoldRefused when the player is held for another reason */
export async function hold(db: Db, playerId: string, reason: string, now: number): Promise<void> {
  // The update changes nothing: it locks and returns the hold that is there.
  const [stored] = await db.$sql.$queryRaw<StoredHold[]>`
    INSERT INTO legal_hold AS held (player_id, by, reason, since)
    VALUES (${playerId}, ${operator}, ${reason}, ${new Date(now)})
    ON CONFLICT (player_id) DO UPDATE SET reason = held.reason RETURNING by, reason, since`;
  if (!stored || (stored.by === operator && stored.reason === reason)) return;
  throw new HoldRefused(
    `${playerId} is already under a legal hold by ${stored.by} since ${moment(stored.since.getTime())}: ${asSentence(stored.reason)} ` +
      `Nothing was changed. To hold the player for both, run "muster player release ${playerId}", then hold with a reason that names both.`,
  );
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
