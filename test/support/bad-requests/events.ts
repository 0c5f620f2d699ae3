import { refused, sends, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const at = '/v1/webhooks';
const none = `${at}/whk_0000000000`;

/** Invalid calls about webhooks. */
export const events: BadRequest[] = [
  invalid('a webhook without an address', at, sends('operator', {}), /url/),
  invalid('a webhook whose address is a file', at, sends('operator', { url: 'file:///etc/passwd' }), /http/),
  invalid(
    'a webhook for a type that nobody sends',
    at,
    sends('operator', { url: 'https://game.example/', types: ['match.lost'] }),
    /types/,
  ),
  invalid(
    'an overlap of a year',
    `${none}/secret`,
    sends('operator', { overlapHours: 8_760 }),
    /overlapHours/,
  ),
  refused(404, 'webhook-not-found')(
    'a test of a webhook that does not exist',
    `${none}/test`,
    sends('operator', {}),
    /no webhook whk_0000000000/,
  ),
  refused(403, 'not-allowed')(
    'a webhook of a player',
    at,
    sends('player', { url: 'https://game.example/' }),
    /operator/,
  ),
];
