import type { Sql } from '@muster/db';
import type { MatchOffence } from '@muster/domain';

/** Writes the offences of a match. Each later update that frees players of the match carries them. The caller holds the session. */
export async function noteBlame(tx: Sql, matchId: string, offences: readonly MatchOffence[]): Promise<void> {
  await tx.$executeRaw`UPDATE match SET blame = ${JSON.stringify(offences)}::jsonb WHERE id = ${matchId}`;
}
