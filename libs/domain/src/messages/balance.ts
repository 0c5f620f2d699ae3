import { entry, type Nested, type TeamParam } from './entry.js';

/** The number by which every rating was raised, as some are below 0; null: none. */
interface Raised {
  raised: number | null;
}

/** What kind of players a map is for; null: not stated. */
interface MapRange {
  least: number | null;
  most: number | null;
}

const raised =
  '{raised, select, null {} other {, with {raised} added to every rating, for some are below 0}}';
const range = '{least, select, null {} other {, on a map for {least} to {most}}}';
const players = '{players, plural, one {# player} other {# players}}';
const bots = '{bots, plural, one {# bot} other {# bots}}';
const teams = { from: 'Blue', to: 'Red' };

/** Why the teams of a running match stay as they are or are changed. */
export const balance = {
  'balance.off': entry('Nobody is moved on this server.'),
  'balance.even': entry<Raised & { sizes: readonly number[] }>(
    `The teams are even enough: {sizes, list, against}${raised}.`,
    { sizes: [5, 5], raised: null },
  ),
  'balance.no-teams': entry('There are no teams to balance.'),
  'balance.ranked': entry('This is a ranked match: its teams stay as they were formed.'),
  'balance.exempt-mode': entry('Nobody is moved in the mode {mode}.', { mode: 'sandbox' }),
  'balance.exempt-end': entry('Nobody is moved in the last {minutes} minutes of a match.', { minutes: 2 }),
  'balance.sizes': entry('It is {larger} against {smaller}.', { larger: 5, smaller: 3 }),
  'balance.much-stronger': entry<{ from: TeamParam; to: TeamParam; strength: number; against: number }>(
    '{from, team} is much stronger than {to, team} ({strength} to {against}).',
    { ...teams, strength: 42, against: 26 },
  ),
  'balance.nobody-to-stand': entry<{ from: TeamParam; to: TeamParam }>(
    '{to, team} has nobody to stand against {from, team}.',
    teams,
  ),
  'balance.weighs-nothing': entry<{ from: TeamParam; to: TeamParam }>(
    '{to, team} weighs nothing against {from, team}.',
    teams,
  ),
  'balance.share-stronger': entry<Raised & { from: TeamParam; to: TeamParam; percent: number }>(
    `{from, team} is {percent} % stronger than {to, team}${raised}.`,
    { ...teams, percent: 50, raised: null },
  ),
  'balance.stronger': entry<Raised & { from: TeamParam; to: TeamParam; voted: boolean }>(
    `{voted, select, true {You voted for even teams: } other {}}{from, team} is stronger than {to, team}${raised}.`,
    { ...teams, voted: true, raised: null },
  ),
  'balance.moving-soon': entry(`${players} will move in a moment.`, { players: 1 }),
  'balance.delayed': entry<{ to: TeamParam; seconds: number }>(
    'If it stays so, somebody moves to {to, team} in {seconds} s.',
    { to: 'Red', seconds: 20 },
  ),
  'balance.next-death': entry<{ from: TeamParam; to: TeamParam }>(
    'The next player of {from, team} who dies and may be moved changes to {to, team}.',
    teams,
  ),
  'balance.moving': entry('Moving: {ways}.', {
    ways: [{ code: 'balance.moving-to', params: { players: 1, to: 'Red' } }],
  }),
  'balance.moving-to': entry<{ players: number; to: TeamParam }>(`${players} to {to, team}`, {
    players: 1,
    to: 'Red',
  }),
  'balance.you-join': entry<{ to: TeamParam }>('You join {to, team} now.', { to: 'Red' }),
  'balance.you-play-for': entry<{ to: TeamParam }>('You play for {to, team} now.', { to: 'Red' }),
  'balance.not-again': entry('You will not be moved again in this match.'),

  'balance.nobody-free': entry<{ from: TeamParam }>(
    'Nobody fits: everybody on {from, team} is in a party or was moved before.',
    { from: 'Blue' },
  ),
  'balance.best-stay': entry<{ from: TeamParam }>(
    'Nobody fits: the best scorers of {from, team} stay, and nobody else can be moved.',
    { from: 'Blue' },
  ),
  'balance.too-strong': entry<{ to: TeamParam }>(
    'Nobody fits: any player who moved to {to, team} would make it too strong.',
    { to: 'Red' },
  ),
  'balance.no-closer': entry<{ from: TeamParam; to: TeamParam }>(
    'Nobody fits: no move and no swap brings {from, team} and {to, team} closer.',
    teams,
  ),
  'balance.two-teams-only': entry('Nobody fits: swaps are for two teams, and there are {teams}.', {
    teams: 3,
  }),
  'balance.no-swap': entry('Nobody fits: no swap makes the teams more even.'),

  'scramble.all-here': entry('Everybody is here: teams are made for the match.'),
  'scramble.duel-over': entry('The duel is over: teams are made.'),
  'scramble.streak': entry('One team has won {wins} rounds in a row: teams are mixed.', { wins: 3 }),
  'scramble.attackers-captured-nothing': entry('The attackers captured nothing: teams are mixed.'),
  'scramble.full-rounds': entry('{rounds} rounds are over: teams are mixed.', { rounds: 2 }),
  'scramble.never-captured': entry<{ what: 'flag' | 'point' }>(
    'One team never captured {what, select, flag {the flag} other {a point}}: teams are mixed.',
    { what: 'flag' },
  ),
  'scramble.none': entry('The teams stay as they are.'),
  'scramble.soon': entry(`${players} will change team in a moment.`, { players: 4 }),
  'scramble.nobody': entry('There is nobody to mix.'),
  'scramble.no-equal-teams': entry(
    'No teams of equal size can be made of whole parties: they stay as they are.',
  ),
  'scramble.no-other-teams': entry('There are no other teams: they stay as they are.'),
  'scramble.best-already': entry('The teams are the most even that there are: they stay.'),
  'scramble.changed': entry(
    '{players, plural, one {# player changes} other {# players change}} team; the teams differ by {difference}, before by {before}.',
    { players: 2, difference: 2, before: 18 },
  ),

  'sides.named': entry(
    '{players, plural, one {# player has} other {# players have}} named a side; nobody sees which before the time is over.',
    { players: 2 },
  ),
  'sides.chosen': entry('{met} of {wishes} wishes could be met; the last winners are divided evenly.', {
    met: 2,
    wishes: 3,
  }),
  'sides.impossible': entry('{detail} The sides stay as they are.', {
    detail: 'Two sides need two players at least.',
  }),

  'arrival.party': entry<{ to: TeamParam }>('You join {to, team}, where your party plays.', { to: 'Red' }),
  'arrival.smallest': entry<{ to: TeamParam }>('You join {to, team}, the smallest team.', { to: 'Red' }),
  'arrival.short': entry<{ to: TeamParam }>('You join {to, team}, which is short of players.', { to: 'Red' }),
  'arrival.most-even': entry<{ to: TeamParam }>(
    'You join {to, team}: that leaves the teams more even than any other team would.',
    { to: 'Red' },
  ),
  'arrival.chance': entry<{ to: TeamParam; percent: number }>(
    'With you on {to, team}, its chance to win is {percent} %, by ratings and by the number of players.',
    { to: 'Red', percent: 48 },
  ),
  'arrival.bot-leaves': entry('A bot makes room for you.'),
  'departure.no-team': entry('The player who left was on no team; the teams are as they were.'),
  'departure.one-fewer': entry<{ from: TeamParam }>('{from, team} is one player fewer.', { from: 'Blue' }),
  'departure.bots-come': entry('{bots, plural, one {# bot takes} other {# bots take}} the place.', {
    bots: 1,
  }),
  'departure.bots-go': entry('Bots go, too, for fewer are needed.'),
  'departure.evenness': entry<{ trend: 'more' | 'less' | 'same'; difference: number }>(
    'The teams are {trend, select, more {more even now} less {less even now} other {as even as before}}: they differ by {difference}.',
    { trend: 'less', difference: 7 },
  ),

  'bots.beside': entry<MapRange & { bots: number; humans: number; players: number }>(
    `${bots} beside {humans, plural, one {# player} other {# players}}: {players} are wanted${range}.`,
    { bots: 4, humans: 2, players: 6, least: 6, most: 12 },
  ),
  'bots.by-team': entry<MapRange & { bots: number; teams: readonly Nested[]; players: number }>(
    `${bots} ({teams}), so that every team has {players}${range}.`,
    {
      bots: 1,
      teams: [{ code: 'bots.on-team', params: { team: 'Red', bots: 1 } }],
      players: 2,
      least: null,
      most: null,
    },
  ),
  'bots.on-team': entry<{ team: TeamParam; bots: number }>('{team, team} {bots}', { team: 'Red', bots: 1 }),
  'start.teams': entry(
    `One of the {splits, plural, one {# most even split} other {# most even splits}} of ${players}{bots, plural, =0 {} one { and # bot} other { and # bots}}: the weaker team has {percent} % of the stronger one's strength.`,
    { splits: 5, players: 9, bots: 1, percent: 97.5 },
  ),

  'advantage.even': entry('The teams are even.'),
  'advantage.no-players': entry<{ team: TeamParam }>('{team, team} has no players.', { team: 'Red' }),
  'advantage.no-strength': entry<{ team: TeamParam }>('{team, team} has no strength to multiply.', {
    team: 'Red',
  }),
  /** `left`: the part of the factor that the levers leave; null: nothing. */
  'advantage.factor': entry<{ weak: TeamParam; strong: TeamParam; factor: number; left: number | null }>(
    'Give {weak, team} {factor} against {strong, team}{left, select, null {} other {, of which {left} is more than the levers may do}}.',
    { weak: 'Red', strong: 'Blue', factor: 1.1, left: null },
  ),
  'advantage.respawn': entry<{ strong: TeamParam; seconds: number; usual: number }>(
    '{strong, team} comes back after {seconds} s instead of {usual} s.',
    { strong: 'Blue', seconds: 8, usual: 5 },
  ),
  'advantage.damage': entry<{ weak: TeamParam; factor: number }>(
    "{weak, team}'s weapons do {factor} times as much.",
    { weak: 'Red', factor: 1.1 },
  ),
  'advantage.shield': entry<{ weak: TeamParam; factor: number }>(
    "{weak, team}'s shields hold {factor} times as much.",
    { weak: 'Red', factor: 1.1 },
  ),
  'advantage.not-in-one-hit': entry('It does nothing where every hit kills.'),
  'advantage.only-the-dead': entry('Only players who die feel it.'),

  'live.event-ignored': entry('{detail}', { detail: 'There is no team 1 here.' }),
};
