import { z } from 'zod';

/** Every kind of problem that a caller can meet: its HTTP status and title. The one place that maps errors to HTTP. */
export const problems = {
  'invalid-request': { status: 400, title: 'The request is not of the right form' },
  'malformed-json': { status: 400, title: 'The body is not JSON' },
  'not-authenticated': { status: 401, title: 'Who are you?' },
  'sign-in-refused': { status: 403, title: 'The code does not sign in' },
  'not-allowed': { status: 403, title: 'This is not yours to do' },
  'fleet-refused': { status: 403, title: 'The fleet key is not for such a server' },
  banned: { status: 403, title: 'A player is banned' },
  'not-invited': { status: 403, title: 'There is no invitation' },
  'guests-off': { status: 403, title: 'The operator takes no guests' },
  'data-requests-off': { status: 403, title: 'The operator takes no such requests' },
  'entry-refused': { status: 403, title: 'The queue asks for more' },
  'not-found': { status: 404, title: 'There is nothing here' },
  'ticket-not-found': { status: 404, title: 'No such ticket' },
  'party-not-found': { status: 404, title: 'No such party' },
  'queue-not-found': { status: 404, title: 'No such queue' },
  'match-not-found': { status: 404, title: 'No such match' },
  'conflict-not-found': { status: 404, title: 'No such conflict' },
  'server-not-found': { status: 404, title: 'No such server' },
  'session-not-found': { status: 404, title: 'No such session' },
  'backfill-not-found': { status: 404, title: 'No such request for players' },
  'command-not-found': { status: 404, title: 'No such command' },
  'pool-not-found': { status: 404, title: 'No such rating pool' },
  'booster-not-found': { status: 404, title: 'No such booster' },
  'case-not-found': { status: 404, title: 'No such case' },
  'season-not-found': { status: 404, title: 'No such season' },
  'job-not-found': { status: 404, title: 'No such dead letter' },
  'key-not-found': { status: 404, title: 'No such key' },
  'penalty-not-found': { status: 404, title: 'No such penalty' },
  'webhook-not-found': { status: 404, title: 'No such webhook' },
  'rules-version-not-found': { status: 404, title: 'No such version of the rules' },
  'method-not-allowed': { status: 405, title: 'This cannot be done here' },
  'request-timeout': { status: 408, title: 'The request did not arrive in time' },
  'already-in-party': { status: 409, title: 'The player is in a party already' },
  'party-changed': { status: 409, title: 'The party changed meanwhile' },
  'avoid-list-full': { status: 409, title: 'The avoid-list is full' },
  'webhooks-full': { status: 409, title: 'There are too many webhooks' },
  'already-reported': { status: 409, title: 'Something else was said of this player' },
  'player-already-queued': { status: 409, title: 'A player is already queued or playing' },
  'ticket-already-matched': { status: 409, title: 'The ticket is already matched' },
  'nothing-to-accept': { status: 409, title: 'There is no match to accept or decline' },
  'idempotency-key-reused': { status: 409, title: 'The idempotency key stands for another request' },
  'rules-changed': { status: 409, title: 'The rules were changed in between' },
  'server-superseded': { status: 409, title: 'The server registered anew or was lost' },
  'server-id-taken': { status: 409, title: 'Another server has the id' },
  'fleet-full': { status: 409, title: 'The fleet has all servers or slots that it may have' },
  'request-replayed': { status: 409, title: 'The signed request was seen before' },
  'allocation-taken': { status: 409, title: 'Another server has the allocation' },
  'session-withdrawn': { status: 409, title: 'The session is no longer the server’s' },
  'case-closed': { status: 409, title: 'The case was closed otherwise' },
  'season-conflict': { status: 409, title: 'The season is not the next one, or has begun otherwise' },
  'too-many-keys': { status: 409, title: 'There are too many keys' },
  'rebuild-running': { status: 409, title: 'The pool is being rebuilt' },
  'match-over': { status: 409, title: 'The match is over' },
  'match-not-over': { status: 409, title: 'The match is not over' },
  'result-contradicts': { status: 409, title: 'The result contradicts an earlier one' },
  'allocation-over': { status: 410, title: 'The allocation is over' },
  'ticket-lost': { status: 410, title: 'The ticket is not known any more' },
  'events-forgotten': { status: 410, title: 'These events are no longer kept' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'media-type-not-supported': { status: 415, title: 'The body is not of a type that is understood' },
  'player-twice': { status: 422, title: 'A player is named twice' },
  'party-too-large': { status: 422, title: 'The party is too large for the queue' },
  'no-common-region': { status: 422, title: 'The party shares no region' },
  'report-refused': { status: 422, title: 'This player cannot be reported by you' },
  'role-unknown': { status: 422, title: 'The queue demands no such role' },
  'map-unknown': { status: 422, title: 'The queue plays no such map' },
  'platform-unknown': { status: 422, title: 'The queue does not take this platform' },
  'cross-play-refused': { status: 422, title: 'The platforms of the party may not play together' },
  'build-missing': { status: 422, title: 'The ticket must name a build' },
  'mixed-builds': { status: 422, title: 'The party shares no build' },
  'party-pass-refused': { status: 422, title: 'A party pass is not valid' },
  'result-invalid': { status: 422, title: 'The result does not fit the match' },
  'backfill-refused': { status: 422, title: 'There is no such seat to fill' },
  'rules-invalid': { status: 422, title: 'The queue’s rules make no sense here' },
  'pool-invalid': { status: 422, title: 'The pool’s rules make no sense' },
  'match-unratable': { status: 422, title: 'The pool’s model cannot take such a match' },
  'rating-invalid': { status: 422, title: 'The pool’s model holds no such rating' },
  'booster-refused': { status: 422, title: 'This booster is not allowed here' },
  'time-ahead': { status: 422, title: 'That time has not come yet' },
  'time-past': { status: 422, title: 'That time has passed' },
  unsolvable: { status: 422, title: 'There is no answer to this' },
  'cooling-down': { status: 429, title: 'A player may not queue for a while' },
  'too-many-requests': { status: 429, title: 'Too much is asked in a short time' },
  'too-many-open': { status: 429, title: 'Too many calls are held open' },
  'headers-too-large': { status: 431, title: 'The request header is too large' },
  'internal-error': { status: 500, title: 'Something went wrong on our side' },
  'service-unreachable': { status: 502, title: 'A service did not answer' },
  'login-unavailable': { status: 503, title: 'The login cannot be asked right now' },
  'match-unavailable': { status: 503, title: 'The match cannot be read right now' },
  'rating-unavailable': { status: 503, title: 'Ratings cannot be read right now' },
  'leaderboard-unavailable': { status: 503, title: 'The leaderboard is being made' },
  'standings-unavailable': { status: 503, title: 'The final standings are being archived' },
  'tickets-recovering': { status: 503, title: 'Tickets are being restored' },
  'queue-paused': { status: 503, title: 'The queue is paused' },
  maintenance: { status: 503, title: 'There is maintenance' },
  'too-busy': { status: 503, title: 'Too much is asked at once' },
  'not-replicated': { status: 503, title: 'The change is not safe yet' },
  'store-unavailable': { status: 503, title: 'A store cannot be reached right now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

export const problemContentType = 'application/problem+json';

/** RFC 9457. */
export const Problem = z
  .looseObject({
    type: z.string().meta({ description: 'A stable name of the kind of problem.' }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string().meta({ description: 'What was wrong here, and what would be right.' }),
    instance: z.string().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

/** Creates a problem document. */
export function problem(
  code: ProblemCode,
  detail: string,
  more: Readonly<Record<string, unknown>> = {},
): Problem {
  const { status, title } = problems[code];
  return { ...more, type: `urn:muster:problem:${code}`, title, status, detail };
}

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code);
}
