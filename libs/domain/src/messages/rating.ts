import { entry } from './entry.js';

/** Why ratings, the rules of a pool and rebuilds changed. */
export const rating = {
  'rating.calibrated': entry(
    '{matches} calibration matches, {won} won: {mu, number, ::.0} ± {sigma, number, ::.0}.',
    { matches: 10, won: 6, mu: 27.3, sigma: 2.1 },
  ),
  'rating.measured': entry(
    'The stats of {matches, plural, one {# match} other {# matches}} measure {value, number, ::.0} ± {error, number, ::.0} (R² {share, number, ::.00} on other players); with {byResults, number, ::.0} ± {doubt, number, ::.0} by results that is {mu, number, ::.0} ± {sigma, number, ::.0}.',
    {
      matches: 10,
      value: 33.4,
      error: 6.2,
      share: 0.48,
      byResults: 27.3,
      doubt: 4.9,
      mu: 29.6,
      sigma: 3.8,
    },
  ),
  'stats.used': entry(
    'Stats explain {explained, number, ::.0} % of the differences between players that were left out; {asked, number, ::.0} % are asked at least.',
    { explained: 41.2, asked: 10 },
  ),
  'stats.off': entry(
    'The pool has no rule "placement", so results alone place newcomers: muster pools change {pool} --placement on.',
    { pool: 'duel' },
  ),
  'stats.unfitted': entry('No fit was made yet; one is made seconds after the first rated match.'),
  'stats.outdated': entry(
    'The last fit is of other ratings or rules; one to the present ones is made in seconds.',
  ),
  'stats.refused': entry('{detail}', { detail: 'The history has 120 matches; placing by stats needs 200.' }),
  'pool.created': entry('The pool was created.'),
  'pool.learned': entry(
    'Learned from {matches} matches; it predicted those held out better than the one before.',
    { matches: 500 },
  ),
  'pool.learned-in-rebuild': entry('Learned from {matches} matches while the pool was rebuilt.', {
    matches: 500,
  }),
  'rating.fitted': entry('Fitted to {matches} matches at once, with skills around {mean, number, ::.0}.', {
    matches: 500,
    mean: 25,
  }),
  'rating.inactive': entry('{days, plural, one {# day} other {# days}} without a match.', { days: 45 }),
  'rating.season': entry('Season {number} began: {name}.', { number: 2, name: 'Spring' }),
  'rebuild.match-void': entry('Match {matchId} was declared void: {detail}', {
    matchId: 'mat_4fb6a88a',
    detail: 'an unfair map',
  }),
  'rebuild.matches-void': entry('Matches were declared void during a rebuild that failed.'),
};
