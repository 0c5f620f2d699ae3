import { entry } from './entry.js';

/** A remaining time, rounded up to a whole number of a unit. */
export interface Lasting {
  amount: number;
  unit: 'seconds' | 'minutes' | 'hours' | 'days';
}

/** A player's offence, and when they may queue again: `none`, at once. */
export interface CoolDownParams extends Lasting {
  kind: 'declined' | 'no-show' | 'left' | 'none';
  /** Ordinal of the recent offences of its kind, from 1. */
  nth: number;
}

const did =
  '{kind, select, none {may queue again at once} other {{kind, select, declined {did not accept a match} no-show {did not come to a match} other {left a match}}' +
  '{nth, selectordinal, =1 {} one { for the #st time lately} two { for the #nd time lately} few { for the #rd time lately} other { for the #th time lately}}' +
  ' and may queue again in {amount} {unit, select, seconds {s} other {{unit}}}}}';

const lasting = { kind: 'declined', nth: 2, amount: 5, unit: 'minutes' } as const;
const outcome = { code: 'penalty.outcome', params: { you: true, playerId: 'ann', ...lasting } } as const;
const theirs = { code: 'penalty.outcome', params: { you: false, playerId: 'bob', ...lasting } } as const;

const match = {
  code: 'calibration.match',
  params: { match: 3, of: 10, party: false, playerId: 'ann' },
} as const;

/** The states of a ticket, from the queue to its end. */
export const ticket = {
  /** A text without a code. */
  verbatim: entry('{text}', { text: 'A text that has no code.' }),

  'ticket.queued': entry('You are in the queue.'),
  /** `matches`: of each newcomer, `calibration.match`. */
  'ticket.queued-calibrating': entry('You are in the queue; this is calibration match {matches}.', {
    matches: [match],
  }),
  'ticket.queued-boosted': entry(
    'You are in the queue with a booster; the match will be among players of {division}.',
    { division: 'Gold' },
  ),
  'ticket.calibrating': entry('This is calibration match {matches}.', { matches: [match] }),
  /** Part of a sentence. `playerId`: whose, in a party; null for a single player. */
  'calibration.match': entry('{match} of {of}{party, select, true { for {playerId}} other {}}', {
    match: 1,
    of: 10,
    party: true,
    playerId: 'bob',
  }),
  'ticket.left-queue': entry('You left the queue.'),
  'ticket.removed-by-operator': entry('An operator took you out of the queue.'),
  'ticket.ended-by-operator': entry('An operator took you out of the queue: {detail}', {
    detail: 'the tournament begins',
  }),
  'ticket.member-banned': entry('{playerId} may not queue, so your ticket is out of the queue.', {
    playerId: 'bob',
  }),
  'ticket.returned-by-pause': entry('The queue is paused, so you are out of it: {detail}', {
    detail: 'Back at noon.',
  }),
  'ready-check.operator-ended': entry('An operator took a ticket of the match out of the queue.'),
  'ticket.expired': entry('No match was found in the time that the queue allows; please queue again.'),
  'ticket.back-in-queue': entry('You are back at your old place in the queue.'),
  'ticket.not-all-stayed': entry('Not all of you were there to the end, so you are out of the queue.'),
  'ticket.without-you': entry(
    'You were not there to the end, so the others of your party wait for a match without you.',
  ),
  'ticket.left-match': entry(
    'Your ticket left a match that had no server, and with it the queue. There is no penalty.',
  ),
  'ticket.time-over': entry('Your time in the queue is over: queue again, at once and without a penalty.'),

  'ticket.restored': entry('The coordinator had lost your ticket; it is restored from your match.'),
  'ticket.elsewhere': entry('You are in a running match, so this ticket is out of the queue.'),
  'ticket.match-over': entry('The match of this ticket is over.'),
  'ticket.match-lost': entry(
    'The coordinator lost your match with its database. There is no penalty; please queue again.',
  ),

  'party.ended': entry('{leader} ended the party, so it left the queue.', { leader: 'ann' }),
  'party.left': entry('{playerId} left the party, so it left the queue.', { playerId: 'bob' }),
  'party.removed': entry('{leader} put {playerId} out of the party, so it left the queue.', {
    leader: 'ann',
    playerId: 'bob',
  }),

  'ready-check.match': entry(
    'Accept the match within {seconds} s; a ticket that does not leaves the queue.',
    { seconds: 20 },
  ),
  'ready-check.seat': entry('Accept the seat within {seconds} s; a ticket that does not leaves the queue.', {
    seconds: 20,
  }),
  'ready-check.complete': entry('Everybody has accepted; the teams are being made.'),
  /** `outcome`: the consequence, `penalty.outcome`. */
  'ready-check.you-declined': entry('You declined the match and left the queue: {outcome}.', { outcome }),
  'ready-check.member-declined': entry(
    '{playerId} declined the match, so all of you left the queue: {outcome}.',
    { playerId: 'bob', outcome: theirs },
  ),
  'ready-check.other-declined': entry('Somebody declined the match.'),
  'ready-check.you-were-silent': entry(
    'You did not accept the match in time, so you left the queue: {outcome}.',
    { outcome },
  ),
  'ready-check.members-were-silent': entry(
    'The match was not accepted in time by {players}, so the ticket left the queue: {outcomes, list, ;}.',
    { players: ['bob'], outcomes: [theirs] },
  ),
  'ready-check.most-were-silent': entry(
    '{silent} of {asked} players did not accept the match in time, which looks like an outage: you left the queue, and nobody is penalised.',
    { silent: 7, asked: 10 },
  ),
  'ready-check.other-silent': entry('Somebody did not accept the match in time.'),
  'ready-check.forgotten': entry('The coordinator lost a part of its memory, so players are asked again.'),

  /** Part of a sentence. `you`: the player is addressed directly. */
  'penalty.outcome': entry<CoolDownParams & { you: boolean; playerId: string }>(
    `{you, select, true {you} other {{playerId}}} ${did}`,
    { you: false, playerId: 'bob', kind: 'left', nth: 1, amount: 30, unit: 'seconds' },
  ),
  'penalty.mass': entry(
    '{blamed} of the {players} players of the match were blamed, which looks like an outage: nobody is penalised unless an operator says so.',
    { blamed: 8, players: 10 },
  ),
  /** `scope`: whose matches; `name`: of the region; `minutes`: in which they were over. */
  'penalty.outage': entry<{
    scope: 'server' | 'region' | 'all';
    name: string;
    named: number;
    matches: number;
    blamed: number;
    parties: number;
    minutes: number;
  }>(
    'Players of {named} of the {matches} matches {scope, select, server {of this server } region {in region {name} } other {}}that were over within {minutes, plural, one {a minute} other {# minutes}} were blamed, {blamed} of {parties} parties, which looks like an outage: nobody of them is penalised unless an operator says so.',
    { scope: 'region', name: 'eu', named: 9, matches: 12, blamed: 30, parties: 96, minutes: 10 },
  ),
  'penalty.server-lost': entry('The server that named the player was lost in this match.'),
  'penalty.forgiven': entry('An operator forgave it: {detail}', { detail: 'an outage in eu' }),
  'penalty.match-ended': entry('An operator ended the match.'),
  'penalty.match-void': entry('The match was declared void.'),
  'penalty.request-withdrawn': entry('The server withdrew the request for players that named the player.'),
  'penalty.cool-down': entry<CoolDownParams & { playerId: string }>(`{playerId} ${did}.`, {
    playerId: 'bob',
    ...lasting,
  }),
};
