import type { Sql } from '@muster/db';
import type { FinalStanding, RatingPool } from '@muster/domain';

/**
 * Writes final standings of seasons that are not archived yet; a standing that is there stays. Both who archives and who rates
 * a player of the new season write them, with the same values.
 */
export async function writeFinal(
  tx: Sql,
  { name, generation }: Pick<RatingPool, 'name' | 'generation'>,
  standings: readonly FinalStanding[],
): Promise<void> {
  const rows = standings.map(({ playerId, ...standing }) => ({ player_id: playerId, ...standing }));
  await tx.$executeRaw`
    INSERT INTO season_standing (pool, season, player_id, mu, sigma, display, matches, division, hidden, away)
    SELECT ${name}, row.season, player_id, mu, sigma, display, row.matches, division, hidden, away
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS row(season int, player_id text, mu float8, sigma float8, display float8, matches int, division text, hidden boolean, away boolean)
    JOIN season ON season.pool = ${name} AND season.number = row.season AND season.generation = ${generation} AND season.read_through IS NOT NULL
    ON CONFLICT (pool, season, player_id) DO NOTHING`;
}
