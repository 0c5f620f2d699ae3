import { asks, sends, type Actors, type BadToken, refused, type BadRequest } from './actors.js';
import type { Ask } from '../http.js';

const forbidden = refused(403, 'not-allowed');
const unknownCaller = refused(401, 'not-authenticated');

const ticket = { queue: '1v1', build: 'bad-build' };
const server = {
  serverId: 'bad-other',
  region: 'local',
  build: 'bad',
  host: '10.0.0.1',
  port: 7777,
  slots: 1,
};
const withToken =
  (name: BadToken) =>
  ({ tokens }: Actors): Ask => ({ token: tokens[name], body: ticket });

/** Unauthenticated and unauthorised callers. */
export const unauthorised: BadRequest[] = [
  unknownCaller('no token', '/v1/tickets', () => ({ body: ticket }), /Authorization/),
  unknownCaller(
    'another scheme',
    '/v1/tickets',
    () => ({ body: ticket, headers: { authorization: 'Basic YTpi' } }),
    /Bearer/,
  ),
  unknownCaller(
    'an empty bearer',
    '/v1/tickets',
    () => ({ body: ticket, headers: { authorization: 'Bearer ' } }),
    /Bearer/,
  ),
  unknownCaller(
    'a token of garbage',
    '/v1/tickets',
    () => ({ body: ticket, token: 'garbage' }),
    /key is unknown/,
  ),
  unknownCaller('a token of dotted garbage', '/v1/tickets', () => ({ body: ticket, token: 'a.b.c' }), /JWT/),
  unknownCaller('an expired token', '/v1/tickets', withToken('expired'), /expired/),
  unknownCaller(
    'a token signed by another key',
    '/v1/tickets',
    withToken('strange'),
    /not signed by a trusted key/,
  ),
  unknownCaller('a token that never ends', '/v1/tickets', withToken('endless'), /"exp"/),
  unknownCaller('an unsigned token', '/v1/tickets', withToken('unsigned'), /JWT/),
  unknownCaller('a token signed by the public key', '/v1/tickets', withToken('symmetric'), /JWT|key/),
  unknownCaller('a token for another game', '/v1/tickets', withToken('elsewhere'), /audience/),
  unknownCaller('a token without a subject', '/v1/tickets', withToken('nameless'), /"sub"/),
  unknownCaller('a token with an invalid name', '/v1/tickets', withToken('spaced'), /`sub`/),
  unknownCaller('a token of a bot', '/v1/tickets', withToken('bot'), /`sub` must not begin with bot:/),
  unknownCaller(
    'a token of an erased player',
    '/v1/me/matches',
    ({ tokens }) => ({ token: tokens.erased }),
    /`sub` must not begin with bot: or erased-/,
  ),
  unknownCaller('a token with an invalid claim', '/v1/tickets', withToken('boastful'), /"muster"/),
  forbidden('penalties of others', '/v1/players/bad-friend/penalties', asks('player'), /operator.*player/),
  forbidden(
    'a match called off by a player',
    '/v1/sessions/ses_00000000/abandon',
    sends('player', { reason: 'x' }),
    /server.*player/,
  ),
  forbidden(
    'a result from a player',
    '/v1/sessions/ses_00000000/result',
    sends('player', { winner: 0 }),
    /server.*player/,
  ),
  unknownCaller(
    'a result without a token',
    '/v1/sessions/ses_00000000/result',
    ({ tokens }) => ({ token: tokens.strange, body: { winner: 0 } }),
    /key/,
  ),
  forbidden(
    'a server key where a server’s own token belongs',
    '/v1/sessions/ses_00000000/result',
    sends('fleet', { winner: 0 }),
    /server/,
  ),
  forbidden('a player at an operator’s call', '/v1/matches', asks('player'), /operator/),
  forbidden('a player at the export', '/v1/matches/export', asks('player'), /operator/),
  forbidden('a player at the fleet’s call', '/v1/servers', sends('player', server), /fleet/),
  forbidden('an operator in a player’s place', '/v1/tickets', sends('operator', ticket), /player/),
  forbidden(
    'a server that speaks for another',
    '/v1/servers/bad-other/heartbeat',
    sends('server', {}),
    /bad-other/,
  ),
  forbidden(
    'a player who drains a server',
    '/v1/servers/bad-server/drain',
    asks('player', 'POST'),
    /server or operator/,
  ),
  forbidden('a player who asks for teams', '/v1/teams/split', sends('player', {}), /server or fleet or op/),
  unknownCaller('teams without a token', '/v1/teams/split', () => ({ body: {} }), /Authorization/),
];
