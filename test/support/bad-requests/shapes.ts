import { asks, sends, sendsText, refused, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const malformed = refused(400, 'malformed-json');
const notJson = refused(415, 'media-type-not-supported');
const tooLarge = refused(413, 'body-too-large');

const ticket = { queue: '1v1', build: 'bad-build' };
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** Malformed bodies. */
export const shapes: BadRequest[] = [
  malformed('not JSON', '/v1/tickets', sendsText('player', 'queue=1v1'), /JSON/),
  malformed('half of a JSON', '/v1/tickets', sendsText('player', '{"queue":"1v1"'), /JSON/),
  malformed(
    'JSON with NaN',
    '/v1/tickets',
    sendsText('player', '{"queue":"1v1","latencyMs":{"eu":NaN}}'),
    /JSON/,
  ),
  invalid(
    'a number beyond all numbers',
    '/v1/tickets',
    sendsText('player', '{"queue":"1v1","latencyMs":{"eu":1e999}}'),
    /latencyMs/,
  ),
  invalid('an empty body', '/v1/tickets', sendsText('player', ''), /object/),
  invalid('no body at all', '/v1/tickets', asks('player', 'POST'), /object/),
  invalid('a list for a body', '/v1/tickets', sends('player', []), /object/),
  invalid('null for a body', '/v1/tickets', sends('player', null), /object/),
  tooLarge(
    'a body of 65 KiB',
    '/v1/tickets',
    sends('player', { ...ticket, build: 'x'.repeat(65 * 1024) }),
    /64 KiB/,
  ),
  invalid(
    '10,000 levels of list',
    '/v1/tickets',
    sendsText('player', nested(10_000)),
    /nested deeper than 32 levels/,
  ),
  invalid(
    '10,000 levels in a field',
    '/v1/tickets',
    sendsText('player', `{"queue":"1v1","latencyMs":{"eu":${nested(10_000)}}}`),
    /latencyMs`: is nested deeper than 32 levels/,
  ),
  invalid(
    'a __proto__ key',
    '/v1/tickets',
    sendsText('player', '{"queue":"1v1","__proto__":{"admin":true}}'),
    /`__proto__`: the name/,
  ),
  invalid(
    'a __proto__ key in a field',
    '/v1/tickets',
    sendsText('player', '{"queue":"1v1","latencyMs":{"__proto__":20}}'),
    /`latencyMs\.__proto__`: the name/,
  ),
  invalid(
    'a constructor.prototype key',
    '/v1/tickets',
    sendsText('player', '{"queue":"1v1","constructor":{"prototype":{"admin":true}}}'),
    /no field "constructor"/,
  ),
  invalid(
    'a constructor in a nested field',
    '/v1/pools',
    sendsText('operator', '{"name":"chess","aspects":{"constructor":0.3}}'),
    /no field "constructor"/,
  ),
  invalid('an unknown field', '/v1/tickets', sends('player', { ...ticket, admin: true }), /admin/),
  notJson(
    'a body of plain text',
    '/v1/tickets',
    sendsText('player', 'hello', { 'content-type': 'text/plain' }),
    /application\/json/,
  ),
  notJson(
    'a form',
    '/v1/tickets',
    sendsText('player', 'queue=1v1', { 'content-type': 'application/x-www-form-urlencoded' }),
    /application\/json/,
  ),
];
