import { describe, expect, it } from 'vitest';
import { boundGap, type BoundSet } from './bound-gap.js';

const solos = (...sums: number[]): BoundSet['tickets'] => sums.map((sum) => ({ sum, size: 1 }));
const set = (tickets: BoundSet['tickets'], more: Partial<BoundSet> = {}): BoundSet => ({
  tickets,
  apart: [],
  roles: {},
  teams: 2,
  teamSize: 2,
  bots: { count: 0, skill: 0 },
  ...more,
});

describe('the smallest gap of constrained teams', () => {
  it('keeps tickets apart that must not be team-mates', () => {
    expect(boundGap(set(solos(30, 20, 28, 21)))).toBe(1);
    // 30 with 20 would be most even.
    expect(boundGap(set(solos(30, 20, 28, 21), { apart: [[0, 1]] }))).toBe(3);
  });

  it('gives every team its roles', () => {
    const tickets = [
      { sum: 30, size: 1, canPlay: [['healer']] },
      { sum: 20, size: 1, canPlay: [['healer']] },
      ...solos(28, 21),
    ];
    expect(boundGap(set(tickets, { roles: { healer: 1 } }))).toBe(3);
    expect(boundGap(set(tickets, { roles: { healer: 2 } }))).toBe(Infinity);
  });

  it('makes no team of bots alone', () => {
    const bots = { count: 2, skill: 20 };
    expect(boundGap(set(solos(30, 22), { bots }))).toBe(8);
    expect(boundGap(set(solos(30), { bots: { count: 3, skill: 20 } }))).toBe(Infinity);
  });

  it('keeps parties whole, and is infinite where they do not fit', () => {
    const pair = { sum: 58, size: 2 };
    expect(boundGap(set([pair, ...solos(20, 21)], { apart: [[1, 2]] }))).toBe(Infinity);
    expect(boundGap(set([pair, ...solos(20, 21)]))).toBe(17);
  });
});
