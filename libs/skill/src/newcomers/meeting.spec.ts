import { describe, expect, it } from 'vitest';
import { evidenceOf, playersMetIn, type Meeting, type MatchedPlayer } from './meeting.js';
import { beginSearch, readSearch, searchAfter } from './search.js';

const search = beginSearch({ from: 0, to: 60 });
const met = (playerId: string, mu = 30, sigma = 1): MatchedPlayer => ({ playerId, mu, sigma });
const meeting = (teams: readonly MatchedPlayer[][], ranks: readonly number[] = [1, 2]): Meeting => ({
  matchId: 'm1',
  teams,
  ranks,
});
const of = (teams: readonly MatchedPlayer[][], ranks?: readonly number[]) =>
  evidenceOf(meeting(teams, ranks), 'ann', search);

describe('the information of a match about a newcomer', () => {
  it('is, in a duel with a known player, their level at the scale of duels', () => {
    const evidence = of([[met('ann')], [met('bob', 34, 1e-9)]]);
    expect(evidence).toMatchObject({ outcome: 1, level: 34 });
    expect(evidence?.scale).toBeCloseTo(search.scale, 9);
  });

  it('is, in teams, the sum of the opponents less that of the teammates', () => {
    const team = (side: string, mu: number, size: number): MatchedPlayer[] =>
      Array.from({ length: size }, (_, i) => met(`${side}${i}`, mu, 1e-9));
    const evidence = of([[met('ann'), ...team('mate', 28, 4)], team('rival', 30, 5)]);
    expect(evidence?.level).toBe(5 * 30 - 4 * 28);
    expect(evidence?.scale).toBeCloseTo(Math.sqrt(5) * search.scale, 9);
  });

  it('uses its own team where teams are of different size', () => {
    expect(of([[met('ann')], [met('bob', 20), met('cid', 40)]])?.level).toBe(30);
    expect(of([[met('ann'), met('eve', 20)], [met('bob', 30)]])?.level).toBe(40);
  });

  it('is weaker, the less is known about the others', () => {
    const scaleAgainst = (sigma: number): number => of([[met('ann')], [met('bob', 30, sigma)]])?.scale ?? NaN;
    // A newcomer's level is unknown: as if the noise of the duel included their spread.
    const duelNoise = 1.7 * search.scale;
    expect(scaleAgainst(10)).toBeCloseTo(Math.hypot(duelNoise, 10) / 1.7, 9);
    expect(scaleAgainst(3)).toBeLessThan(scaleAgainst(10));
    expect(scaleAgainst(1)).toBeLessThan(1.03 * search.scale);
  });

  it('treats a place among many teams as won, drawn or lost', () => {
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

  it('is absent for a player who is not in the match, or met nobody', () => {
    expect(evidenceOf(meeting([[met('eve')], [met('bob')]]), 'ann', search)).toBeNull();
    expect(of([[met('ann')], []])).toBeNull();
  });

  it('is stored with the search, with the players met', () => {
    const duel = meeting([[met('ann')], [met('bob')]]);
    const next = searchAfter(search, 1, undefined, duel);
    expect(playersMetIn(next)).toEqual(['ann', 'bob']);
    expect(readSearch(JSON.parse(JSON.stringify(next)))).toEqual(next);
    const broken = { ...next, record: [{ ...next.record[0], meeting: { ...duel, ranks: [1] } }] };
    expect(() => readSearch(broken)).toThrow(TypeError);
  });
});
