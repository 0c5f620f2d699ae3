import { refused, sends, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');

const update = { pool: 'duel', roundId: 'bad-1', teams: [['bad-0'], ['bad-1']], winner: 0 };
const scramble = { pool: 'duel', players: [{ playerId: 'bad-0' }, { playerId: 'bad-1' }] };

/** Invalid calls of a community server about its rounds. */
export const rounds: BadRequest[] = [
  invalid(
    'a round of one team',
    '/v1/rounds/update',
    sends('fleet', { ...update, teams: [['bad-0']] }),
    /teams/,
  ),
  invalid(
    'a round won by a third team',
    '/v1/rounds/update',
    sends('fleet', { ...update, winner: 2 }),
    /winner/,
  ),
  invalid(
    'a round without an id',
    '/v1/rounds/update',
    sends('fleet', { ...update, roundId: '' }),
    /roundId/,
  ),
  invalid(
    'a round with a player on both teams',
    '/v1/rounds/update',
    sends('fleet', { ...update, teams: [['bad-0'], ['bad-0']] }),
    /bad-0 is in the round twice/,
  ),
  invalid(
    'a round that a team joined late as a whole',
    '/v1/rounds/update',
    sends('fleet', { ...update, late: ['bad-1'] }),
    /late.*team 2 must have been there/,
  ),
  invalid(
    'a late joiner who is not in the round',
    '/v1/rounds/update',
    sends('fleet', { ...update, late: ['bad-9'] }),
    /late\.0.*bad-9 is not in the match/,
  ),
  refused(422, 'time-ahead')(
    'a round played in 2538',
    '/v1/rounds/update',
    sends('operator', { ...update, playedAt: Date.UTC(2538, 0, 1) }),
    /playedAt must be the time of the match.*2538-01-01/,
  ),
  refused(422, 'rating-invalid')(
    'a rating out of range',
    '/v1/rounds/admin',
    sends('operator', { pool: 'duel', action: 'set', playerId: 'bad-1', rating: 1e11, reason: 'x' }),
    /rating must be a number from/,
  ),
  invalid('no action', '/v1/rounds/admin', sends('fleet', { pool: 'duel' }), /action/),
  invalid('a strange action', '/v1/rounds/admin', sends('fleet', { pool: 'duel', action: 'drop' }), /action/),
  invalid(
    'ratings without players',
    '/v1/rounds/admin',
    sends('fleet', { pool: 'duel', action: 'get', playerIds: [] }),
    /playerIds/,
  ),
  refused(404, 'pool-not-found')(
    'a round of no pool',
    '/v1/rounds/update',
    sends('fleet', { ...update, pool: 'nowhere' }),
    /nowhere/,
  ),
  refused(404, 'pool-not-found')(
    'a scramble of no pool',
    '/v1/rounds/scramble',
    sends('fleet', { ...scramble, pool: 'nowhere' }),
    /nowhere/,
  ),
  invalid(
    'a scramble of one',
    '/v1/rounds/scramble',
    sends('fleet', { ...scramble, players: scramble.players.slice(1) }),
    /players/,
  ),
  invalid(
    'a scramble with a player twice',
    '/v1/rounds/scramble',
    sends('fleet', { ...scramble, players: [...scramble.players, { playerId: 'bad-0' }] }),
    /twice/,
  ),
];
