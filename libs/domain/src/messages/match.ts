import { entry } from './entry.js';

/** How a match is formed of tickets. */
export const match = {
  'match.found': entry('A match was found.'),
  /** `teamSize`: of teams smaller than the queue's; null: they are not. */
  'match.put-together': entry<{
    players: number;
    spread: number;
    teamSize: number | null;
    waitedSeconds: number;
  }>(
    '{players} players within {spread, number, ::.0} rating points were put together{teamSize, select, null {} other { in teams of {teamSize}, since one has waited long}}; the longest wait was {waitedSeconds, number, ::.0} s.',
    { players: 10, spread: 2.4, teamSize: null, waitedSeconds: 31.2 },
  ),
  'match.bots-fill': entry(
    '{bots, plural, one {# bot fills} other {# bots fill}} the empty places, since one has waited long.',
    { bots: 2 },
  ),
  'match.map': entry('The map is {map}; {wished} of {players} players wished for it or for any.', {
    map: 'dust',
    wished: 8,
    players: 10,
  }),
  'match.one-platform': entry('All are on {platform}, since one of them plays without cross-play.', {
    platform: 'pc',
  }),
  'match.newcomers': entry(
    'Newcomers among them: {newcomers}, who count at the level that their calibration tries.',
    { newcomers: 1 },
  ),
  /** `higher`: the division is above the player's own. */
  'match.booster': entry(
    '{playerId} plays {higher, select, true {up in {division} as an apprentice} other {down in {division}}}, with a booster; the teams count the own rating.',
    { playerId: 'ann', division: 'Gold', higher: true },
  ),
  'match.formed': entry('Your teams are made; a server is being found.'),
  'match.fell-apart': entry('The match fell apart.'),
  'seat.offered': entry('Somebody left a match that is being played, and you make its teams even.'),
};
