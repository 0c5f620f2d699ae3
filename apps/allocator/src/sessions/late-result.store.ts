import type { Tx } from '@muster/db';

/** For so long a late result counts when the rules of the match do not say, in seconds. */
const defaultSeconds = 3_600;

interface Abandoned {
  state: string;
  late: boolean;
  replaced: boolean;
  rated: boolean;
}

/**
 * Whether the result of a session that was lost while it was played may count all the same: its server could not be heard, or
 * was cut off for longer than silence may last, and the match was played to its end. It may not once the ratings of its players
 * have gone on without it. Takes the match's row.
 *
 * @returns why not, in words for operators; null when it may
 */
export async function whyNotLate(
  tx: Tx,
  { sessionId, matchId }: { readonly sessionId: string; readonly matchId: string },
  now: number,
): Promise<string | null> {
  const [match] = await tx.$queryRaw<Abandoned[]>`
    SELECT match.state, ${new Date(now)}::timestamptz
        > match.closed_at + make_interval(secs => coalesce((rules->>'lateResultSeconds')::float8, ${defaultSeconds})) AS late,
      EXISTS (SELECT 1 FROM session WHERE session.match_id = match.id AND session.id <> ${sessionId}
        AND session.state IN ('reserved', 'live', 'ended')) AS replaced,
      EXISTS (SELECT 1 FROM match_player
        JOIN rating_pool ON rating_pool.name = match.pool
        JOIN rating ON rating.pool = match.pool AND rating.generation = rating_pool.generation
          AND rating.player_id = match_player.player_id
        WHERE match_player.match_id = match.id AND rating.last_rated_at > match.closed_at) AS rated
    FROM match WHERE match.id = ${matchId} FOR UPDATE OF match`;
  if (match?.state !== 'abandoned') return `the match is ${match?.state ?? 'unknown'}`;
  if (match.late) return 'it came later than the rules of its queue allow';
  if (match.replaced) return 'another session has the match';
  return match.rated ? 'players of the match were rated since' : null;
}
