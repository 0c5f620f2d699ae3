import type { Json, StoredRating } from '@muster/domain';

/** The columns of a rating. */
export interface RatingRow {
  player_id: string;
  state: Json;
  matches: number;
  division: string | null;
  last_rated_at: Date | null;
  set_at: Date | null;
  season: number;
  season_matches: number;
  region: string | null;
  /** Only where it is read. */
  aspects?: StoredRating['aspects'] | null;
}

export function asRating(row: RatingRow): StoredRating {
  return {
    state: row.state,
    matches: row.matches,
    division: row.division,
    lastRatedAt: row.last_rated_at?.getTime() ?? null,
    ...(row.set_at ? { setAt: row.set_at.getTime() } : {}),
    ...(row.season > 0 ? { season: row.season, seasonMatches: row.season_matches } : {}),
    ...(row.region === null ? {} : { region: row.region }),
    ...(row.aspects ? { aspects: row.aspects } : {}),
  };
}

/** A rating as columns. */
export function ratingRow({
  state,
  matches,
  division,
  lastRatedAt,
  setAt,
  season = 0,
  seasonMatches = 0,
  region,
  aspects,
}: StoredRating): Record<string, unknown> {
  return {
    state,
    matches,
    division,
    last_rated_at: lastRatedAt === null ? null : new Date(lastRatedAt),
    set_at: setAt ? new Date(setAt) : null,
    season,
    season_matches: seasonMatches,
    region: region ?? null,
    aspects: aspects ?? null,
  };
}
