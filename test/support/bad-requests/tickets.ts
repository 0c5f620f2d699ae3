import { asks, sends, refused, type BadRequest } from './actors.js';

const badPass = refused(422, 'party-pass-refused');
const invalid = refused(400, 'invalid-request');
const noQueue = refused(404, 'queue-not-found');
const noTicket = refused(404, 'ticket-not-found');
const noPenalty = refused(404, 'penalty-not-found');
const nothingToAccept = refused(409, 'nothing-to-accept');
const queuedAlready = refused(409, 'player-already-queued');
const twice = refused(422, 'player-twice');

const ticket = { queue: '1v1', build: 'bad-build' };

/** Invalid calls of players. */
export const tickets: BadRequest[] = [
  noQueue('tickets of an unknown queue', '/v1/tickets?queue=7v7', asks('operator'), /"7v7".*5v5/),
  invalid('tickets in an unknown state', '/v1/tickets?state=asleep', asks('operator'), /state/),
  invalid('tickets after a cursor of words', '/v1/tickets?cursor=next', asks('operator'), /`next`/),
  refused(403, 'not-allowed')('tickets for a player', '/v1/tickets', asks('player'), /operator/),
  refused(422, 'time-past')(
    'a pause that is over',
    '/v1/queues/1v1/pause',
    ({ operator }) => ({ method: 'PUT', token: operator, body: { message: 'x', until: 1 } }),
    /future/,
  ),
  noQueue(
    'a pause of an unknown queue',
    '/v1/queues/7v7/pause',
    ({ operator }) => ({ method: 'PUT', token: operator, body: { message: 'x' } }),
    /"7v7"/,
  ),
  invalid(
    'maintenance without a message',
    '/v1/maintenance',
    ({ operator }) => ({ method: 'PUT', token: operator, body: {} }),
    /message/,
  ),
  refused(422, 'time-past')(
    'a ban that is over',
    '/v1/players/bad-player/ban',
    ({ operator }) => ({ method: 'PUT', token: operator, body: { reason: 'x', until: 1 } }),
    /future/,
  ),
  invalid(
    'a ban without an end',
    '/v1/players/bad-player/ban',
    ({ operator }) => ({ method: 'PUT', token: operator, body: { reason: 'x' } }),
    /until/,
  ),
  invalid(
    'forgiving a range that ends before it begins',
    '/v1/penalties/forgive',
    sends('operator', { from: 2, to: 1, reason: 'x' }),
    /before/,
  ),
  invalid('draining all servers', '/v1/servers/drain', sends('operator', {}), /`region`|region/),
  invalid('a cancellation without a reason', '/v1/tickets/:ticket/cancel', sends('operator', {}), /reason/),
  refused(403, 'not-allowed')(
    'a cancellation with a reason by a player',
    '/v1/tickets/:ticket/cancel',
    sends('player', { reason: 'mine' }),
    /operator/,
  ),
  noTicket(
    'a cancellation of an unknown ticket',
    '/v1/tickets/tkt_00000000/cancel',
    sends('operator', { reason: 'gone' }),
    /tkt_00000000/,
  ),
  noTicket(
    'the ticket of a player without one',
    '/v1/players/bad-player/ticket',
    asks('operator'),
    /bad-player/,
  ),
  noQueue('an unknown queue', '/v1/tickets', sends('player', { queue: '7v7' }), /"7v7".*5v5/),
  invalid('a queue name of capitals', '/v1/tickets', sends('player', { queue: 'CTF' }), /`queue`/),
  invalid(
    'a negative latency',
    '/v1/tickets',
    sends('player', { ...ticket, latencyMs: { eu: -1 } }),
    /latencyMs\.eu/,
  ),
  invalid(
    'latency as text',
    '/v1/tickets',
    sends('player', { ...ticket, latencyMs: { eu: '20' } }),
    /latencyMs\.eu/,
  ),
  invalid(
    'an invalid region name',
    '/v1/tickets',
    sends('player', { ...ticket, latencyMs: { 'eu west': 20 } }),
    /latencyMs\.eu west/,
  ),
  invalid(
    '33 regions',
    '/v1/tickets',
    sends('player', {
      ...ticket,
      latencyMs: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`r${i}`, 1])),
    }),
    /32 regions/,
  ),
  invalid(
    'a build with spaces',
    '/v1/tickets',
    sends('player', { queue: '1v1', build: 'my build' }),
    /`build`/,
  ),
  invalid(
    'fifty passes',
    '/v1/tickets',
    sends('player', { ...ticket, partyPasses: Array.from({ length: 50 }, () => 'x') }),
    /partyPasses/,
  ),
  twice(
    'a player twice in a party',
    '/v1/tickets',
    ({ player, pass }) => ({ token: player, body: { queue: '5v5', partyPasses: [pass, pass] } }),
    /bad-friend/,
  ),
  twice('a pass for oneself', '/v1/party-passes', sends('player', { leader: 'bad-player' }), /yourself/),
  invalid(
    'a pass to a leader who is no player',
    '/v1/party-passes',
    sends('player', { leader: '../admin' }),
    /leader/,
  ),
  badPass('an invalid pass', '/v1/tickets', sends('player', { ...ticket, partyPasses: ['please'] }), /pass/),
  queuedAlready(
    'an already queued player',
    '/v1/tickets',
    sends('queued', ticket),
    /^You are already queued/,
  ),
  invalid(
    'an idempotency key with a space',
    '/v1/tickets',
    sends('player', ticket, { 'idempotency-key': 'a b' }),
    /Idempotency-Key/,
  ),
  invalid(
    'an idempotency key of 129 characters',
    '/v1/tickets',
    sends('player', ticket, { 'idempotency-key': 'x'.repeat(129) }),
    /Idempotency-Key/,
  ),
  invalid(
    'an empty idempotency key',
    '/v1/tickets',
    sends('player', ticket, { 'idempotency-key': '' }),
    /Idempotency-Key/,
  ),
  noTicket('another’s ticket', '/v1/tickets/:ticket', asks('player'), /no ticket/),
  noTicket('cancelling another’s ticket', '/v1/tickets/:ticket', asks('player', 'DELETE'), /no ticket/),
  noTicket('accepting another’s match', '/v1/tickets/:ticket/accept', asks('player', 'POST'), /no ticket/),
  noTicket('declining another’s match', '/v1/tickets/:ticket/decline', asks('player', 'POST'), /no ticket/),
  nothingToAccept(
    'accepting when there is no match',
    '/v1/tickets/:ticket/accept',
    asks('queued', 'POST'),
    /waiting/,
  ),
  nothingToAccept(
    'declining when there is no match',
    '/v1/tickets/:ticket/decline',
    asks('queued', 'POST'),
    /waiting/,
  ),
  noPenalty(
    'forgiving an unknown penalty',
    '/v1/players/bad-player/penalties/pen_00000000',
    asks('operator', 'DELETE'),
    /pen_00000000/,
  ),
  invalid(
    'an invalid penalty id',
    '/v1/players/bad-player/penalties/all',
    asks('operator', 'DELETE'),
    /penaltyId/,
  ),
  noTicket('listening to another’s ticket', '/v1/tickets/:ticket/events', asks('player'), /no ticket/),
  invalid('a long poll from a negative cursor', '/v1/tickets/:ticket?after=-1', asks('queued'), /after/),
  invalid(
    'a long poll of an hour',
    '/v1/tickets/:ticket?after=1&waitSeconds=3600',
    asks('queued'),
    /waitSeconds/,
  ),
  invalid(
    'a resume from an invalid event',
    '/v1/tickets/:ticket/events',
    asks('queued', 'GET', { 'last-event-id': 'yesterday' }),
    /Last-Event-ID/,
  ),
  noQueue('the waiting list of an unknown queue', '/v1/queues/7v7/waiting', asks('operator'), /7v7/),
];
