import type { QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { aTicket } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { gapOf } from './gap.js';

const [some] = defaultQueues as [QueueRules, ...QueueRules[]];
const still = { now: () => 0 };
const of = (teams: number, teamSize: number): ReturnType<typeof gapOf> =>
  gapOf({ ...some, teams, teamSize }, still);
const tickets = (...parties: number[][]): ReturnType<typeof aTicket>[] =>
  parties.map((mus, t) =>
    aTicket({
      ticketId: `t${t}`,
      players: mus.map((mu, p) => ({ playerId: `p${t}-${p}`, mu, sigma: 8 })),
    }),
  );

describe('gapOf', () => {
  it('is the difference of the most even teams', () => {
    expect(of(2, 2)(tickets([30], [20], [28], [21]))).toBe(1);
    expect(of(3, 1)(tickets([30], [20], [28]))).toBe(10);
  });

  it('keeps parties together', () => {
    expect(of(2, 2)(tickets([30, 28], [20], [21]))).toBe(17);
  });

  it('is endless where parties do not fit', () => {
    expect(of(2, 3)(tickets([25, 25], [25, 25], [25, 25]))).toBe(Infinity);
  });

  it('takes what was found when the time is up', () => {
    let now = 0;
    const hurried = gapOf({ ...some, teams: 3, teamSize: 4 }, { now: () => (now += 10) });
    const twelve = tickets(...Array.from({ length: 12 }, (_, i) => [25 + 10 * Math.sin(i)]));
    expect(hurried(twelve)).toBeGreaterThanOrEqual(of(3, 4)(twelve));
    expect(hurried(twelve)).toBeLessThan(20);
  });

  it('looks at two teams of up to 24 players, and at more teams of up to 12', () => {
    const uneven = (players: number): ReturnType<typeof tickets> =>
      tickets(...Array.from({ length: players }, (_, i) => [i === 0 ? 1_000 : 25]));
    expect(of(2, 12)(uneven(24))).toBe(975);
    expect(of(2, 13)(uneven(26))).toBe(0);
    expect(of(3, 4)(uneven(12))).toBe(975);
    expect(of(3, 5)(uneven(15))).toBe(0);
  });
});
