import type { TicketMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

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

export const ticket: Catalogue<TicketMessages> = {
  verbatim: { text: '{text}', example: { text: 'A text that has no code.' } },

  'ticket.queued': { text: 'You are in the queue.', example: {} },
  'ticket.queued-calibrating': {
    text: 'You are in the queue; this is calibration match {matches}.',
    example: { matches: [match] },
  },
  'ticket.queued-boosted': {
    text: 'You are in the queue with a booster; the match will be among players of {division}.',
    example: { division: 'Gold' },
  },
  'ticket.calibrating': { text: 'This is calibration match {matches}.', example: { matches: [match] } },
  'calibration.match': {
    text: '{match} of {of}{party, select, true { for {playerId}} other {}}',
    example: { match: 1, of: 10, party: true, playerId: 'bob' },
  },
  'ticket.left-queue': { text: 'You left the queue.', example: {} },
  'ticket.removed-by-operator': { text: 'An operator took you out of the queue.', example: {} },
  'ticket.expired': {
    text: 'No match was found in the time that the queue allows; please queue again.',
    example: {},
  },
  'ticket.back-in-queue': { text: 'You are back at your old place in the queue.', example: {} },
  'ticket.not-all-stayed': {
    text: 'Not all of you were there to the end, so you are out of the queue.',
    example: {},
  },
  'ticket.without-you': {
    text: 'You were not there to the end, so the others of your party wait for a match without you.',
    example: {},
  },
  'ticket.left-match': {
    text: 'Your ticket left a match that had no server, and with it the queue. There is no penalty.',
    example: {},
  },
  'ticket.time-over': {
    text: 'Your time in the queue is over: queue again, at once and without a penalty.',
    example: {},
  },

  'ticket.restored': {
    text: 'The coordinator had lost your ticket; it is restored from your match.',
    example: {},
  },
  'ticket.elsewhere': {
    text: 'You are in a running match, so this ticket is out of the queue.',
    example: {},
  },
  'ticket.match-over': { text: 'The match of this ticket is over.', example: {} },
  'ticket.match-lost': {
    text: 'The coordinator lost your match with its database. There is no penalty; please queue again.',
    example: {},
  },

  'party.ended': { text: '{leader} ended the party, so it left the queue.', example: { leader: 'ann' } },
  'party.left': { text: '{playerId} left the party, so it left the queue.', example: { playerId: 'bob' } },
  'party.removed': {
    text: '{leader} put {playerId} out of the party, so it left the queue.',
    example: { leader: 'ann', playerId: 'bob' },
  },

  'ready-check.match': {
    text: 'Accept the match within {seconds} s; a ticket that does not leaves the queue.',
    example: { seconds: 20 },
  },
  'ready-check.seat': {
    text: 'Accept the seat within {seconds} s; a ticket that does not leaves the queue.',
    example: { seconds: 20 },
  },
  'ready-check.complete': { text: 'Everybody has accepted; the teams are being made.', example: {} },
  'ready-check.you-declined': {
    text: 'You declined the match and left the queue: {outcome}.',
    example: { outcome },
  },
  'ready-check.member-declined': {
    text: '{playerId} declined the match, so all of you left the queue: {outcome}.',
    example: { playerId: 'bob', outcome: theirs },
  },
  'ready-check.other-declined': { text: 'Somebody declined the match.', example: {} },
  'ready-check.you-were-silent': {
    text: 'You did not accept the match in time, so you left the queue: {outcome}.',
    example: { outcome },
  },
  'ready-check.members-were-silent': {
    text: 'The match was not accepted in time by {players}, so the ticket left the queue: {outcomes, list, ;}.',
    example: { players: ['bob'], outcomes: [theirs] },
  },
  'ready-check.most-were-silent': {
    text: '{silent} of {asked} players did not accept the match in time, which looks like an outage: you left the queue, and nobody is penalised.',
    example: { silent: 7, asked: 10 },
  },
  'ready-check.other-silent': { text: 'Somebody did not accept the match in time.', example: {} },
  'ready-check.forgotten': {
    text: 'The coordinator lost a part of its memory, so players are asked again.',
    example: {},
  },

  'penalty.outcome': {
    text: `{you, select, true {you} other {{playerId}}} ${did}`,
    example: { you: false, playerId: 'bob', kind: 'left', nth: 1, amount: 30, unit: 'seconds' },
  },
  'penalty.mass': {
    text: '{blamed} of the {players} players of the match were blamed, which looks like an outage: nobody is penalised unless an operator says so.',
    example: { blamed: 8, players: 10 },
  },
  'penalty.outage': {
    text: 'Players of {named} of the {matches} matches {scope, select, server {of this server } region {in region {name} } other {}}that were over within {minutes, plural, one {a minute} other {# minutes}} were blamed, {blamed} of {parties} parties, which looks like an outage: nobody of them is penalised unless an operator says so.',
    example: { scope: 'region', name: 'eu', named: 9, matches: 12, blamed: 30, parties: 96, minutes: 10 },
  },
  'penalty.server-lost': { text: 'The server that named the player was lost in this match.', example: {} },
  'penalty.match-ended': { text: 'An operator ended the match.', example: {} },
  'penalty.match-void': { text: 'The match was declared void.', example: {} },
  'penalty.request-withdrawn': {
    text: 'The server withdrew the request for players that named the player.',
    example: {},
  },
  'penalty.cool-down': { text: `{playerId} ${did}.`, example: { playerId: 'bob', ...lasting } },
};
