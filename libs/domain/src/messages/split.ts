import { entry } from './entry.js';

const sums =
  'Their sums are {sums, list, to, ::.0} rating points, a difference of {difference, number, ::.00}.';

/** How the teams of a match were formed. */
export const split = {
  'split.roles': entry('{team, team}: {players}.', {
    team: 0,
    players: [{ code: 'split.role', params: { playerId: 'ann', role: 'tank' } }],
  }),
  'split.role': entry('{playerId} plays {role}', { playerId: 'ann', role: 'tank' }),
  'split.sides': entry('Sides: {teams}.', {
    teams: [{ code: 'split.side', params: { team: 0, side: 'marines' } }],
  }),
  'split.side': entry('{team, team} plays {side}', { team: 0, side: 'marines' }),
  'split.for-sides': entry('The teams were made for their sides.'),
  'split.sides-after': entry(
    'The sides were chosen for the finished teams, so that their chances are most even.',
  ),
  'split.bots': entry('Empty places are filled: {teams}.', {
    teams: [{ code: 'split.bots-on', params: { bots: 2, team: 0 } }],
  }),
  'split.bots-on': entry('{bots, plural, one {# bot} other {# bots}} on team {team, team, number}', {
    bots: 2,
    team: 0,
  }),
  'split.ways': entry(
    'There {ways, plural, =1 {was one way} other {were {ways, number} ways}} to split them with parties kept together.',
    { ways: 126 },
  ),
  'split.about-ways': entry(
    'There were about {ways, number, ::@@} ways to split them with parties kept together.',
    { ways: 1.2e30 },
  ),
  'split.proven': entry('These teams are proven to be the most even.'),
  'split.sums': entry(sums, { sums: [51.5, 50], difference: 1.5 }),
  'split.best-found': entry<{ stopped: 'deadline' | 'memory' | 'size' | 'stalled' }>(
    'These teams are the most even that were found; there {stopped, select, deadline {was no time to look further} memory {was no memory to look further} other {are too many ways to look through all}}.',
    { stopped: 'deadline' },
  ),
  'split.bound': entry(
    `${sums} No split can differ by less than {bound, number, ::.00}, so a better one would gain {gain, number, ::.00} at most.`,
    { sums: [51.5, 50], difference: 1.5, bound: 1, gain: 0.5 },
  ),
  'split.found-by': entry('Found by {method}: {because}.', {
    method: 'enumeration',
    because: 'there are few enough ways to try all',
  }),
  'split.rejected': entry(
    'The best {ranked, select, true {of the others} other {other that was found}}, rejected, differs by {difference, number, ::.00} rating points: {sums, list, to, ::.0}.',
    { ranked: true, difference: 2.5, sums: [52, 49.5] },
  ),
  'split.prediction': entry('Predicted chance to win: {teams}.', {
    teams: [
      { code: 'split.chance', params: { team: 0, percent: 53 } },
      { code: 'split.chance', params: { team: 1, percent: 47 } },
    ],
  }),
  'split.chance': entry('team {team, team, number} {percent} %', { team: 0, percent: 53 }),
  'split.players-alone': entry('That is of the players alone: bots are not counted.'),
};
