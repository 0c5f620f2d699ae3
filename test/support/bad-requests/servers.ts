import { asks, sends, sendsText, refused, type BadRequest } from './actors.js';

const invalid = refused(400, 'invalid-request');
const misfit = refused(422, 'result-invalid');
const noCommand = refused(404, 'command-not-found');
const noServer = refused(404, 'server-not-found');
const noSession = refused(404, 'session-not-found');

const server = {
  serverId: 'bad-other',
  region: 'local',
  build: 'bad',
  host: '10.0.0.1',
  port: 7777,
  slots: 1,
};
const nul = '\u0000';

/** Invalid calls of servers and fleets. */
export const servers: BadRequest[] = [
  invalid('a cursor of servers with a NUL', '/v1/servers?cursor=a%00', asks('operator'), /cursor/),
  invalid('a server of no slots', '/v1/servers', sends('fleet', { ...server, slots: 0 }), /slots/),
  invalid('a server of half a slot', '/v1/servers', sends('fleet', { ...server, slots: 1.5 }), /slots/),
  invalid('port 70,000', '/v1/servers', sends('fleet', { ...server, port: 70_000 }), /port/),
  invalid('a host with spaces', '/v1/servers', sends('fleet', { ...server, host: 'my host' }), /host/),
  invalid(
    'a host with a header',
    '/v1/servers',
    sends('fleet', { ...server, host: 'a\r\nX-Evil: yes' }),
    /host/,
  ),
  invalid(
    'an invalid session id to resume',
    '/v1/servers',
    sends('fleet', { ...server, resume: ['*'] }),
    /resume\.0/,
  ),
  invalid(
    'a processor that is twice itself',
    '/v1/servers/bad-server/heartbeat',
    sends('server', { cpuLoad: 2 }),
    /cpuLoad/,
  ),
  invalid(
    'a server that is to drain, but not',
    '/v1/servers/bad-server/drain',
    sends('server', { drain: false }),
    /takes no body; remove `drain`/,
  ),
  noServer(
    'an unknown server to drain',
    '/v1/servers/bad-nobody/drain',
    asks('operator', 'POST'),
    /bad-nobody/,
  ),
  noServer(
    'an unknown server to end the draining of',
    '/v1/servers/bad-nobody/undrain',
    asks('operator', 'POST'),
    /bad-nobody/,
  ),
  noServer(
    'an unknown server to take out',
    '/v1/servers/bad-nobody',
    asks('operator', 'DELETE'),
    /bad-nobody/,
  ),
  invalid('commands after a word', '/v1/servers/bad-server/commands?after=x', asks('server'), /after/),
  invalid(
    'commands after the end of numbers',
    '/v1/servers/bad-server/commands?after=9007199254740991',
    asks('server'),
    /after/,
  ),
  noCommand(
    'an answer to no command',
    '/v1/servers/bad-server/commands/999',
    sends('server', { status: 'done' }),
    /999/,
  ),
  invalid(
    'an answer to command x',
    '/v1/servers/bad-server/commands/x',
    sends('server', { status: 'done' }),
    /seq/,
  ),
  invalid(
    'an answer beyond the end of numbers',
    '/v1/servers/bad-server/commands/99999999999',
    sends('server', { status: 'done' }),
    /seq/,
  ),
  invalid(
    'an invalid answer',
    '/v1/servers/bad-server/commands/1',
    sends('server', { status: 'maybe' }),
    /status/,
  ),
  invalid(
    'a refusal without a reason',
    '/v1/servers/bad-server/commands/:seq',
    sends('server', { status: 'refused' }),
    /reason/,
  ),
  invalid(
    'a refusal with a NUL',
    '/v1/servers/bad-server/commands/:seq',
    sends('server', { status: 'refused', reason: nul }),
    /reason/,
  ),
  invalid(
    'a refusal of half a character',
    '/v1/servers/bad-server/commands/:seq',
    sendsText('server', '{"status":"refused","reason":"\\ud800"}'),
    /reason/,
  ),
  invalid(
    'a winner and ranks',
    '/v1/sessions/:session/result',
    sends('server', { winner: 0, ranks: [1, 2] }),
    /winner/,
  ),
  invalid('neither winner nor ranks', '/v1/sessions/:session/result', sends('server', {}), /winner/),
  invalid('half a winner', '/v1/sessions/:session/result', sends('server', { winner: 0.5 }), /winner/),
  misfit(
    'three ranks for two teams',
    '/v1/sessions/:session/result',
    sends('server', { ranks: [1, 2, 3] }),
    /2 teams/,
  ),
  invalid(
    'a match called off without a reason',
    '/v1/sessions/:session/abandon',
    sends('server', { noShows: ['bad-live-1'] }),
    /reason/,
  ),
  invalid(
    'a player who neither came nor stayed',
    '/v1/sessions/:session/abandon',
    sends('server', { reason: 'x', noShows: ['bad-live-1'], leavers: ['bad-live-1'] }),
    /once/,
  ),
  misfit(
    'a match called off for a player not in it',
    '/v1/sessions/:session/abandon',
    sends('server', { reason: 'x', noShows: ['bad-nobody'] }),
    /bad-nobody/,
  ),
  misfit(
    'a leaver not in the match',
    '/v1/sessions/:session/result',
    sends('server', { winner: 0, leavers: ['bad-nobody'] }),
    /bad-nobody/,
  ),
  misfit(
    'players present for millennia',
    '/v1/sessions/:session/result',
    sends('server', {
      winner: 0,
      players: [{ playerId: 'bad-0', joinedAt: 0, leftAt: 8_640_000_000_000_000 }],
    }),
    /8640000000000000 ms, but.*milliseconds since the Unix epoch/,
  ),
  misfit(
    'scores against the winner, a player twice, and kills below none',
    '/v1/sessions/:session/result',
    sends('server', {
      winner: 0,
      scores: [3, 16],
      players: [{ playerId: 'bad-live-1', stats: { kills: -5 } }, { playerId: 'bad-live-1' }],
    }),
    /`scores`: contradict the outcome.*and 2 more.*report the right result/,
  ),
  invalid(
    'players for no seat at all',
    '/v1/sessions/:session/backfills',
    sends('server', { team: 0, seats: 0 }),
    /seats/,
  ),
  invalid(
    'a leaver who is named twice',
    '/v1/sessions/:session/backfills',
    sends('server', { team: 0, seats: 1, leavers: ['bad-live-1', 'bad-live-1'] }),
    /once/,
  ),
  refused(422, 'backfill-refused')(
    'players for a match of a queue without backfill',
    '/v1/sessions/:session/backfills',
    sends('server', { team: 0, seats: 1 }),
    /do not let/,
  ),
  noSession(
    'players for an unknown session',
    '/v1/sessions/ses_nobody-knows/backfills',
    sends('server', { team: 0, seats: 1 }),
    /ses_nobody-knows/,
  ),
  refused(404, 'backfill-not-found')(
    'an unknown request for players',
    '/v1/sessions/:session/backfills/bfl_nobody-knows',
    asks('server', 'DELETE'),
    /bfl_nobody-knows/,
  ),
  noSession(
    'an unknown session called off',
    '/v1/sessions/ses_nobody-knows/abandon',
    sends('server', { reason: 'x' }),
    /ses_nobody-knows/,
  ),
  invalid(
    'a statistic with a NUL',
    '/v1/sessions/:session/result',
    sends('server', { winner: 0, players: [{ playerId: 'x', stats: { [nul]: 1 } }] }),
    /stats/,
  ),
  noSession(
    'the result of an unknown session',
    '/v1/sessions/ses_nobody-knows/result',
    sends('server', { winner: 0 }),
    /ses_nobody-knows/,
  ),
];
