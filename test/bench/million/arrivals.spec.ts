import { describe, expect, it } from 'vitest';
import { arrivalsOf, latenciesOf, playersOf, regions } from './arrivals.js';

const arrivals = arrivalsOf(20_000, 1);

describe('arrivals', () => {
  it('number their players without gaps', () => {
    expect(
      arrivals.every(
        ({ first }, n) =>
          first === playersOf(arrivals.slice(Math.max(0, n - 1), n)) + (arrivals[n - 1]?.first ?? 0),
      ),
    ).toBe(true);
  });

  it('have 30 % of the players in parties of two to five, and a third of the tickets in each region', () => {
    const inParties = playersOf(arrivals.filter(({ players }) => players > 1)) / playersOf(arrivals);
    expect(inParties).toBeCloseTo(0.3, 1);
    expect([...new Set(arrivals.map(({ players }) => players))].toSorted()).toEqual([1, 2, 3, 4, 5]);
    for (const region of regions.keys())
      expect(arrivals.filter((each) => each.region === region).length / arrivals.length).toBeCloseTo(
        1 / 3,
        1,
      );
  });

  it('are the same for the same seed', () => {
    expect(arrivalsOf(100, 1)).toEqual(arrivals.slice(0, 100));
    expect(arrivalsOf(100, 2)).not.toEqual(arrivals.slice(0, 100));
  });

  it('are close to one region', () => {
    expect(latenciesOf(1)).toEqual({ us: 25, asia: 125, eu: 225 });
  });
});
