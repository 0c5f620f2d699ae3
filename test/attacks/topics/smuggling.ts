import { attack, type Attack, type Topic } from '../attack.js';
import { heardIn } from '../answers.js';
import { say, type Said } from '../raw.js';
import { call, type Target } from '../target.js';

/** What is to be smuggled: a request with the token of the victim in place of one's own. */
const hidden = 'DELETE /v1/me/party HTTP/1.1\r\nHost: m\r\n\r\n';
const refusedAndClosed = '400 invalid-request, closed';

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n`;
const post = (...headers: readonly string[]): string =>
  lines('POST /v1/sign-ins HTTP/1.1', 'Host: m', 'Content-Type: application/json', ...headers, '');
const get = (path: string, ...headers: readonly string[]): string =>
  lines(`GET ${path} HTTP/1.1`, 'Host: m', ...headers, '');

/** Sends bytes of a kind to the edge, and closes the connection. */
const sends =
  (make: (target: Target) => readonly Said[], answers?: number): Attack['run'] =>
  async (target) =>
    heardIn(await say(target.url, make(target), answers === undefined ? {} : { answers }));

/** A request that two servers could read as two different ones. */
const ambiguous = (title: string, ...said: readonly string[]): Attack =>
  attack(
    title,
    refusedAndClosed,
    sends(() => said),
  );

/** A path that is to leave its route. */
const path = (title: string, at: string, comes: string): Attack =>
  attack(title, comes, (target) => call(target, at, { token: target.mallory }));

const json = '{}';
const chunked = `${json.length}\r\n${json}\r\n0\r\n\r\n`;

/** Requests that the edge and a service could read differently. */
export const smuggling: Topic = {
  name: 'Smuggling through the edge',
  about:
    'The edge parses a request whole and sends its own to the service, with its own length. What is ambiguous is refused and the connection closed.',
  bounds: { processorSeconds: 6, memoryMiB: 96 },
  attacks: [
    ambiguous(
      'CL.TE: a length and chunks',
      post('Content-Length: 4', 'Transfer-Encoding: chunked') + chunked + hidden,
    ),
    ambiguous(
      'TE.CL: chunks and a length',
      post('Transfer-Encoding: chunked', `Content-Length: ${chunked.length + hidden.length}`) +
        chunked +
        hidden,
    ),
    ambiguous(
      'TE.TE: chunks under a second name',
      post('Transfer-Encoding: chunked', 'Transfer-Encoding: cow') + chunked + hidden,
    ),
    ambiguous('a transfer encoding that is none', post('Transfer-Encoding: xchunked') + chunked + hidden),
    ambiguous('chunks before another encoding', post('Transfer-Encoding: chunked, identity') + chunked),
    ambiguous('two lengths that differ', post('Content-Length: 2', 'Content-Length: 40') + json + hidden),
    ambiguous('two lengths that are equal', post('Content-Length: 2', 'Content-Length: 2') + json + hidden),
    ambiguous('a list of lengths', post('Content-Length: 2, 2') + json + hidden),
    ambiguous('a length with a sign', post('Content-Length: +2') + json + hidden),
    ambiguous('a negative length', post('Content-Length: -2') + json + hidden),
    ambiguous('a length in hexadecimal', post('Content-Length: 0x2') + json + hidden),
    ambiguous('a length beyond all numbers', post('Content-Length: 99999999999999999999') + json),
    ambiguous('a blank before the colon of the length', post('Content-Length : 2') + json + hidden),
    ambiguous(
      'a blank before the colon of the encoding',
      post('Transfer-Encoding : chunked', 'Content-Length: 2') + json,
    ),
    ambiguous(
      'a folded header',
      lines('GET /v1/queues HTTP/1.1', 'Host: m', 'X-A: b', ' Transfer-Encoding: chunked', ''),
    ),
    ambiguous('lines that end with LF alone', 'GET /v1/queues HTTP/1.1\nHost: m\n\n'),
    ambiguous('a CR alone within a header', get('/v1/queues', 'X-A: b\rX-Evil: yes')),
    ambiguous('NUL in a header', get('/v1/queues', 'X-A: b\0c')),
    ambiguous('a header without a name', get('/v1/queues', ': yes')),
    ambiguous('a blank in the name of a header', get('/v1/queues', 'X A: yes')),
    ambiguous(
      'a chunk whose size is no number',
      post('Transfer-Encoding: chunked') + '0x2\r\n{}\r\n0\r\n\r\n',
    ),
    ambiguous('a chunk with a negative size', post('Transfer-Encoding: chunked') + '-2\r\n{}\r\n0\r\n\r\n'),
    ambiguous(
      'a chunk beyond all numbers',
      post('Transfer-Encoding: chunked') + 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n',
    ),
    ambiguous('a chunk that ends with LF alone', post('Transfer-Encoding: chunked') + '2\n{}\n0\n\n'),
    ambiguous(
      'a chunk that is longer than it says',
      post('Transfer-Encoding: chunked') + '2\r\n{}x\r\n0\r\n\r\n',
    ),
    attack(
      'a chunk extension of 32 KiB',
      '400 invalid-request, closed',
      sends(() => [`${post('Transfer-Encoding: chunked')}2;a=${'x'.repeat(32_768)}\r\n{}\r\n0\r\n\r\n`]),
    ),
    attack(
      'a trailer that names a token',
      '400 invalid-request',
      sends(
        ({ victim }) => [
          `${post('Transfer-Encoding: chunked', 'Trailer: Authorization')}2\r\n{}\r\n0\r\nAuthorization: Bearer ${victim.token}\r\n\r\n`,
        ],
        1,
      ),
    ),
    attack(
      'a body to a call that takes none, which is a request itself',
      '200, 404 not-found',
      sends(
        ({ mallory }) => [
          get('/v1/queues', `Authorization: Bearer ${mallory}`, `Content-Length: ${hidden.length}`) + hidden,
          get('/v1/nothing'),
        ],
        2,
      ),
    ),
    attack(
      'requests of two players on one connection, all at once',
      '404 ticket-not-found, 200, 401 not-authenticated',
      sends(
        ({ mallory, victim }) => [
          [
            get('/v1/me/ticket', `Authorization: Bearer ${mallory}`),
            get('/v1/me/ticket', `Authorization: Bearer ${victim.token}`),
            get('/v1/me/ticket'),
          ].join(''),
        ],
        3,
      ),
    ),
    attack(
      'a second Authorization header, of the victim',
      '404 ticket-not-found',
      sends(
        ({ mallory, victim }) => [
          get('/v1/me/ticket', `Authorization: Bearer ${mallory}`, `Authorization: Bearer ${victim.token}`),
        ],
        1,
      ),
    ),
    attack(
      '`Connection: authorization`, to lose the token on the way',
      '401 not-authenticated, closed',
      sends(
        ({ victim }) => [
          get('/v1/me/ticket', `Authorization: Bearer ${victim.token}`, 'Connection: authorization, close'),
        ],
        1,
      ),
    ),
    attack(
      '`Connection: content-length, content-type, host`, to lose the frame',
      '415 media-type-not-supported',
      sends(() => [post('Connection: content-length, content-type, host', 'Content-Length: 2') + json], 1),
    ),
    attack(
      'an upgrade to h2c',
      '200',
      sends(
        () => [
          get(
            '/v1/queues',
            'Connection: Upgrade, HTTP2-Settings',
            'Upgrade: h2c',
            'HTTP2-Settings: AAMAAABk',
          ),
        ],
        1,
      ),
    ),
    attack(
      'an upgrade to a WebSocket',
      '200',
      sends(() => [get('/v1/queues', 'Connection: Upgrade', 'Upgrade: websocket')], 1),
    ),
    ambiguous('HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    attack(
      'a tunnel: CONNECT',
      'closed',
      sends(() => ['CONNECT 127.0.0.1:6379 HTTP/1.1\r\nHost: m\r\n\r\n']),
    ),
    attack(
      'TRACE, to read headers back',
      '404 not-found',
      sends(() => ['TRACE /v1/queues HTTP/1.1\r\nHost: m\r\n\r\n'], 1),
    ),
    attack(
      'an absolute target on another machine',
      '400 invalid-request',
      sends(() => ['GET http://169.254.169.254/latest/meta-data HTTP/1.1\r\nHost: m\r\n\r\n'], 1),
    ),
    attack(
      'an absolute target on this one',
      '400 invalid-request',
      sends(() => ['GET http://m/v1/queues HTTP/1.1\r\nHost: m\r\n\r\n'], 1),
    ),
    attack(
      'two Host headers',
      '200',
      sends(() => [get('/v1/queues', 'Host: evil')], 1),
    ),
    attack(
      'no Host header',
      '400, closed',
      sends(() => ['GET /v1/queues HTTP/1.1\r\n\r\n']),
    ),
    attack('a method of its own, by a header', '405 method-not-allowed', (target) =>
      call(target, `/v1/tickets/${target.victim.ticketId}`, {
        method: 'POST',
        headers: { 'x-http-method-override': 'DELETE' },
        token: target.victim.token,
      }),
    ),
    attack(
      '`100-continue`, and the body much later',
      '400 invalid-request, 200',
      sends(
        () => [post('Content-Length: 40', 'Expect: 100-continue'), 100, '{}'.padEnd(40), get('/v1/queues')],
        2,
      ),
    ),
    attack(
      'an expectation that nobody has',
      '417',
      sends(() => [post('Content-Length: 2', 'Expect: 200-ok')], 1),
    ),
    path('/metrics', '/metrics', '404 not-found'),
    path('/metrics with its letters encoded', '/%6detrics', '404 not-found'),
    path('/metrics after two slashes', '//metrics', '404 not-found'),
    path('/metrics after a call of a service', '/v1/queues/../../metrics', '404 not-found'),
    path('/metrics by encoded dots', '/v1/tickets/%2e%2e/%2e%2e/metrics', '404 not-found'),
    path('/metrics by encoded slashes', '/v1/tickets/..%2f..%2fmetrics', '400 invalid-request'),
    path('/metrics by slashes encoded twice', '/v1/tickets/..%252f..%252fmetrics', '400 invalid-request'),
    path('/metrics by backslashes', '/v1/tickets/..\\..\\metrics', '400 invalid-request'),
    path('/metrics behind a semicolon', '/v1/queues;/../../metrics', '404 not-found'),
    path('/health of a service', '/v1/tickets/..%2f..%2fhealth%2fready', '400 invalid-request'),
    path('a file beside the dashboard', '/dashboard/assets/..%2f..%2f..%2fpackage.json', '404 not-found'),
    path('a file of the machine', '/docs/static/..%2f..%2f..%2f..%2fetc%2fpasswd', '404 not-found'),
    path('a path of overlong UTF-8', '/v1/tickets/%c0%ae%c0%ae%c0%afmetrics', '400 invalid-request'),
  ],
};
