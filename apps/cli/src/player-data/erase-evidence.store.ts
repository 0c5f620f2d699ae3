import type { Sql } from '@muster/db';
import { renamedIn, type Rename } from './rename.js';
import type { Json } from '@muster/domain';

/** Deletes what signals of integrity remember of a player, the cases about the player, and the habits. */
export async function eraseEvidence(tx: Sql, id: string): Promise<Record<string, number>> {
  const integrity_watch = await tx.$executeRaw`
    DELETE FROM integrity_watch WHERE pool = ANY(ARRAY(SELECT name FROM rating_pool)) AND kind = 'player' AND subject = ${id}`;
  const integrity_case =
    await tx.$executeRaw`DELETE FROM integrity_case WHERE players @> ARRAY[${id}]::text[]`;
  const player_habit = await tx.$executeRaw`
    DELETE FROM player_habit WHERE pool = ANY(ARRAY(SELECT name FROM rating_pool)) AND player_id = ${id}`;
  return { integrity_watch, integrity_case, player_habit };
}

/** Replaces the id where other players are remembered to have met the player. @param players who played in the same matches */
export async function eraseMeetings(tx: Sql, rename: Rename, players: readonly string[]): Promise<void> {
  const rows = await tx.$queryRaw<{ pool: string; subject: string; state: Json }[]>`
    SELECT pool, subject, state FROM integrity_watch
    WHERE pool = ANY(ARRAY(SELECT name FROM rating_pool)) AND kind = 'player' AND subject = ANY(${[...players]}::text[])`;
  for (const { pool, subject, state } of rows) {
    const renamed = JSON.stringify(renamedIn(state, rename, new Set()));
    if (renamed !== JSON.stringify(state))
      await tx.$executeRaw`
        UPDATE integrity_watch SET state = ${renamed}::jsonb WHERE pool = ${pool} AND kind = 'player' AND subject = ${subject}`;
  }
}

/** The audit log keeps that something was done about a player, not what was written. */
export async function eraseAudit(tx: Sql, { id, alias }: Rename): Promise<Record<string, number>> {
  const audit_entry = await tx.$executeRaw`
    UPDATE audit_entry SET targets = array_replace(targets, ${id}, ${alias}), asked = NULL, before = NULL, after = NULL, reason = NULL
    WHERE targets @> ARRAY[${id}]::text[]`;
  return { audit_entry };
}
