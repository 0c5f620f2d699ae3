import { jobQueues, readOffences, type EndOfMatch, type Offences } from '@muster/contracts';
import { newsOf, type Promised } from '../outbox.js';
import type { Tx } from '../transaction.js';

/** Players of one match who are blamed in one call. */
export interface Blamed {
  readonly noShows: readonly string[];
  readonly leavers: readonly string[];
}

/** One offence for each player and kind. */
export function offencesOf({ noShows, leavers }: Blamed, at: number): Offences {
  return [
    ...noShows.map((playerId) => ({ playerId, kind: 'no-show' as const, at })),
    ...leavers.map((playerId) => ({ playerId, kind: 'left' as const, at })),
  ];
}

/** The promise to tell the queue who did not come to a match, or left it; none when there is nobody. */
export function conductOf(matchId: string, queue: string, blamed: Blamed, at: number): Promised[] {
  const { noShows, leavers } = blamed;
  if (noShows.length + leavers.length === 0) return [];
  const payload = { matchId, queue, at, noShows: [...noShows], leavers: [...leavers] };
  return [{ queue: jobQueues.conduct, jobId: `conduct-${matchId}`, payload }];
}

/** Notes in the match's row who is blamed: all news that frees players of it from now on says so. */
export async function noteBlame(tx: Tx, matchId: string, offences: Offences): Promise<void> {
  if (offences.length === 0) return;
  await tx.$executeRaw`
    UPDATE match SET blame = coalesce(blame, '[]'::jsonb) || ${JSON.stringify(offences)}::jsonb WHERE id = ${matchId}`;
}

/**
 * News that ends a match for tickets, with the blame that the match's row has. Whoever hears it penalises first and frees then.
 *
 * @param blame the column `match.blame`
 */
export function endNews(news: EndOfMatch, queue: string | null, blame: unknown): Promised[] {
  const offences = readOffences(blame);
  return newsOf(offences.length === 0 ? news : { ...news, blame: { queue: queue ?? '', offences } });
}
