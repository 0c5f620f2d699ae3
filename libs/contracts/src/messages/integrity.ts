import type { IntegrityMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

const figures = { matches: 20, won: 6, expected: 12.4 };

export const integrity: Catalogue<IntegrityMessages> = {
  'integrity.explains': {
    text: 'The cheat explains the results {times} times better than the predicted chances.',
    example: { times: 140 },
  },
  'integrity.by-chance': {
    text: 'If the chances are right, 1 in {times} honest ones gets here by luck.',
    example: { times: 140 },
  },
  'integrity.newcomer-won': {
    text: 'Won {won} of the first {matches, plural, one {# match} other {# matches}}; {expected, number, ::.0} were predicted.',
    example: { matches: 12, won: 11, expected: 7.2 },
  },
  'integrity.newcomer-level': {
    text: 'A player {level} start uncertainties above a newcomer explains that {times} times better.',
    example: { level: 2.25, times: 35 },
  },
  'integrity.newcomer-skilled': {
    text: 'A new player who is good at similar games has the same results.',
    example: {},
  },
  'integrity.thrown-lost': {
    text: 'Lost {lost} of {matches, plural, one {# match} other {# matches}}, {longest} in a row; {expected, number, ::.0} were predicted.',
    example: { matches: 24, lost: 15, expected: 12.1, longest: 9 },
  },
  'integrity.thrown-streaks': {
    text: 'Won {won} of these. Bad days, a new device and a shared account have streaks as well.',
    example: { won: 9 },
  },
  'integrity.pair-met': {
    text: 'They met {meetings} times in {matches, plural, one {# match} other {# matches}}.',
    example: { meetings: 9, matches: 20 },
  },
  'integrity.pair-won': {
    text: '{playerId} won {won} of {meetings} against the other; {expected, number, ::.0} were predicted. The loser of the match before won {turns, plural, one {# time} other {# times}}.',
    example: { playerId: 'alice', won: 8, meetings: 9, expected: 4.6, turns: 1 },
  },
  'integrity.pair-hours': {
    text: 'Players of quiet hours meet again. Another opponent was met {others, plural, one {# time} other {# times}}.',
    example: { others: 3 },
  },
  'integrity.server-favourites': {
    text: 'Favourites won {won} of {matches, plural, one {# match} other {# matches}}; {expected, number, ::.0} were predicted.',
    example: figures,
  },
  'integrity.server-first-team': {
    text: 'The first team won {won} of {matches, plural, one {# match} other {# matches}}; {expected, number, ::.0} were predicted.',
    example: figures,
  },
  'integrity.server-flaw': {
    text: '{flaw, select, random {Results that do not depend on skill explain} half-random {Results of which half do not depend on skill explain} reversed {Reversed results explain} first-team {An advantage of the first team explains} other {An advantage of the last team explains}} that {times} times better.',
    example: { flaw: 'random', times: 140 },
  },
  'integrity.server-circumstances': {
    text: 'Its maps, its modes or its players may differ in a way that the pool does not know.',
    example: {},
  },
  'integrity.alternate-accounts': {
    text: '{newcomer} is the new account, {older} the older one. They never met in a match.',
    example: { newcomer: 'ann-2', older: 'ann' },
  },
  'integrity.habit-equal': {
    text: 'The same {kind}, which {holders} of {least, select, yes {at least } other {}}{players} players have.',
    example: { kind: 'device', holders: 2, players: 812, least: 'no' },
  },
  'integrity.habits-explain': {
    text: 'One person explains these habits {times} times better than two people.',
    example: { times: 51000 },
  },
  'integrity.habits-by-chance': {
    text: 'If people have their habits independently of each other, 1 in {times} new accounts looks so much like one of {accounts} others by luck.',
    example: { times: 630, accounts: 812 },
  },
  'integrity.habit-common': {
    text: 'The same {kind}, but so many players have it that it says nothing.',
    example: { kind: 'settings' },
  },
  'integrity.habit-differs': {
    text: 'Another {kind}.',
    example: { kind: 'network' },
  },
  'integrity.habits-shared': {
    text: 'Families, shared homes and internet cafés share devices and networks.',
    example: {},
  },
  'integrity.alternate-level': {
    text: 'Its results are no better than those of a newcomer.',
    example: {},
  },
  'rating.signal': {
    text: 'A signal of integrity ({kind, select, newcomer {a new account far above newcomers} thrown {thrown matches} alternate {an alternate account} other {collusion}}) raised the uncertainty: case {caseId}.',
    example: { kind: 'thrown', caseId: 'cas_4fb6a88a' },
  },
};
