import { entry } from './entry.js';

const figures = { matches: 20, won: 6, expected: 12.4 };

/** What speaks for a signal of integrity, and what against it. */
export const integrity = {
  'integrity.explains': entry(
    'The cheat explains the results {times} times better than the predicted chances.',
    { times: 140 },
  ),
  'integrity.by-chance': entry('If the chances are right, 1 in {times} honest ones gets here by luck.', {
    times: 140,
  }),
  'integrity.newcomer-won': entry(
    'Won {won} of the first {matches, plural, one {# match} other {# matches}}; {expected, number, ::.0} were predicted.',
    { matches: 12, won: 11, expected: 7.2 },
  ),
  /** `level`: start uncertainties above a newcomer's mean. */
  'integrity.newcomer-level': entry(
    'A player {level} start uncertainties above a newcomer explains that {times} times better.',
    { level: 2.25, times: 35 },
  ),
  'integrity.newcomer-skilled': entry('A new player who is good at similar games has the same results.'),
  'integrity.thrown-lost': entry(
    'Lost {lost} of {matches, plural, one {# match} other {# matches}}, {longest} in a row; {expected, number, ::.0} were predicted.',
    { matches: 24, lost: 15, expected: 12.1, longest: 9 },
  ),
  'integrity.thrown-streaks': entry(
    'Won {won} of these. Bad days, a new device and a shared account have streaks as well.',
    { won: 9 },
  ),
  'integrity.pair-met': entry(
    'They met {meetings} times in {matches, plural, one {# match} other {# matches}}.',
    { meetings: 9, matches: 20 },
  ),
  /** `won`, `expected`: of the player; `turns`: matches won by the loser of the one before. */
  'integrity.pair-won': entry(
    '{playerId} won {won} of {meetings} against the other; {expected, number, ::.0} were predicted. The loser of the match before won {turns, plural, one {# time} other {# times}}.',
    { playerId: 'alice', won: 8, meetings: 9, expected: 4.6, turns: 1 },
  ),
  /** `others`: the most meetings with another opponent. */
  'integrity.pair-hours': entry(
    'Players of quiet hours meet again. Another opponent was met {others, plural, one {# time} other {# times}}.',
    { others: 3 },
  ),
  'integrity.server-favourites': entry(
    'Favourites won {won} of {matches, plural, one {# match} other {# matches}}; {expected, number, ::.0} were predicted.',
    figures,
  ),
  'integrity.server-first-team': entry(
    'The first team won {won} of {matches, plural, one {# match} other {# matches}}; {expected, number, ::.0} were predicted.',
    figures,
  ),
  'integrity.server-flaw': entry<{
    flaw: 'random' | 'half-random' | 'reversed' | 'first-team' | 'last-team';
    times: number;
  }>(
    '{flaw, select, random {Results that do not depend on skill explain} half-random {Results of which half do not depend on skill explain} reversed {Reversed results explain} first-team {An advantage of the first team explains} other {An advantage of the last team explains}} that {times} times better.',
    { flaw: 'random', times: 140 },
  ),
  'integrity.server-circumstances': entry(
    'Its maps, its modes or its players may differ in a way that the pool does not know.',
  ),
  'integrity.alternate-accounts': entry(
    '{newcomer} is the new account, {older} the older one. They never met in a match.',
    { newcomer: 'ann-2', older: 'ann' },
  ),
  /** `holders`: players with the same code, of `players` who have any; `least`: `players` are that many or more. */
  'integrity.habit-equal': entry<{ kind: string; holders: number; players: number; least: 'yes' | 'no' }>(
    'The same {kind}, which {holders} of {least, select, yes {at least } other {}}{players} players have.',
    { kind: 'device', holders: 2, players: 812, least: 'no' },
  ),
  /** `times`: of the equal habits and the different ones together. */
  'integrity.habits-explain': entry(
    'One person explains these habits {times} times better than two people.',
    { times: 51000 },
  ),
  'integrity.habits-by-chance': entry(
    'If people have their habits independently of each other, 1 in {times} new accounts looks so much like one of {accounts} others by luck.',
    { times: 630, accounts: 812 },
  ),
  'integrity.habit-common': entry('The same {kind}, but so many players have it that it says nothing.', {
    kind: 'settings',
  }),
  'integrity.habit-differs': entry('Another {kind}.', { kind: 'network' }),
  'integrity.habits-shared': entry('Families, shared homes and internet cafés share devices and networks.'),
  'integrity.alternate-level': entry('Its results are no better than those of a newcomer.'),
  'rating.signal': entry<{
    kind: 'newcomer' | 'thrown' | 'collusion' | 'server' | 'alternate';
    caseId: string;
  }>(
    'A signal of integrity ({kind, select, newcomer {a new account far above newcomers} thrown {thrown matches} alternate {an alternate account} other {collusion}}) raised the uncertainty: case {caseId}.',
    { kind: 'thrown', caseId: 'cas_4fb6a88a' },
  ),
};
