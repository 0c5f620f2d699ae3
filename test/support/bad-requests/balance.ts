import { refused, sends, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const unsolvable = refused(422, 'unsolvable');

const players = [
  { playerId: 'bad-0', team: 0, rating: 3 },
  { playerId: 'bad-1', team: 1, rating: 2 },
];
const roster = { teams: 2, players };
const check = '/v1/balance/check';
const stranger = { playerId: 'bad-2', team: null };

/** Invalid calls of servers about their running match. */
export const balance: BadRequest[] = [
  invalid('a check without a roster', check, sends('fleet', {}), /roster/),
  invalid('a check of no teams', check, sends('fleet', { roster: { ...roster, teams: 0 } }), /teams/),
  invalid(
    'a player twice on the roster',
    check,
    sends('fleet', { roster: { ...roster, players: [...players, players[0]] } }),
    /twice/,
  ),
  invalid(
    'a rating that is nowhere',
    check,
    sends('fleet', { roster: { ...roster, players: [...players, stranger] } }),
    /players\.2\.rating.*name the pool/,
  ),
  unsolvable(
    'an unknown team',
    check,
    sends('fleet', { roster: { ...roster, players: [{ ...players[0], team: 5 }] } }),
    /5/,
  ),
  invalid('an unknown policy', check, sends('fleet', { roster, policy: 'fair' }), /policy.*sectors-edge/),
  invalid(
    'a rule of no kind',
    check,
    sends('fleet', { roster, policy: { rules: [{ kind: 'vibes' }] } }),
    /policy\.rules\.0\.kind.*powers, weight/,
  ),
  invalid('an invalid state', check, sends('fleet', { roster, state: { moved: 1 } }), /state/),
  invalid('no joining or leaving player', '/v1/balance/placement', sends('fleet', { roster }), /arrives/),
  invalid(
    'a joining player without a rating',
    '/v1/balance/placement',
    sends('fleet', { roster, arrives: { playerId: 'bad-2' } }),
    /arrives\.rating/,
  ),
  unsolvable(
    'a leaving player who is not on the roster',
    '/v1/balance/placement',
    sends('fleet', { roster, leaves: 'bad-9' }),
    /bad-9/,
  ),
  invalid(
    'half a bot',
    '/v1/balance/bots',
    sends('fleet', { roster, policy: { placement: { bots: { minPlayers: 1.5 }, maxSizeDifference: null } } }),
    /policy/,
  ),
  unsolvable(
    'an advantage without teams',
    '/v1/balance/handicap',
    sends('fleet', { roster: { teams: 1, players: [] } }),
    /team/,
  ),
  invalid('a scramble of no mode', '/v1/balance/scramble', sends('fleet', { roster }), /mode/),
  invalid(
    'a round before the first',
    '/v1/balance/scramble',
    sends('fleet', { roster, mode: 'arena', event: { kind: 'round-ended', round: 0, winner: 0 } }),
    /event/,
  ),
  invalid(
    'an unknown side',
    '/v1/balance/sides',
    sends('fleet', { roster, wishes: { 'bad-0': 2 } }),
    /wishes\.bad-0.*0, 1 or "random"/,
  ),
  unsolvable(
    'sides of three teams',
    '/v1/balance/sides',
    sends('fleet', { roster: { ...roster, teams: 3 } }),
    /two teams.*has 3/,
  ),
  unsolvable(
    'sides without players',
    '/v1/balance/sides',
    sends('fleet', { roster: { teams: 2, players: [] } }),
    /two/,
  ),
  refused(404, 'pool-not-found')(
    'ratings of no pool',
    check,
    sends('fleet', { roster: { ...roster, pool: 'nowhere', players: [{ playerId: 'bad-0', team: 0 }] } }),
    /nowhere/,
  ),
];
