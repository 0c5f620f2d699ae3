import { refused, sends, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const at = '/v1/pools/duel/seasons';
const rules = { keep: 0.5, uncertainty: 0.5, placementMatches: 5 };

/** Invalid calls about seasons. */
export const seasons: BadRequest[] = [
  invalid('a season without a number', `${at}/first`, sends('operator', {}), /number/),
  invalid('season 0, which cannot begin', `${at}/0`, sends('operator', { rules }), /number/),
  invalid(
    'a season that keeps more than all',
    `${at}/1`,
    sends('operator', { rules: { ...rules, keep: 1.5 } }),
    /rules\.keep/,
  ),
  invalid(
    'a season with half a placement match',
    `${at}/1`,
    sends('operator', { rules: { ...rules, placementMatches: 0.5 } }),
    /rules\.placementMatches/,
  ),
  invalid('a season at no time', `${at}/1`, sends('operator', { rules, startsAt: 'soon' }), /startsAt/),
  invalid('a preview of nonsense', `${at}/preview`, sends('operator', { rules: 7 }), /rules/),
  refused(409, 'season-conflict')(
    'a season before its turn',
    `${at}/7`,
    sends('operator', { rules }),
    /cannot begin before season 1/,
  ),
  refused(422, 'time-past')(
    'a season at a time in seconds',
    `${at}/1`,
    sends('operator', { rules, startsAt: 1_800_000_000 }),
    /1970-01-21/,
  ),
  refused(422, 'pool-invalid')('a season without rules', `${at}/1`, sends('operator', {}), /season rules/),
  refused(422, 'pool-invalid')(
    'a preview without rules',
    `${at}/preview`,
    sends('operator', {}),
    /season rules/,
  ),
  refused(403, 'not-allowed')(
    'a season that a player begins',
    `${at}/1`,
    sends('player', { rules }),
    /operator/,
  ),
];
