import type { SplitMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

const sums =
  'Their sums are {sums, list, to, ::.0} rating points, a difference of {difference, number, ::.00}.';

export const split: Catalogue<SplitMessages> = {
  'split.roles': {
    text: '{team, team}: {players}.',
    example: { team: 0, players: [{ code: 'split.role', params: { playerId: 'ann', role: 'tank' } }] },
  },
  'split.role': { text: '{playerId} plays {role}', example: { playerId: 'ann', role: 'tank' } },
  'split.sides': {
    text: 'Sides: {teams}.',
    example: { teams: [{ code: 'split.side', params: { team: 0, side: 'marines' } }] },
  },
  'split.side': { text: '{team, team} plays {side}', example: { team: 0, side: 'marines' } },
  'split.for-sides': { text: 'The teams were made for their sides.', example: {} },
  'split.sides-after': {
    text: 'The sides were chosen for the finished teams, so that their chances are most even.',
    example: {},
  },
  'split.bots': {
    text: 'Empty places are filled: {teams}.',
    example: { teams: [{ code: 'split.bots-on', params: { bots: 2, team: 0 } }] },
  },
  'split.bots-on': {
    text: '{bots, plural, one {# bot} other {# bots}} on team {team, team, number}',
    example: { bots: 2, team: 0 },
  },
  'split.ways': {
    text: 'There {ways, plural, =1 {was one way} other {were {ways, number} ways}} to split them with parties kept together.',
    example: { ways: 126 },
  },
  'split.about-ways': {
    text: 'There were about {ways, number, ::@@} ways to split them with parties kept together.',
    example: { ways: 1.2e30 },
  },
  'split.proven': { text: 'These teams are proven to be the most even.', example: {} },
  'split.sums': { text: sums, example: { sums: [51.5, 50], difference: 1.5 } },
  'split.best-found': {
    text: 'These teams are the most even that were found; there {stopped, select, deadline {was no time to look further} memory {was no memory to look further} other {are too many ways to look through all}}.',
    example: { stopped: 'deadline' },
  },
  'split.bound': {
    text: `${sums} No split can differ by less than {bound, number, ::.00}, so a better one would gain {gain, number, ::.00} at most.`,
    example: { sums: [51.5, 50], difference: 1.5, bound: 1, gain: 0.5 },
  },
  'split.found-by': {
    text: 'Found by {method}: {because}.',
    example: { method: 'enumeration', because: 'there are few enough ways to try all' },
  },
  'split.rejected': {
    text: 'The best {ranked, select, true {of the others} other {other that was found}}, rejected, differs by {difference, number, ::.00} rating points: {sums, list, to, ::.0}.',
    example: { ranked: true, difference: 2.5, sums: [52, 49.5] },
  },
  'split.prediction': {
    text: 'Predicted chance to win: {teams}.',
    example: {
      teams: [
        { code: 'split.chance', params: { team: 0, percent: 53 } },
        { code: 'split.chance', params: { team: 1, percent: 47 } },
      ],
    },
  },
  'split.chance': { text: 'team {team, team, number} {percent} %', example: { team: 0, percent: 53 } },
  'split.players-alone': { text: 'That is of the players alone: bots are not counted.', example: {} },
};
