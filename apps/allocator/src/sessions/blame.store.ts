import type { Offences } from '@muster/contracts';
import type { Tx } from '@muster/db';

/** Notes offences in the match's row: every later update that frees players of the match carries them. */
export async function noteBlame(tx: Tx, matchId: string, offences: Offences): Promise<void> {
  if (offences.length === 0) return;
  await tx.$executeRaw`
    UPDATE match SET blame = coalesce(blame, '[]'::jsonb) || ${JSON.stringify(offences)}::jsonb WHERE id = ${matchId}`;
}
