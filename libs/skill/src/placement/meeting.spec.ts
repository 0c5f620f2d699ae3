import { describe, expect, it } from 'vitest';
import { evidenceOf, metIn, type Meeting, type Met } from './meeting.js';
import { beginSearch, readSearch, searchAfter } from './search.js';

const search = beginSearch({ from: 0, to: 60 });
const met = (playerId: string, mu = 30, sigma = 1): Met => ({ playerId, mu, sigma });
const meeting = (teams: readonly Met[][], ranks: readonly number[] = [1, 2]): Meeting => ({
  matchId: 'm1',
  teams,
  ranks,
});
const of = (teams: readonly Met[][], ranks?: readonly number[]) =>
  evidenceOf(meeting(teams, ranks), 'ann', search);

describe('what a match says of a newcomer', () => {
  it('is, in a duel with somebody known, their level at the scale of duels', () => {
    const evidence = of([[met('ann')], [met('bob', 34, 1e-9)]]);
    expect(evidence).toMatchObject({ outcome: 1, level: 34 });
    expect(evidence?.scale).toBeCloseTo(search.scale, 9);
  });

  it('is, in teams, what the others have in sum and the teammates have not', () => {
    const team = (side: string, mu: number, size: number): Met[] =>
      Array.from({ length: size }, (_, i) => met(`${side}${i}`, mu, 1e-9));
    const evidence = of([[met('ann'), ...team('mate', 28, 4)], team('rival', 30, 5)]);
    expect(evidence?.level).toBe(5 * 30 - 4 * 28);
    expect(evidence?.scale).toBeCloseTo(Math.sqrt(5) * search.scale, 9);
  });

  it('goes by its own team where teams are of different size', () => {
    expect(of([[met('ann')], [met('bob', 20), met('cid', 40)]])?.level).toBe(30);
    expect(of([[met('ann'), met('eve', 20)], [met('bob', 30)]])?.level).toBe(40);
  });

  it('says less, the less is known of the others', () => {
    const scaleAgainst = (sigma: number): number => of([[met('ann')], [met('bob', 30, sigma)]])?.scale ?? NaN;
    // A stranger may stand anywhere: as if the noise of the duel had their spread beside its own.
    const duelNoise = 1.7 * search.scale;
    expect(scaleAgainst(10)).toBeCloseTo(Math.hypot(duelNoise, 10) / 1.7, 9);
    expect(scaleAgainst(3)).toBeLessThan(scaleAgainst(10));
    expect(scaleAgainst(1)).toBeLessThan(1.03 * search.scale);
  });

  it('takes a place among many teams as won, drawn or lost', () => {
    const teams = [[met('ann')], [met('b')], [met('c')], [met('d')]];
    const outcomes = [
      [1, 2, 3, 4],
      [2, 1, 3, 4],
      [2, 1, 2, 3],
      [3, 1, 2, 4],
      [4, 1, 2, 3],
    ].map((ranks) => of(teams, ranks)?.outcome);
    expect(outcomes).toEqual([1, 1, 0.5, 0, 0]);
  });

  it('is nothing for somebody who is not named, or met nobody', () => {
    expect(evidenceOf(meeting([[met('eve')], [met('bob')]]), 'ann', search)).toBeNull();
    expect(of([[met('ann')], []])).toBeNull();
  });

  it('is kept with the search, and says whom the newcomer met', () => {
    const duel = meeting([[met('ann')], [met('bob')]]);
    const next = searchAfter(search, 1, undefined, duel);
    expect(metIn(next)).toEqual(['ann', 'bob']);
    expect(readSearch(JSON.parse(JSON.stringify(next)))).toEqual(next);
    const broken = { ...next, record: [{ ...next.record[0], meeting: { ...duel, ranks: [1] } }] };
    expect(() => readSearch(broken)).toThrow(TypeError);
  });
});
