import type { MatchMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

export const match: Catalogue<MatchMessages> = {
  'match.found': { text: 'A match was found.', example: {} },
  'match.put-together': {
    text: '{players} players within {spread, number, ::.0} rating points were put together{teamSize, select, null {} other { in teams of {teamSize}, since one has waited long}}; the longest wait was {waitedSeconds, number, ::.0} s.',
    example: { players: 10, spread: 2.4, teamSize: null, waitedSeconds: 31.2 },
  },
  'match.bots-fill': {
    text: '{bots, plural, one {# bot fills} other {# bots fill}} the empty places, since one has waited long.',
    example: { bots: 2 },
  },
  'match.map': {
    text: 'The map is {map}; {wished} of {players} players wished for it or for any.',
    example: { map: 'dust', wished: 8, players: 10 },
  },
  'match.one-platform': {
    text: 'All are on {platform}, since one of them plays without cross-play.',
    example: { platform: 'pc' },
  },
  'match.newcomers': {
    text: 'Newcomers among them: {newcomers}, who count at the level that their calibration tries.',
    example: { newcomers: 1 },
  },
  'match.booster': {
    text: '{playerId} plays {higher, select, true {up in {division} as an apprentice} other {down in {division}}}, with a booster; the teams count the own rating.',
    example: { playerId: 'ann', division: 'Gold', higher: true },
  },
  'match.formed': { text: 'Your teams are made; a server is being found.', example: {} },
  'match.fell-apart': { text: 'The match fell apart.', example: {} },
  'seat.offered': {
    text: 'Somebody left a match that is being played, and you make its teams even.',
    example: {},
  },
};
