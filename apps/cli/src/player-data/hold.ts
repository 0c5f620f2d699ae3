import { transact, type Db } from '@muster/db';
import { withDatabase } from '../database/database.js';
import { noteCommand } from '../database/audit.store.js';
import { moment } from '@muster/command-line/terminal/moment';
import { asSentence } from '@muster/command-line/terminal/sentence';
import type { DataOptions } from './stores.js';

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
  await withDatabase('player-data', options, env, (db) => hold(db, playerId, options, now));
}

/** Stores a hold. @throws Error for people when the player is held for another reason */
export async function hold(
  db: Db,
  playerId: string,
  { by, reason }: { readonly by: string; readonly reason: string },
  now: number,
): Promise<void> {
  const stored = await transact(db, async (tx) => {
    // The update changes nothing: it locks and returns the hold that is there.
    const [row] = await tx.$queryRaw<{ by: string; reason: string; since: Date }[]>`
      INSERT INTO legal_hold AS held (player_id, by, reason, since)
      VALUES (${playerId}, ${by}, ${reason}, ${new Date(now)})
      ON CONFLICT (player_id) DO UPDATE SET reason = held.reason RETURNING by, reason, since`;
    if (row?.since.getTime() === now)
      await noteCommand(tx, { call: 'holdPlayer', target: playerId, reason, who: by });
    return row;
  });
  if (!stored || (stored.by === by && stored.reason === reason)) return;
  throw new Error(
    `${playerId} is already under a legal hold by ${stored.by} since ${moment(stored.since.getTime())}: ${asSentence(stored.reason)} ` +
      `Nothing was changed. To hold the player for both, run "muster players release ${playerId}", then hold with a reason that names both.`,
  );
}

/** Ends a hold. @returns false if there was none @throws Error with a user-facing message */
export async function releasePlayer(
  playerId: string,
  options: DataOptions,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const count = await withDatabase('player-data', options, env, (db) => release(db, playerId, options.by));
  return count === 1;
}

/** @returns how many holds ended */
function release(db: Db, playerId: string, by: string): Promise<number> {
  return transact(db, async (tx) => {
    const count = await tx.$executeRaw`DELETE FROM legal_hold WHERE player_id = ${playerId}`;
    if (count > 0) await noteCommand(tx, { call: 'releasePlayer', target: playerId, reason: null, who: by });
    return count;
  });
}
