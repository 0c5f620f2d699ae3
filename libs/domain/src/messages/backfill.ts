import { entry } from './entry.js';

/** Why a running match gets no players, and the result for those who join. */
export const backfill = {
  'backfill.not-allowed': entry<{ queue: string | null }>(
    'The rules of {queue, select, null {this queue} other {{queue}}} do not let a match be filled up.',
    { queue: '5v5' },
  ),
  'backfill.no-such-team': entry('The match has {teams} teams; there is none of index {team}.', {
    teams: 2,
    team: 2,
  }),
  'backfill.not-in-match': entry('Not in this match, so not gone from it: {players}.', { players: ['bob'] }),
  'backfill.too-few-seats': entry(
    'Team {team} has {free} seats that are neither taken nor asked for, not {seats}. Name who left in `leavers`.',
    { team: 0, free: 0, seats: 1 },
  ),
  'seat.joined': entry('You come into a match that is being played in {region}.', { region: 'eu-west' }),
  'seat.refused': entry('The server did not let you in ({detail}).', { detail: 'it is full' }),
  'seat.not-let-in': entry('The match ended before its server let you in.'),
  'seat.not-answered': entry('The server did not say in time whether you may come in.'),
  'match.you-left': entry('You left the match for good, as its server said; somebody else is looked for.'),
};
