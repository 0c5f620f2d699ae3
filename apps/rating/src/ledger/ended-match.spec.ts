import type { Played, StoredRating } from '@muster/domain';
import { defaultPoolRules, uncalibrated } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { eventOf, type EndedMatch } from './ended-match.js';
import { rateEvent } from '../core/rater.js';

const pool = {
  name: 'ffa',
  gameMode: null,
  modifiers: [],
  rules: { ...defaultPoolRules, model: 'openskill-plackett-luce', parameters: {} },
  calibration: uncalibrated,
  version: 1,
  generation: 1,
};

/** A free-for-all in which each player came alone. */
function freeForAll(names: readonly string[], ranks: number[], played: Played = {}): EndedMatch {
  const players = names.map((playerId, team) => ({ playerId, team, ticketId: `t-${playerId}`, role: null }));
  return { ranks, played, players, region: null, map: null, sides: null, endedAt: new Date(0) };
}
const asEvent = (match: EndedMatch) => eventOf('m', match, 0);
const rated = (match: EndedMatch): Map<string, StoredRating> =>
  new Map(
    rateEvent(pool, asEvent(match), new Map()).players.map(({ playerId, rating }) => [playerId, rating]),
  );

describe('a match to which some players never came', () => {
  it.each([
    ['the last', ['ann', 'bob', 'cid', 'dan'], [1, 2, 3, 4]],
    ['the second', ['ann', 'dan', 'bob', 'cid'], [1, 2, 3, 4]],
    ['one who ties', ['ann', 'bob', 'dan', 'cid'], [1, 2, 2, 4]],
  ])('is rated as if the team without players were not in it: %s', (_which, names, ranks) => {
    const expected = rated(freeForAll(['ann', 'bob', 'cid'], [1, 2, 3]));
    expect(rated(freeForAll(names, ranks, { absent: ['dan'] }))).toEqual(expected);
  });

  it('keeps sides, parties and scores beside their teams', () => {
    const match = freeForAll(['ann', 'dan', 'bob', 'cid'], [1, 4, 2, 3], {
      absent: ['dan'],
      situation: { sides: ['red', 'green', 'blue', 'grey'] },
      scores: [9, 0, 7, 5],
    });
    const zoe = { playerId: 'zoe', team: 2, ticketId: 't-bob', role: null };
    expect(asEvent({ ...match, players: [...(match.players ?? []), zoe] })).toMatchObject({
      teams: [['ann'], ['bob', 'zoe'], ['cid']],
      ranks: [1, 2, 3],
      played: { situation: { sides: ['red', 'blue', 'grey'], parties: [[], [2], []] }, scores: [9, 7, 5] },
    });
    const formed = {
      ...freeForAll(['ann', 'dan', 'bob'], [1, 3, 2], { absent: ['dan'] }),
      sides: ['a', 'b', 'c'],
    };
    expect(asEvent(formed).played?.situation?.sides).toEqual(['a', 'c']);
  });

  it('cannot be rated with one team, and says why', () => {
    expect(() => rated(freeForAll(['ann', 'dan'], [1, 2], { absent: ['dan'] }))).toThrow(
      'Fewer than two teams had a player who came, so there is nothing to rate.',
    );
  });
});
