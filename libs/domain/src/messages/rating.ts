/** Why ratings, the rules of a pool and rebuilds changed. */
export interface RatingMessages {
  'rating.calibrated': { matches: number; won: number; mu: number; sigma: number };
  'pool.created': Record<never, never>;
  'pool.learned': { matches: number };
  'pool.learned-in-rebuild': { matches: number };
  'rating.fitted': { matches: number; mean: number };
  'rebuild.match-void': { matchId: string; detail: string };
  'rebuild.matches-void': Record<never, never>;
}
