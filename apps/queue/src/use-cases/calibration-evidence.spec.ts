import type { MatchRated } from '@muster/contracts';
import { beginSearch } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { evidenceOf } from './calibration-evidence.js';

const search = beginSearch({ from: 0, to: 60 });

type Player = MatchRated['players'][number];

const aPlayer = (over: Partial<Player> = {}): Player => ({
  playerId: 'ann',
  matches: 1,
  outcome: 1,
  opponents: 34,
  teammates: null,
  teamSize: 1,
  ...over,
});
const match = (...players: Player[]): MatchRated => ({ matchId: 'm1', pool: 'duel', players });
const of = (...players: Player[]): ReturnType<typeof evidenceOf> =>
  evidenceOf(match(...players), 'ann', search);

describe('what a match says of a newcomer', () => {
  it('is, in a duel with somebody known, their level at the scale of duels', () => {
    expect(of(aPlayer())).toEqual({ outcome: 1, level: 34, scale: search.scale });
  });

  it('is, in teams, what the others have in sum and the teammates have not', () => {
    const evidence = of(aPlayer({ teamSize: 5, opponents: 30, teammates: 28 }));
    expect(evidence?.level).toBe(5 * 30 - 4 * 28);
    expect(evidence?.scale).toBeCloseTo(Math.sqrt(5) * search.scale, 9);
  });

  it('goes by its own team where teams are of different size', () => {
    expect(of(aPlayer({ teamSize: 1, opponents: 30 }))?.level).toBe(30);
    expect(of(aPlayer({ teamSize: 2, opponents: 30, teammates: 20 }))?.level).toBe(40);
  });

  it('says less among other newcomers, and less the newer they are', () => {
    const scaleAgainst = (matches: number): number =>
      of(aPlayer(), aPlayer({ playerId: 'bob', outcome: 0, matches }))?.scale ?? NaN;
    const scales = [1, 2, 5, 60].map(scaleAgainst);
    expect(scales.toSorted((a, b) => b - a)).toEqual(scales);
    // A stranger may stand anywhere: as if the noise of the duel had their spread beside its own.
    const duelNoise = 1.7 * search.scale;
    expect(scales[0]).toBeCloseTo(Math.hypot(duelNoise, 10) / 1.7, 9);
    expect(scales[3]).toBeLessThan(1.03 * search.scale);
  });

  it('takes a place among many teams as won, drawn or lost', () => {
    expect([1, 2 / 3, 0.5, 1 / 3, 0].map((outcome) => of(aPlayer({ outcome }))?.outcome)).toEqual([
      1, 1, 0.5, 0, 0,
    ]);
  });

  it('is nothing for somebody who is not named', () => {
    expect(evidenceOf(match(aPlayer()), 'bob', search)).toBeNull();
  });
});
