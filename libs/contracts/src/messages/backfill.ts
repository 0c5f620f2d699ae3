import type { BackfillMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

export const backfill: Catalogue<BackfillMessages> = {
  'backfill.not-allowed': {
    text: 'The rules of {queue, select, null {this queue} other {{queue}}} do not let a match be filled up.',
    example: { queue: '5v5' },
  },
  'backfill.no-such-team': {
    text: 'The match has {teams} teams; there is none of index {team}.',
    example: { teams: 2, team: 2 },
  },
  'backfill.not-in-match': {
    text: 'Not in this match, so not gone from it: {players}.',
    example: { players: ['bob'] },
  },
  'backfill.too-few-seats': {
    text: 'Team {team} has {free} seats that are neither taken nor asked for, not {seats}. Name who left in `leavers`.',
    example: { team: 0, free: 0, seats: 1 },
  },
  'seat.joined': {
    text: 'You come into a match that is being played in {region}.',
    example: { region: 'eu-west' },
  },
  'seat.refused': { text: 'The server did not let you in ({detail}).', example: { detail: 'it is full' } },
  'seat.not-let-in': { text: 'The match ended before its server let you in.', example: {} },
  'seat.not-answered': { text: 'The server did not say in time whether you may come in.', example: {} },
  'match.you-left': {
    text: 'You left the match for good, as its server said; somebody else is looked for.',
    example: {},
  },
};
