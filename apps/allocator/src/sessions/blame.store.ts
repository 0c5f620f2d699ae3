import type { Sql } from '@muster/db';
import type { MatchOffence } from '@muster/domain';

/** Adds offences to the match's row. Each later update that frees players of the match carries them. */
export async function noteBlame(tx: Sql, matchId: string, offences: readonly MatchOffence[]): Promise<void> {
  if (offences.length === 0) return;
  await tx.$executeRaw`
    UPDATE match SET blame = coalesce(blame, '[]'::jsonb) || ${JSON.stringify(offences)}::jsonb WHERE id = ${matchId}`;
}
