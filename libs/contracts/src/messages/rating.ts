import type { RatingMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

export const rating: Catalogue<RatingMessages> = {
  'rating.calibrated': {
    text: '{matches} calibration matches, {won} won: {mu, number, ::.0} ± {sigma, number, ::.0}.',
    example: { matches: 10, won: 6, mu: 27.3, sigma: 2.1 },
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
  'rebuild.match-void': {
    text: 'Match {matchId} was declared void: {detail}',
    example: { matchId: 'mat_4fb6a88a', detail: 'an unfair map' },
  },
  'rebuild.matches-void': {
    text: 'Matches were declared void during a rebuild that failed.',
    example: {},
  },
};
