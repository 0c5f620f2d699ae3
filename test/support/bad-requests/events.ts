import { asks, refused, sends, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const missing = refused(404, 'webhook-not-found');
const at = '/v1/webhooks';
const none = `${at}/whk_0000000000`;
const url = 'https://game.example/';
/** A webhook with this address. */
const to = (address: string) => sends('operator', { url: address });

/** Invalid calls about events and webhooks. */
export const events: BadRequest[] = [
  invalid(
    'events of a type that nobody sends',
    '/v1/events?types=match.lost',
    asks('operator'),
    /docs\/events\.md/,
  ),
  invalid('events after half a position', '/v1/events?after=1.5', asks('operator'), /after/),
  invalid(
    'events after the id of another stream',
    '/v1/events',
    asks('operator', 'GET', { 'last-event-id': 'evt_1' }),
    /Last-Event-ID/,
  ),
  refused(410, 'events-forgotten')(
    'events after one of the future',
    '/v1/events?after=999999999',
    asks('operator'),
    /after=0/,
  ),
  refused(403, 'not-allowed')('the events of a player', '/v1/events', asks('player'), /operator/),
  invalid('a webhook without an address', at, sends('operator', {}), /url/),
  invalid('a webhook whose address is a file', at, to('file:///etc/passwd'), /http/),
  invalid('a webhook inside', at, to('https://10.0.0.1/'), /10\.0\.0\.1 is not public/),
  invalid('a webhook at the metadata of the machine', at, to('http://169.254.169.254/'), /WEBHOOK_NETWORKS/),
  invalid('a webhook at a number', at, to('http://2852039166/'), /169\.254\.169\.254/),
  invalid('a webhook without encryption', at, to('http://93.184.216.34/'), /https only/),
  invalid('a webhook with a password', at, to('https://ann:secret@game.example/'), /no password/),
  invalid('a webhook for an unknown type', at, sends('operator', { url, types: ['match.lost'] }), /types/),
  invalid('a webhook with a secret of its own', at, sends('operator', { url, secret: 'whsec_x' }), /secret/),
  refused(403, 'not-allowed')('a webhook of a player', at, sends('player', { url }), /operator/),
  invalid('a webhook with an id of another form', `${at}/mine`, asks('operator'), /webhookId/),
  missing('a webhook that does not exist', none, asks('operator'), /no webhook whk_0000000000/),
  invalid(
    'a change to an address inside',
    none,
    (actors) => ({ ...to('https://[fd00::1]/')(actors), method: 'PUT' }),
    /fd00::1 is not public/,
  ),
  missing('a change of none', none, (actors) => ({ ...to(url)(actors), method: 'PUT' }), /whk_/),
  missing('the end of none', none, asks('operator', 'DELETE'), /whk_/),
  missing('a pause of none', `${none}/pause`, sends('operator', {}), /whk_/),
  missing('the end of a pause of none', `${none}/resume`, sends('operator', {}), /whk_/),
  missing('a test of none', `${none}/test`, sends('operator', {}), /whk_/),
  invalid(
    'an overlap of a year',
    `${none}/secret`,
    sends('operator', { overlapHours: 8_760 }),
    /overlapHours/,
  ),
  missing('a secret of none', `${none}/secret`, sends('operator', {}), /whk_/),
  invalid('deliveries in a state of none', `${none}/deliveries?state=lost`, asks('operator'), /state/),
  invalid('too many deliveries', `${none}/deliveries?limit=501`, asks('operator'), /limit/),
  missing('deliveries of none', `${none}/deliveries`, asks('operator'), /whk_/),
  invalid(
    'a retry of no position',
    `${none}/deliveries/retry`,
    sends('operator', { positions: [] }),
    /positions/,
  ),
  invalid(
    'a retry of half a position',
    `${none}/deliveries/retry`,
    sends('operator', { positions: [0.5] }),
    /positions/,
  ),
  missing('a retry of none', `${none}/deliveries/retry`, sends('operator', {}), /whk_/),
];
