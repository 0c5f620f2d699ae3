/** Why ratings, the rules of a pool and rebuilds changed. */
export interface RatingMessages {
  'rating.calibrated': { matches: number; won: number; mu: number; sigma: number };
  'rating.measured': {
    matches: number;
    value: number;
    error: number;
    share: number;
    byResults: number;
    doubt: number;
    mu: number;
    sigma: number;
  };
  'stats.used': { explained: number; asked: number };
  'stats.off': { pool: string };
  'stats.unfitted': Record<never, never>;
  'stats.outdated': Record<never, never>;
  'stats.refused': { detail: string };
  'pool.created': Record<never, never>;
  'pool.learned': { matches: number };
  'pool.learned-in-rebuild': { matches: number };
  'rating.fitted': { matches: number; mean: number };
  'rating.inactive': { days: number };
  'rating.season': { number: number; name: string };
  'rebuild.match-void': { matchId: string; detail: string };
  'rebuild.matches-void': Record<never, never>;
}
