import type { MatchEvent, RatingPool } from '@muster/domain';
import { defaultPoolRules, uncalibrated } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { poolRater } from './rater.js';

const ladder: RatingPool = {
  name: 'ladder',
  gameMode: null,
  modifiers: [],
  rules: { ...defaultPoolRules, model: 'openskill-plackett-luce', parameters: {} },
  calibration: uncalibrated,
  version: 1,
  generation: 1,
};

/** Somebody was there for half of the match, of the others the server said nothing. */
const rated = (names: readonly string[]) => {
  const [first = ''] = names;
  const event: MatchEvent = {
    kind: 'match',
    eventId: 'm',
    at: 0,
    teams: [names.slice(0, names.length / 2), names.slice(names.length / 2)],
    ranks: [1, 2],
    played: { shares: { [first]: 0.5 }, facts: { [first]: { kills: 3 } } },
  };
  return poolRater.apply(ladder, event, new Map()).players.map(({ rating }) => rating);
};

describe('a match is rated', () => {
  it('alike whatever its players are called, be it toString or constructor', () => {
    const names = Object.getOwnPropertyNames(Object.prototype);
    expect(rated(names)).toEqual(rated(names.map((_, i) => `player-${i}`)));
  });
});
