import { asks, refused, sends, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const at = '/v1/pools/duel/boosters';
const booster = { playerId: 'ann', division: 'Gold', reason: 'bought' };

/** Invalid calls about boosters. */
export const boosters: BadRequest[] = [
  invalid('a booster for nobody', at, sends('operator', { ...booster, playerId: '' }), /playerId/),
  invalid(
    'a booster for a bot',
    at,
    sends('operator', { ...booster, playerId: 'bot:1' }),
    /must not begin with bot:/,
  ),
  invalid('a booster without a reason', at, sends('operator', { ...booster, reason: '' }), /reason/),
  invalid('a booster of half a match', at, sends('operator', { ...booster, matches: 0.5 }), /matches/),
  invalid('boosters of nobody', at, asks('operator'), /playerId/),
  refused(422, 'booster-refused')(
    'a booster in a pool that has none',
    at,
    sends('operator', booster),
    /has no boosters/,
  ),
  refused(404, 'pool-not-found')(
    'a booster in no pool',
    '/v1/pools/nowhere/boosters',
    sends('operator', booster),
    /nowhere/,
  ),
  refused(403, 'not-allowed')('a booster that a player grants', at, sends('player', booster), /operator/),
  refused(422, 'booster-refused')(
    'a ticket with a booster where there are none',
    '/v1/tickets',
    sends('player', { queue: '1v1', booster: true }),
    /has no boosters/,
  ),
];
