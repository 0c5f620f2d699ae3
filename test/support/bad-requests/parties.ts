import { asks, refused, sends, type Actors, type BadRequest } from './actors.js';
import type { Ask } from '../http.js';

const invalid = refused(400, 'invalid-request');
const forbidden = refused(403, 'not-allowed');
const noParty = refused(404, 'party-not-found');
const noMatch = refused(404, 'match-not-found');
const twice = refused(422, 'player-twice');

const ticket = { queue: '5v5', build: 'bad-build' };
const party = '/v1/parties/pty_00000000';
const puts =
  (body: unknown) =>
  ({ player }: Actors): Ask => ({ method: 'PUT', token: player, body });
const reports = '/v1/matches/mat_00000000/behaviour-reports';

/** Invalid calls of players about parties, avoid-lists and behaviour. */
export const parties: BadRequest[] = [
  refused(403, 'not-invited')(
    'joining an unknown party',
    `${party}/members`,
    sends('player', {}),
    /no invitation/,
  ),
  noParty(
    'inviting to no party',
    `${party}/invitations`,
    sends('player', { playerId: 'bad-friend' }),
    /no party/,
  ),
  invalid(
    'inviting a bot',
    `${party}/invitations`,
    sends('player', { playerId: 'bot:1' }),
    /must not begin with bot:/,
  ),
  invalid(
    'a pass to an erased player',
    '/v1/party-passes',
    sends('player', { leader: 'erased-0123456789abcdef01' }),
    /must not begin with .*erased-/,
  ),
  noParty('leaving no party', `${party}/members/bad-player`, asks('player', 'DELETE'), /no party/),
  noParty('ending no party', party, asks('player', 'DELETE'), /no party/),
  noParty(
    'queueing no party',
    '/v1/tickets',
    sends('player', { ...ticket, partyId: 'pty_00000000' }),
    /no party/,
  ),
  invalid(
    'a party with passes',
    '/v1/tickets',
    ({ player, pass }) => ({
      token: player,
      body: { ...ticket, partyId: 'pty_00000000', partyPasses: [pass] },
    }),
    /partyId or by partyPasses/,
  ),
  invalid('an invalid party id', '/v1/parties/mine/members', sends('player', {}), /partyId/),
  invalid('inviting no player', `${party}/invitations`, sends('player', {}), /playerId/),
  invalid(
    'a member with latency as text',
    `${party}/members`,
    sends('player', { latencyMs: { eu: 'near' } }),
    /latencyMs\.eu/,
  ),
  invalid(
    'a member on a platform in capitals',
    `${party}/members`,
    sends('player', { platform: 'PC' }),
    /platform/,
  ),
  invalid('a pass of no build', '/v1/party-passes', sends('player', { leader: 'bad-x', build: '' }), /build/),
  invalid('cross-play as text', '/v1/tickets', sends('player', { ...ticket, crossPlay: 'no' }), /crossPlay/),
  forbidden('an operator who creates a party', '/v1/parties', asks('operator', 'POST'), /player/),
  twice('avoiding oneself', '/v1/me/avoided/bad-player', puts({ scope: 'team' }), /yourself/),
  invalid('avoiding everywhere', '/v1/me/avoided/bad-friend', puts({ scope: 'world' }), /scope/),
  invalid('avoiding a path', '/v1/me/avoided/..%2fadmin', puts({ scope: 'team' }), /playerId|characters/),
  noMatch(
    'a report after no match',
    reports,
    sends('player', { playerId: 'bad-friend', kind: 'abuse' }),
    /no match/,
  ),
  invalid(
    'a report of something else',
    reports,
    sends('player', { playerId: 'bad-friend', kind: 'ugly' }),
    /kind/,
  ),
  invalid(
    'a report with a NUL',
    reports,
    sends('player', { playerId: 'bad-friend', kind: 'abuse', note: 'a\0b' }),
    /NUL/,
  ),
  forbidden('a player who reads a score', '/v1/players/bad-friend/behaviour', asks('player'), /operator/),
];
