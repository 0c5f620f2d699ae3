import type { BalanceMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

const raised =
  '{raised, select, null {} other {, with {raised} added to every rating, for some are below 0}}';
const range = '{least, select, null {} other {, on a map for {least} to {most}}}';
const players = '{players, plural, one {# player} other {# players}}';
const bots = '{bots, plural, one {# bot} other {# bots}}';
const teams = { from: 'Blue', to: 'Red' };

export const balance: Catalogue<BalanceMessages> = {
  'balance.off': { text: 'Nobody is moved on this server.', example: {} },
  'balance.even': {
    text: `The teams are even enough: {sizes, list, against}${raised}.`,
    example: { sizes: [5, 5], raised: null },
  },
  'balance.no-teams': { text: 'There are no teams to balance.', example: {} },
  'balance.ranked': { text: 'This is a ranked match: its teams stay as they were formed.', example: {} },
  'balance.exempt-mode': { text: 'Nobody is moved in the mode {mode}.', example: { mode: 'sandbox' } },
  'balance.exempt-end': {
    text: 'Nobody is moved in the last {minutes} minutes of a match.',
    example: { minutes: 2 },
  },
  'balance.sizes': { text: 'It is {larger} against {smaller}.', example: { larger: 5, smaller: 3 } },
  'balance.much-stronger': {
    text: '{from, team} is much stronger than {to, team} ({strength} to {against}).',
    example: { ...teams, strength: 42, against: 26 },
  },
  'balance.nobody-to-stand': {
    text: '{to, team} has nobody to stand against {from, team}.',
    example: teams,
  },
  'balance.weighs-nothing': { text: '{to, team} weighs nothing against {from, team}.', example: teams },
  'balance.share-stronger': {
    text: `{from, team} is {percent} % stronger than {to, team}${raised}.`,
    example: { ...teams, percent: 50, raised: null },
  },
  'balance.stronger': {
    text: `{voted, select, true {You voted for even teams: } other {}}{from, team} is stronger than {to, team}${raised}.`,
    example: { ...teams, voted: true, raised: null },
  },
  'balance.moving-soon': { text: `${players} will move in a moment.`, example: { players: 1 } },
  'balance.delayed': {
    text: 'If it stays so, somebody moves to {to, team} in {seconds} s.',
    example: { to: 'Red', seconds: 20 },
  },
  'balance.next-death': {
    text: 'The next player of {from, team} who dies and may be moved changes to {to, team}.',
    example: teams,
  },
  'balance.moving': {
    text: 'Moving: {ways}.',
    example: { ways: [{ code: 'balance.moving-to', params: { players: 1, to: 'Red' } }] },
  },
  'balance.moving-to': { text: `${players} to {to, team}`, example: { players: 1, to: 'Red' } },
  'balance.you-join': { text: 'You join {to, team} now.', example: { to: 'Red' } },
  'balance.you-play-for': { text: 'You play for {to, team} now.', example: { to: 'Red' } },
  'balance.not-again': { text: 'You will not be moved again in this match.', example: {} },

  'balance.nobody-free': {
    text: 'Nobody fits: everybody on {from, team} is in a party or was moved before.',
    example: { from: 'Blue' },
  },
  'balance.best-stay': {
    text: 'Nobody fits: the best scorers of {from, team} stay, and nobody else can be moved.',
    example: { from: 'Blue' },
  },
  'balance.too-strong': {
    text: 'Nobody fits: any player who moved to {to, team} would make it too strong.',
    example: { to: 'Red' },
  },
  'balance.no-closer': {
    text: 'Nobody fits: no move and no swap brings {from, team} and {to, team} closer.',
    example: teams,
  },
  'balance.two-teams-only': {
    text: 'Nobody fits: swaps are for two teams, and there are {teams}.',
    example: { teams: 3 },
  },
  'balance.no-swap': { text: 'Nobody fits: no swap makes the teams more even.', example: {} },
  'balance.not-swapped': {
    text: 'Nobody is swapped: the teams differ by {difference}.',
    example: { difference: 1.5 },
  },
  'balance.swapped': {
    text: '{swaps, plural, one {# swap makes} other {# swaps make}} the teams differ by {after} instead of {before}.',
    example: { swaps: 2, after: 0, before: 8 },
  },

  'scramble.all-here': { text: 'Everybody is here: teams are made for the match.', example: {} },
  'scramble.duel-over': { text: 'The duel is over: teams are made.', example: {} },
  'scramble.streak': {
    text: 'One team has won {wins} rounds in a row: teams are mixed.',
    example: { wins: 3 },
  },
  'scramble.attackers-captured-nothing': {
    text: 'The attackers captured nothing: teams are mixed.',
    example: {},
  },
  'scramble.full-rounds': { text: '{rounds} rounds are over: teams are mixed.', example: { rounds: 2 } },
  'scramble.never-captured': {
    text: 'One team never captured {what, select, flag {the flag} other {a point}}: teams are mixed.',
    example: { what: 'flag' },
  },
  'scramble.none': { text: 'The teams stay as they are.', example: {} },
  'scramble.soon': { text: `${players} will change team in a moment.`, example: { players: 4 } },
  'scramble.nobody': { text: 'There is nobody to mix.', example: {} },
  'scramble.no-equal-teams': {
    text: 'No teams of equal size can be made of whole parties: they stay as they are.',
    example: {},
  },
  'scramble.no-other-teams': { text: 'There are no other teams: they stay as they are.', example: {} },
  'scramble.best-already': {
    text: 'The teams are the most even that there are: they stay.',
    example: {},
  },
  'scramble.changed': {
    text: '{players, plural, one {# player changes} other {# players change}} team; the teams differ by {difference}, before by {before}.',
    example: { players: 2, difference: 2, before: 18 },
  },

  'sides.named': {
    text: '{players, plural, one {# player has} other {# players have}} named a side; nobody sees which before the time is over.',
    example: { players: 2 },
  },
  'sides.chosen': {
    text: '{met} of {wishes} wishes could be met; the last winners are divided evenly.',
    example: { met: 2, wishes: 3 },
  },
  'sides.impossible': {
    text: '{detail} The sides stay as they are.',
    example: { detail: 'Two sides need two players at least.' },
  },

  'arrival.party': { text: 'You join {to, team}, where your party plays.', example: { to: 'Red' } },
  'arrival.smallest': { text: 'You join {to, team}, the smallest team.', example: { to: 'Red' } },
  'arrival.short': { text: 'You join {to, team}, which is short of players.', example: { to: 'Red' } },
  'arrival.most-even': {
    text: 'You join {to, team}: that leaves the teams more even than any other team would.',
    example: { to: 'Red' },
  },
  'arrival.chance': {
    text: 'With you on {to, team}, its chance to win is {percent} %, by ratings and by the number of players.',
    example: { to: 'Red', percent: 48 },
  },
  'arrival.bot-leaves': { text: 'A bot makes room for you.', example: {} },
  'departure.no-team': {
    text: 'The player who left was on no team; the teams are as they were.',
    example: {},
  },
  'departure.one-fewer': { text: '{from, team} is one player fewer.', example: { from: 'Blue' } },
  'departure.bots-come': {
    text: '{bots, plural, one {# bot takes} other {# bots take}} the place.',
    example: { bots: 1 },
  },
  'departure.bots-go': { text: 'Bots go, too, for fewer are needed.', example: {} },
  'departure.evenness': {
    text: 'The teams are {trend, select, more {more even now} less {less even now} other {as even as before}}: they differ by {difference}.',
    example: { trend: 'less', difference: 7 },
  },

  'bots.beside': {
    text: `${bots} beside {humans, plural, one {# player} other {# players}}: {players} are wanted${range}.`,
    example: { bots: 4, humans: 2, players: 6, least: 6, most: 12 },
  },
  'bots.by-team': {
    text: `${bots} ({teams}), so that every team has {players}${range}.`,
    example: {
      bots: 1,
      teams: [{ code: 'bots.on-team', params: { team: 'Red', bots: 1 } }],
      players: 2,
      least: null,
      most: null,
    },
  },
  'bots.on-team': { text: '{team, team} {bots}', example: { team: 'Red', bots: 1 } },
  'start.teams': {
    text: `One of the {splits, plural, one {# most even split} other {# most even splits}} of ${players}{bots, plural, =0 {} one { and # bot} other { and # bots}}: the weaker team has {percent} % of the stronger one's strength.`,
    example: { splits: 5, players: 9, bots: 1, percent: 97.5 },
  },

  'advantage.even': { text: 'The teams are even.', example: {} },
  'advantage.no-players': { text: '{team, team} has no players.', example: { team: 'Red' } },
  'advantage.no-strength': { text: '{team, team} has no strength to multiply.', example: { team: 'Red' } },
  'advantage.factor': {
    text: 'Give {weak, team} {factor} against {strong, team}{left, select, null {} other {, of which {left} is more than the levers may do}}.',
    example: { weak: 'Red', strong: 'Blue', factor: 1.1, left: null },
  },
  'advantage.respawn': {
    text: '{strong, team} comes back after {seconds} s instead of {usual} s.',
    example: { strong: 'Blue', seconds: 8, usual: 5 },
  },
  'advantage.damage': {
    text: "{weak, team}'s weapons do {factor} times as much.",
    example: { weak: 'Red', factor: 1.1 },
  },
  'advantage.shield': {
    text: "{weak, team}'s shields hold {factor} times as much.",
    example: { weak: 'Red', factor: 1.1 },
  },
  'advantage.not-in-one-hit': { text: 'It does nothing where every hit kills.', example: {} },
  'advantage.only-the-dead': { text: 'Only players who die feel it.', example: {} },

  'live.event-ignored': { text: '{detail}', example: { detail: 'There is no team 1 here.' } },
};
