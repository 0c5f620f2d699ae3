import type { RatingMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

export const rating: Catalogue<RatingMessages> = {
  'rating.calibrated': {
    text: '{matches} calibration matches, {won} won: {mu, number, ::.0} ± {sigma, number, ::.0}.',
    example: { matches: 10, won: 6, mu: 27.3, sigma: 2.1 },
  },
  'rating.measured': {
    text: 'The stats of {matches, plural, one {# match} other {# matches}} measure {value, number, ::.0} ± {error, number, ::.0} (R² {share, number, ::.00} on other players); with {byResults, number, ::.0} ± {doubt, number, ::.0} by results that is {mu, number, ::.0} ± {sigma, number, ::.0}.',
    example: {
      matches: 10,
      value: 33.4,
      error: 6.2,
      share: 0.48,
      byResults: 27.3,
      doubt: 4.9,
      mu: 29.6,
      sigma: 3.8,
    },
  },
  'stats.used': {
    text: 'Stats explain {explained, number, ::.0} % of the differences between players that were left out; {asked, number, ::.0} % are asked at least.',
    example: { explained: 41.2, asked: 10 },
  },
  'stats.off': {
    text: 'The pool has no rule "placement", so results alone place newcomers: muster pool change {pool} --placement on.',
    example: { pool: 'duel' },
  },
  'stats.unfitted': {
    text: 'No fit was made yet; one is made seconds after the first rated match.',
    example: {},
  },
  'stats.outdated': {
    text: 'The last fit is of other ratings or rules; one to the present ones is made in seconds.',
    example: {},
  },
  'stats.refused': {
    text: '{detail}',
    example: { detail: 'The history has 120 matches; placing by stats needs 200.' },
  },
  'pool.created': { text: 'The pool was created.', example: {} },
  'pool.learned': {
    text: 'Learned from {matches} matches; it predicted those held out better than the one before.',
    example: { matches: 500 },
  },
  'pool.learned-in-rebuild': {
    text: 'Learned from {matches} matches while the pool was rebuilt.',
    example: { matches: 500 },
  },
  'rating.fitted': {
    text: 'Fitted to {matches} matches at once, with skills around {mean, number, ::.0}.',
    example: { matches: 500, mean: 25 },
  },
  'rating.inactive': {
    text: '{days, plural, one {# day} other {# days}} without a match.',
    example: { days: 45 },
  },
  'rating.season': {
    text: 'Season {number} began: {name}.',
    example: { number: 2, name: 'Spring' },
  },
  'rebuild.match-void': {
    text: 'Match {matchId} was declared void: {detail}',
    example: { matchId: 'mat_4fb6a88a', detail: 'an unfair map' },
  },
  'rebuild.matches-void': {
    text: 'Matches were declared void during a rebuild that failed.',
    example: {},
  },
};
