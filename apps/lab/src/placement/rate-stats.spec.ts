import { describe, expect, it } from 'vitest';
import { rateStats } from './rate-stats.js';
import { readStats } from './stats-file.js';

const header = 'match_id,date,player,side,won,pct_played,kills';
const rowsOf = (...rows: string[]) => readStats([header, ...rows].join('\n')).rows;

describe('rateStats', () => {
  it('raises winners, in proportion to their playing time', () => {
    const { ratings } = rateStats(
      rowsOf(
        'm1,2024-01-01,ann,red,1,100,1',
        'm1,2024-01-01,bob,red,1,20,1',
        'm1,2024-01-01,cid,blue,0,100,1',
        'm1,2024-01-01,dan,blue,0,0,1',
      ),
    );
    const [ann = 0, bob = 0, cid = 0, dan = 0] = ['ann', 'bob', 'cid', 'dan'].map((name) =>
      ratings.get(name),
    );
    expect(ann).toBeGreaterThan(bob);
    expect(bob).toBeGreaterThan(25);
    expect(cid).toBeLessThan(dan);
    expect(dan).toBeLessThan(25);
  });

  it('treats a match without a winner as a draw, and rates the oldest first', () => {
    const m = (id: string, day: number, won: number): string[] => [
      `${id},2024-01-0${day},ann,1,${won},100,1`,
      `${id},2024-01-0${day},bob,0,0,100,1`,
    ];
    expect(rateStats(rowsOf(...m('m1', 1, 0))).ratings.get('ann')).toBeCloseTo(25, 9);
    const [one, other] = [
      [...m('m1', 1, 1), ...m('m2', 2, 0)],
      [...m('m2', 2, 0), ...m('m1', 1, 1)],
    ].map((rows) => rateStats(rowsOf(...rows)).ratings.get('ann'));
    expect(one).toBe(other);
  });

  it('rejects a match with one side, and one with contradictory results of a side', () => {
    const { rows, refused } = rateStats(
      rowsOf(
        'm1,2024-01-01,ann,red,1,100,1',
        'm2,2024-01-02,ann,red,1,100,1',
        'm2,2024-01-02,bob,red,0,100,1',
        'm2,2024-01-02,cid,blue,0,100,1',
      ),
    );
    expect(rows).toEqual([]);
    expect(refused).toEqual([
      { line: 2, reason: 'match "m1" has one side only' },
      { line: 3, reason: 'match "m2" has contradictory results of side "red"' },
    ]);
  });
});
