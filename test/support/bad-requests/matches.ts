import { asks, sends, refused, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const noMatch = refused(404, 'match-not-found');
const noPool = refused(404, 'pool-not-found');
const noRating = refused(422, 'rating-invalid');
const ahead = refused(422, 'time-ahead');
const badPool = refused(422, 'pool-invalid');

const match = { eventId: 'bad-event', pool: 'duel', teams: [['bad-1'], ['bad-2']], ranks: [1, 2] };

/** Invalid calls of operators about matches, ratings and results. */
export const matches: BadRequest[] = [
  invalid('a limit of 0', '/v1/matches?limit=0', asks('operator'), /limit/),
  invalid('a limit of 1e9', '/v1/matches?limit=1e9', asks('operator'), /limit/),
  invalid('a limit of 0x10', '/v1/matches?limit=0x10', asks('operator'), /limit.*from 1 to 500, not "0x10"/),
  invalid('two limits', '/v1/matches?limit=1&limit=2', asks('operator'), /limit/),
  invalid('an unknown query', '/v1/matches?sort=price', asks('operator'), /sort/),
  invalid('a query `constructor`', '/v1/matches?constructor=1', asks('operator'), /constructor/),
  invalid('a query `__proto__`', '/v1/matches?__proto__=1', asks('operator'), /__proto__/),
  invalid('an invalid cursor', '/v1/matches?cursor=next', asks('operator'), /cursor/),
  invalid('a cursor with a NUL', '/v1/matches?cursor=1.%00', asks('operator'), /cursor/),
  invalid(
    'a cursor beyond all years',
    '/v1/matches?cursor=999999999999999.mat_00000000',
    asks('operator'),
    /cursor/,
  ),
  invalid('an invalid time', '/v1/matches?from=yesterday', asks('operator'), /from.*ISO 8601/),
  invalid('an empty time', '/v1/matches?to=', asks('operator'), /to.*milliseconds/),
  invalid('a time without an offset', '/v1/matches?from=2026-11-22T00:00:00', asks('operator'), /offset/),
  invalid('a range that ends before it begins', '/v1/matches?from=2&to=1', asks('operator'), /before `to`/),
  invalid('an export of such a range', '/v1/matches/export?from=2&to=2', asks('operator'), /before `to`/),
  invalid(
    'a history of such a range',
    '/v1/ratings/duel/bad-1/history?from=2&to=1',
    asks('operator'),
    /before/,
  ),
  invalid(
    'a cursor of a list in another order',
    '/v1/matches?from=1&cursor=1795244781555.mat_00000000',
    asks('operator'),
    /same list/,
  ),
  invalid('an invalid cursor, of a player', '/v1/me/matches?cursor=next', asks('player'), /cursor/),
  invalid('a pool with a NUL', '/v1/matches?pool=%00', asks('operator'), /pool/),
  invalid('an export of a pool with a NUL', '/v1/matches/export?pool=%00', asks('operator'), /pool/),
  invalid('an export as a picture', '/v1/matches/export?format=png', asks('operator'), /format/),
  noMatch('an unknown match', '/v1/matches/mat_nobody-knows-it', asks('operator'), /mat_nobody-knows-it/),
  noPool('an unknown pool', '/v1/me/rating?pool=chess', asks('player'), /"chess"/),
  noPool('the ratings of an unknown pool', '/v1/ratings/chess', asks('operator'), /"chess"/),
  badPool(
    'a pool of an unknown model',
    '/v1/pools',
    sends('operator', { name: 'chess', model: 'luck' }),
    /no rating model "luck"; there is openskill-/,
  ),
  badPool(
    'a pool with a parameter out of range',
    '/v1/pools',
    sends('operator', { name: 'chess', parameters: { beta: 0 } }),
    /"beta" is 0; it must be a number from/,
  ),
  invalid(
    'a pool with an unknown circumstance',
    '/v1/pools',
    sends('operator', { name: 'chess', circumstances: ['weather'] }),
    /circumstances\.0/,
  ),
  noPool('a rebuild of an unknown pool', '/v1/pools/chess/rebuilds', sends('operator', {}), /"chess"/),
  noPool('the health of an unknown pool', '/v1/pools/chess/health', asks('operator'), /"chess"/),
  invalid('health over no periods', '/v1/pools/duel/health?periods=0', asks('operator'), /periods/),
  invalid(
    'a rating that is not a number',
    '/v1/ratings/duel/bad-1',
    sends('operator', { mu: 'high', reason: 'x' }),
    /mu/,
  ),
  noRating(
    'a rating out of range',
    '/v1/ratings/duel/bad-1',
    sends('operator', { mu: 1e308, reason: 'x' }),
    /mu must be a number from .* to .* in this pool of .*, not 1e\+308/,
  ),
  noRating(
    'a sigma out of range',
    '/v1/ratings/duel/bad-1',
    sends('operator', { mu: 25, sigma: 1e308, reason: 'x' }),
    /sigma must be a number from/,
  ),
  badPool(
    'a cap out of range',
    '/v1/pools',
    sends('operator', { name: 'chess', shadowCap: -1e308 }),
    /shadowCap must be a number from/,
  ),
  ahead(
    'a match played in 2538',
    '/v1/results',
    sends('operator', { ...match, playedAt: Date.UTC(2538, 0, 1) }),
    /playedAt must be the time of the match.*2538-01-01/,
  ),
  invalid('a rating without a reason', '/v1/ratings/duel/bad-1', sends('operator', { mu: 3 }), /reason/),
  noMatch(
    'an unknown match to declare void',
    '/v1/results/mat_nothing-here/void',
    sends('operator', { reason: 'x' }),
    /mat_nothing-here/,
  ),
  invalid(
    'sides for one team alone',
    '/v1/results',
    sends('operator', { ...match, sides: ['red', 'blue', 'green'] }),
    /sides/,
  ),
  invalid(
    'a party of no team',
    '/v1/results',
    sends('operator', { ...match, parties: [[5], []] }),
    /parties\.0.*5 members.*team 1 has one player/,
  ),
  invalid(
    'a prediction with a party of no team',
    '/v1/pools/duel/predictions',
    sends('operator', { teams: match.teams, parties: [[5], []] }),
    /parties\.0.*5 members.*team 1 has one player/,
  ),
  invalid(
    'a prediction with a side too many',
    '/v1/pools/duel/predictions',
    sends('operator', { teams: match.teams, sides: ['red', 'blue', 'green'] }),
    /sides.*2 teams but 3 sides/,
  ),
  invalid(
    'a prediction with the role of a stranger',
    '/v1/pools/duel/predictions',
    sends('operator', { teams: match.teams, roles: { 'bad-3': 'tank' } }),
    /roles\.bad-3.*bad-3 is not in the match/,
  ),
  invalid(
    'times beyond the end of the match',
    '/v1/results',
    sends('operator', { ...match, lengthMs: 9, times: { 'bad-1': [{ fromMs: 0, toMs: 10 }] } }),
    /times\.bad-1\.0.*from 0 to 10/,
  ),
  invalid(
    'a share of a player not in the match',
    '/v1/results',
    sends('operator', { ...match, shares: { 'bad-3': 1 } }),
    /shares\.bad-3.*not in the match/,
  ),
  invalid(
    'a share above 1',
    '/v1/results',
    sends('operator', { ...match, shares: { 'bad-1': 2 } }),
    /shares/,
  ),
  noPool(
    'a result for an unknown pool',
    '/v1/results',
    sends('operator', { ...match, pool: 'chess' }),
    /"chess"/,
  ),
  invalid(
    'a player in both teams',
    '/v1/results',
    sends('operator', { ...match, teams: [['bad-1'], ['bad-1']] }),
    /bad-1.*twice/,
  ),
  invalid(
    'too few ranks',
    '/v1/results',
    sends('operator', { ...match, teams: [['a'], ['b'], ['c']] }),
    /ranks/,
  ),
  invalid(
    'one team alone',
    '/v1/results',
    sends('operator', { ...match, teams: [['a']], ranks: [1] }),
    /teams/,
  ),
  invalid('an empty team', '/v1/results', sends('operator', { ...match, teams: [['a'], []] }), /teams\.1/),
  invalid('a rank of 0', '/v1/results', sends('operator', { ...match, ranks: [0, 1] }), /ranks\.0/),
  invalid(
    'a match played in the year 300,000',
    '/v1/results',
    sends('operator', { ...match, playedAt: 8_640_000_000_000_000 }),
    /playedAt/,
  ),
  invalid('an empty event id', '/v1/results', sends('operator', { ...match, eventId: '' }), /eventId/),
];
