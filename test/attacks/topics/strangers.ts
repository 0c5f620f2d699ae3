import { attack, refused, type Attack, type Topic } from '../attack.js';
import { allOf, seenIn } from '../answers.js';
import { ask, problemOf, type Ask } from '../../support/http.js';
import { call, type Target } from '../target.js';

/** A call of the attacker about something of others. */
const of =
  (at: (target: Target) => string, request: Ask = {}): Attack['run'] =>
  (target) =>
    call(target, at(target), { token: target.mallory, ...request });

const ofTicket =
  (rest = ''): ((target: Target) => string) =>
  (target) =>
    `/v1/tickets/${target.victim.ticketId}${rest}`;

/** Tells whether another's thing is answered as one that does not exist, but for the id. */
const likeUnknown =
  (at: (id: string) => string, idOf: (target: Target) => string, unknown: string): Attack['run'] =>
  async (target) => {
    const [theirs, none] = await Promise.all(
      [idOf(target), unknown].map(async (id) => {
        const answer = await ask(target.url, at(id), { token: target.mallory });
        return { seen: seenIn(answer), text: problemOf(answer).detail.replaceAll(id, 'ID') };
      }),
    );
    return theirs?.text === none?.text ? (theirs?.seen ?? '') : `${theirs?.text} instead of ${none?.text}`;
  };

const noTicket = refused('404 ticket-not-found');
const forbidden = refused('403 not-allowed');

/** Guesses, one after the other. */
const guesses =
  (times: number, guess: (target: Target, n: number) => Promise<string>): Attack['run'] =>
  async (target) =>
    allOf(await Promise.all(Array.from({ length: times }, (_, n) => guess(target, n))));

/** What is another's. */
export const strangers: Topic = {
  name: 'What is another’s, and guesses',
  about: 'What is another’s is answered as what does not exist. Ids and keys have at least 96 random bits.',
  bounds: { processorSeconds: 8, memoryMiB: 96 },
  attacks: [
    noTicket('the ticket of another player', of(ofTicket())),
    noTicket('its cancellation', of(ofTicket(), { method: 'DELETE' })),
    noTicket('its stream', of(ofTicket('/events'))),
    noTicket('a long poll of it', of(ofTicket('?after=1&waitSeconds=30'))),
    noTicket('the acceptance of another’s match', of(ofTicket('/accept'), { method: 'POST' })),
    noTicket(
      'whether a ticket exists',
      likeUnknown(
        (id) => `/v1/tickets/${id}`,
        ({ victim }) => victim.ticketId,
        'tkt_AAAAAAAAAAAAAAAA',
      ),
    ),
    refused('404 match-not-found')(
      'whether a match exists',
      likeUnknown(
        (id) => `/v1/matches/${id}`,
        ({ arena }) => arena.matchId,
        'mat_AAAAAAAAAAAAAAAA',
      ),
    ),
    refused('404 match-not-found')(
      'a report about a match that one was not in',
      of(({ arena }) => `/v1/matches/${arena.matchId}/behaviour-reports`, {
        body: { playerId: 'atk-live-1', kind: 'cheating' },
      }),
    ),
    forbidden(
      'the rating of another player',
      of(() => '/v1/ratings/duel/atk-victim'),
    ),
    forbidden(
      'the penalties of another player',
      of(() => '/v1/players/atk-victim/penalties'),
    ),
    forbidden(
      'where another player waits',
      of(() => '/v1/players/atk-victim/ticket'),
    ),
    forbidden(
      'who waits',
      of(() => '/v1/queues/1v1/waiting'),
    ),
    forbidden(
      'the events of everybody',
      of(() => '/v1/events'),
    ),
    refused('403 not-invited')(
      'to join a party without an invitation, or one that does not exist',
      of(() => '/v1/parties/pty_AAAAAAAAAAAAAAAA/members', { body: {} }),
    ),
    refused('422 party-pass-refused')('a pass that was made for another leader', async (target) => {
      const pass = await (await target.stack.player('atk-friend')).partyPass('atk-victim');
      return call(target, '/v1/tickets', {
        token: target.mallory,
        body: { queue: '5v5', build: 'atk-alone', partyPasses: [pass] },
      });
    }),
    noTicket(
      '200 guesses of a ticket',
      guesses(200, (target, n) =>
        call(target, `/v1/tickets/tkt_${String(n).padStart(16, 'A')}`, { token: target.mallory }),
      ),
    ),
    refused('401 not-authenticated')(
      '200 guesses of the operator key',
      guesses(200, (target, n) => call(target, '/v1/matches', { token: `opr_${n}` })),
    ),
    refused('401 not-authenticated')(
      '200 guesses of an operator’s own key',
      guesses(200, (target, n) => call(target, '/v1/matches', { token: `muk_${n}` })),
    ),
    refused('401 not-authenticated')(
      '200 guesses of the server key',
      guesses(200, (target, n) => call(target, '/v1/servers', { token: `srv_${n}`, body: {} })),
    ),
    refused('403 sign-in-refused')(
      '50 guesses of a sign-in code',
      guesses(50, (target, n) =>
        call(target, '/v1/sign-ins', { body: { code: String(n).padStart(43, 'A') } }),
      ),
    ),
    attack('who plays, by the answers to invitations', '200, 200', async (target) => {
      const party = await ask(target.url, '/v1/parties', { token: target.mallory, body: {} });
      const { partyId } = JSON.parse(party.text) as { partyId: string };
      const invite = (playerId: string): Promise<string> =>
        call(target, `/v1/parties/${partyId}/invitations`, { token: target.mallory, body: { playerId } });
      const seen = [await invite('atk-victim'), await invite('atk-nobody')];
      await call(target, `/v1/parties/${partyId}`, { method: 'DELETE', token: target.mallory });
      return seen.join(', ');
    }),
  ],
};
