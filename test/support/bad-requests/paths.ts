import { asks, refused, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const nothing = refused(404, 'not-found');
const wrongMethod = refused(405, 'method-not-allowed');

/** Invalid paths. */
export const paths: BadRequest[] = [
  nothing('an unknown path', '/v1/nothing', asks('player'), /path/),
  wrongMethod('a wrong method', '/v1/tickets', asks('player', 'PUT'), /POST/),
  wrongMethod(
    'another wrong method',
    '/v1/servers/bad-server/commands/1',
    asks('operator', 'DELETE'),
    /POST/,
  ),
  nothing('a path out of the id', '/v1/tickets/../../etc/passwd', asks('player'), /path/),
  invalid('a path in the id', '/v1/tickets/..%2f..%2fetc%2fpasswd', asks('player'), /ticketId/),
  invalid('an id of 200 characters', `/v1/tickets/tkt_${'a'.repeat(200)}`, asks('player'), /ticketId/),
  invalid('an id of 5,000 characters', `/v1/tickets/tkt_${'a'.repeat(5_000)}`, asks('player'), /path/),
  invalid('a header in the id', '/v1/tickets/tkt_00000000%0d%0aX-Evil:%20yes', asks('player'), /ticketId/),
  invalid(
    'a header in a player’s name',
    '/v1/ratings/duel/bad%0d%0aX-Evil:%20yes',
    asks('operator'),
    /playerId/,
  ),
  invalid('a NUL in the id', '/v1/matches/mat_%0000000000', asks('operator'), /matchId/),
  invalid('a percent that is no code', '/v1/tickets/%zz', asks('player'), /URL/),
  invalid('a query of a call that takes none', '/v1/queues?limit=3', asks('player'), /`limit`/),
  invalid('an id of SQL', "/v1/ratings/duel/x'%20OR%201=1--", asks('operator'), /playerId/),
];
