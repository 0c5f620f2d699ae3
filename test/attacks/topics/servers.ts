import { attack, refused, type Attack, type Topic } from '../attack.js';
import type { Ask } from '../../support/http.js';
import { call, rogueServer, type Target } from '../target.js';

const invalid = refused('400 invalid-request');
const misfit = refused('422 result-invalid');
const superseded = refused('409 server-superseded');
const forbidden = refused('403 not-allowed');

/** A registration with the server key. */
const registers =
  (over: Readonly<Record<string, unknown>>): Attack['run'] =>
  (target) =>
    call(target, '/v1/servers', { token: target.keys.fleet, body: rogueServer(over) });

/** A result of the running match, by its own server. */
const reports =
  (body: object): Attack['run'] =>
  ({ arena, ...target }) =>
    call({ arena, ...target }, `/v1/sessions/${arena.sessionId}/result`, { token: arena.token, body });

/** A call about the server `atk-arena`, or about its session. */
const as =
  (token: (target: Target) => string, at: (target: Target) => string, request: Ask = {}): Attack['run'] =>
  (target) =>
    call(target, at(target), { ...request, token: token(target) });

const rogue = ({ rogue: { token } }: Target): string => token;
const stale = ({ arena: { staleToken } }: Target): string => staleToken;
const arenaServer =
  (rest: string) =>
  ({ arena: { serverId } }: Target): string =>
    `/v1/servers/${serverId}${rest}`;
const arenaSession =
  (rest: string) =>
  ({ arena: { sessionId } }: Target): string =>
    `/v1/sessions/${sessionId}${rest}`;

/** Results that cannot be. */
export const results: Topic = {
  name: 'Impossible results',
  about:
    'A result must fit the match that the server was given. A result that contradicts one that counted waits for an operator.',
  bounds: { processorSeconds: 5, memoryMiB: 96 },
  attacks: [
    misfit('a third team', reports({ ranks: [1, 2, 3] })),
    misfit('a winner that there is not', reports({ winner: 7 })),
    misfit('a player who was not in the match', reports({ winner: 0, leavers: ['atk-victim'] })),
    misfit('statistics of a stranger', reports({ winner: 0, players: [{ playerId: 'atk-mallory' }] })),
    misfit(
      'a player twice',
      reports({ winner: 0, players: [{ playerId: 'atk-live-1' }, { playerId: 'atk-live-1' }] }),
    ),
    misfit('scores that contradict the winner', reports({ winner: 0, scores: [0, 16] })),
    misfit(
      'a match that lasts a thousand years',
      reports({ winner: 0, players: [{ playerId: 'atk-live-1', joinedAt: 0, leftAt: 4e13 }] }),
    ),
    misfit(
      'kills below none',
      reports({ winner: 0, players: [{ playerId: 'atk-live-1', stats: { kills: -5 } }] }),
    ),
    invalid('a rank of half', reports({ ranks: [1, 1.5] })),
    invalid('a winner and ranks', reports({ winner: 0, ranks: [2, 1] })),
    refused('404 session-not-found')(
      'a result of a session that never was',
      as(rogue, () => '/v1/sessions/ses_AAAAAAAAAAAAAAAA/result', { body: { winner: 0 } }),
    ),
    forbidden(
      'a result of another server’s session',
      as(rogue, arenaSession('/result'), { body: { winner: 0 } }),
    ),
    forbidden(
      'the end of another server’s session',
      as(rogue, arenaSession('/abandon'), { body: { reason: 'x', noShows: ['atk-live-1'] } }),
    ),
    forbidden(
      'players for another server’s session',
      as(rogue, arenaSession('/backfills'), { body: { team: 0, seats: 1, leavers: ['atk-live-1'] } }),
    ),
    forbidden(
      'the release of another server’s players',
      as(rogue, arenaSession('/finished'), { body: { playerIds: ['atk-live-1'] } }),
    ),
    forbidden(
      'a result of a match played elsewhere, by a server',
      as(rogue, () => '/v1/results', { body: {} }),
    ),
    attack('a player who reports a stranger', '404 match-not-found', ({ mallory, ...target }) =>
      call({ mallory, ...target }, '/v1/matches/mat_AAAAAAAAAAAAAAAA/behaviour-reports', {
        token: mallory,
        body: { playerId: 'atk-victim', kind: 'cheating' },
      }),
    ),
  ],
};

