import { attack, refused, type Attack, type Topic } from '../attack.js';
import { ask } from '../../support/http.js';
import { call, rogueServer } from '../target.js';

const invalid = refused('400 invalid-request');
const missing = refused('404 not-found');

const as =
  (who: 'mallory' | 'viewer', path: string): Attack['run'] =>
  (target) =>
    call(target, path, { token: who === 'viewer' ? target.keys.viewer : target.mallory });

/** A queue request with one odd field. */
const queues =
  (over: Readonly<Record<string, unknown>>): Attack['run'] =>
  (target) =>
    call(target, '/v1/tickets', { token: target.mallory, body: { queue: '1v1', build: 'atk', ...over } });

/** Text that is to be read as something else. */
export const injection: Topic = {
  name: 'Injection',
  about:
    'Ids have an alphabet; SQL and scripts of Redis get values, never text. Logs are JSON: a line break or an escape sequence is written as such.',
  bounds: { processorSeconds: 5, memoryMiB: 96 },
  attacks: [
    invalid('a header in an id', as('mallory', '/v1/tickets/tkt_00000000%0d%0aX-Evil:%20yes')),
    invalid('a header in a name', as('viewer', '/v1/ratings/duel/a%0d%0aX-Evil:%20yes')),
    invalid('NUL in an id', as('viewer', '/v1/matches/mat_%0000000000')),
    invalid('SQL in a name', as('viewer', "/v1/ratings/duel/x'%20OR%201=1--")),
    invalid('SQL in a cursor', as('viewer', "/v1/ratings/duel?cursor=%00'%3B%20DROP%20TABLE%20rating")),
    invalid('a key of Redis in the name of a queue', queues({ queue: '1v1}:{x' })),
    invalid('Lua in the name of a build', queues({ build: '") redis.call("FLUSHALL") --' })),
    invalid('a control character in a platform', queues({ platform: '\u001b[2J' })),
    invalid('a field `constructor`', queues({ constructor: { prototype: { admin: true } } })),
    invalid('a `__proto__` with rights', (target) =>
      call(target, '/v1/tickets', {
        token: target.mallory,
        raw: '{"queue":"1v1","__proto__":{"role":"admin"}}',
      }),
    ),
    invalid('`__proto__` in the query', as('viewer', '/v1/matches?__proto__[role]=admin')),
    invalid('a parameter twice', as('viewer', '/v1/matches?limit=1&limit=2')),
    missing('a script in a path', as('mallory', '/v1/<script>alert(1)</script>')),
    missing('a line of a log in a path', as('mallory', '/v1/x%0a%7B%22level%22:60,%22msg%22:%22down%22%7D')),
    invalid('an idempotency key with a blank', (target) =>
      call(target, '/v1/tickets', {
        token: target.mallory,
        body: { queue: '1v1', build: 'atk' },
        headers: { 'idempotency-key': 'a b' },
      }),
    ),
    invalid('a position of a stream that is none', (target) =>
      call(target, `/v1/tickets/${target.victim.ticketId}/events`, {
        token: target.victim.token,
        headers: { 'last-event-id': '1; id: 9' },
      }),
    ),
    attack('a trace of the attacker’s', '200', (target) =>
      call(target, '/v1/queues', {
        headers: { traceparent: `00-${'f'.repeat(32)}-${'f'.repeat(16)}-01`, tracestate: 'x=y,x=y' },
      }),
    ),
    invalid('a reason with NUL', (target) =>
      call(target, `/v1/sessions/${target.arena.sessionId}/abandon`, {
        token: target.arena.token,
        body: { reason: 'a\0b' },
      }),
    ),
    invalid('a label with half a character', (target) =>
      call(target, '/v1/servers', {
        token: target.keys.fleet,
        raw: JSON.stringify(rogueServer({ labels: { maps: 'HALF' } })).replace('HALF', String.raw`\ud800`),
      }),
    ),
    attack('another site that calls', '200, no right to read', async (target) => {
      const { status, headers } = await ask(target.url, '/v1/queues', {
        headers: { origin: 'https://evil.example' },
      });
      return `${status}, ${headers['access-control-allow-origin'] === undefined ? 'no right to read' : 'may read'}`;
    }),
    attack('a site whose name begins as an allowed one', 'no right to read', async (target) => {
      const { headers } = await ask(target.url, '/v1/queues', {
        headers: { origin: 'https://play.example.evil.example' },
      });
      return headers['access-control-allow-origin'] === undefined ? 'no right to read' : 'may read';
    }),
    attack('the origin `null`', 'no right to read', async (target) => {
      const { headers } = await ask(target.url, '/v1/queues', { headers: { origin: 'null' } });
      return headers['access-control-allow-origin'] === undefined ? 'no right to read' : 'may read';
    }),
    refused('415 media-type-not-supported')('a form of another site', (target) =>
      call(target, '/v1/tickets', {
        token: target.mallory,
        raw: 'queue=1v1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ),
    refused('415 media-type-not-supported')('JSON as plain text, which needs no preflight', (target) =>
      call(target, '/v1/tickets', {
        token: target.mallory,
        raw: '{"queue":"1v1"}',
        headers: { 'content-type': 'text/plain' },
      }),
    ),
    attack('a page that frames the dashboard', 'framed by no page', async (target) => {
      const { headers } = await ask(target.url, '/dashboard');
      return String(headers['content-security-policy']).includes("frame-ancestors 'none'")
        ? 'framed by no page'
        : 'may be framed';
    }),
  ],
};