/** Servers that claim more than they are. */
export const capacity: Topic = {
  name: 'Fake capacity',
  about: 'Only the key of a fleet registers servers; each then acts for itself alone.',
  bounds: { processorSeconds: 5, memoryMiB: 96 },
  attacks: [
    forbidden('a server of a player', (target) =>
      call(target, '/v1/servers', { token: target.mallory, body: rogueServer() }),
    ),
    forbidden('a server that registers another', (target) =>
      call(target, '/v1/servers', { token: target.rogue.token, body: rogueServer() }),
    ),
    invalid('a server of 1,001 slots', registers({ slots: 1_001 })),
    invalid('a server of no slots', registers({ slots: 0 })),
    invalid('a server of 1e9 slots', registers({ slots: 1e9 })),
    invalid('a port of the machine’s own choice', registers({ port: 0 })),
    invalid('a host with a path', registers({ host: 'evil.example/x' })),
    invalid('a host with a user', registers({ host: 'a@evil.example' })),
    invalid('a host with a line break', registers({ host: 'a\r\nX-Evil: yes' })),
    invalid('a host of another script', registers({ host: 'ɡame.example' })),
    ...[
      'localhost',
      'a.localhost',
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '::ffff:127.0.0.1',
      '169.254.169.254',
      '0.0.0.0',
      '255.255.255.255',
      '[',
      '...',
    ].map((host) => invalid(`the host ${host}`, registers({ host }))),
    invalid(
      '17 labels',
      registers({
        labels: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`l${i}`, 'x'])),
      }),
    ),
    invalid(
      'a load below none',
      as(rogue, () => '/v1/servers/atk-rogue/heartbeat', { body: { cpuLoad: -1 } }),
    ),
    invalid('an allocation whose id is guessed', registers({ allocation: 'alc_*' })),
    refused('410 allocation-over')(
      'an allocation that was never made',
      registers({ allocation: `alc_${'0'.repeat(32)}` }),
    ),
  ],
};

/** Rights that ended, and messages that come twice. */
export const epochs: Topic = {
  name: 'Stale epochs and replays',
  about:
    'A server’s token names its incarnation, which the store compares at each use. What comes twice counts once.',
  bounds: { processorSeconds: 6, memoryMiB: 96 },
  attacks: [
    superseded('a heartbeat by an earlier registration', as(stale, arenaServer('/heartbeat'), { body: {} })),
    superseded('its commands', as(stale, arenaServer('/commands?waitSeconds=0'))),
    refused('409 session-withdrawn')('the answer to a command', (target) =>
      call(target, `/v1/servers/${target.arena.serverId}/commands/${target.arena.seq}`, {
        token: target.arena.staleToken,
        body: { status: 'refused', reason: 'x' },
      }),
    ),
    superseded('a result', as(stale, arenaSession('/result'), { body: { winner: 1 } })),
    superseded('its removal', as(stale, arenaServer(''), { method: 'DELETE' })),
    superseded('its draining', as(stale, arenaServer('/drain'), { method: 'POST' })),
    superseded('the end of its draining', as(stale, arenaServer('/undrain'), { method: 'POST' })),
    forbidden('commands of another server', as(rogue, arenaServer('/commands?waitSeconds=0'))),
    forbidden('a heartbeat for another server', as(rogue, arenaServer('/heartbeat'), { body: {} })),
    forbidden('the removal of another server', as(rogue, arenaServer(''), { method: 'DELETE' })),
    attack('sessions of another server, resumed by a new one', '201', registers({ serverId: 'atk-thief' })),
    attack('an idempotency key of another player', '201, another ticket', async (target) => {
      const request = (token: string): Ask => ({
        token,
        body: { queue: '1v1', build: 'atk-key' },
        headers: { 'idempotency-key': 'atk-shared-key' },
      });
      const [one, other] = [await target.stack.token('atk-key-1'), await target.stack.token('atk-key-2')];
      await call(target, '/v1/tickets', request(one));
      const seen = await call(target, '/v1/tickets', request(other));
      const mine = await target.stack.player('atk-key-2');
      const { players, ticketId } = await mine.read((await mine.current())?.ticketId ?? '');
      await mine.cancel(ticketId);
      return `${seen}, ${players.join() === 'atk-key-2' ? 'another ticket' : 'the ticket of another'}`;
    }),
    attack('an idempotency key for another request', '201, 409 idempotency-key-reused', async (target) => {
      const token = await target.stack.token('atk-key-3');
      const headers = { 'idempotency-key': 'atk-reused-key' };
      const first = await call(target, '/v1/tickets', {
        token,
        headers,
        body: { queue: '1v1', build: 'atk-key-3' },
      });
      const again = await call(target, '/v1/tickets', {
        token,
        headers,
        body: { queue: '1v1', build: 'atk-other' },
      });
      return `${first}, ${again}`;
    }),
    attack('a sign-in code, twice', '201, 403 sign-in-refused', async (target) => {
      const { code } = await target.stack.operator.calls.createSignInCode({});
      const signIn = (): Promise<string> => call(target, '/v1/sign-ins', { body: { code } });
      return `${await signIn()}, ${await signIn()}`;
    }),
  ],
};
