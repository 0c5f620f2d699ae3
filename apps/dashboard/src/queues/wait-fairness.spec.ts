import type { AnswerOf } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { mediansOf, seriesOf, waitsAndLeads } from './wait-fairness.js';

type Match = AnswerOf<'listMatches'>['matches'][number];
const match = (prediction: number[], ...waits: (number | null)[]) =>
  ({ prediction, players: waits.map((waitedMs) => ({ waitedMs, joinedAt: null })) }) as unknown as Match;

describe('waiting against fairness', () => {
  it('takes the longest wait and the lead of the favourite, shortest wait first', () => {
    const matches = [match([0.6, 0.4], 9_000, 2_000), match([0.5, 0.3, 0.2], 4_000, null)];
    const [first, second] = waitsAndLeads(matches);
    expect(first).toEqual({ waitedMs: 4_000, lead: 0.5 - 1 / 3 });
    expect(second?.waitedMs).toBe(9_000);
    expect(second?.lead).toBeCloseTo(0.1);
  });

  it('leaves out reported matches, and players who joined later', () => {
    const later = { waitedMs: 90_000, joinedAt: 5 };
    const joined = { ...match([0.5, 0.5], 3_000), players: [{ waitedMs: 3_000, joinedAt: null }, later] };
    expect(waitsAndLeads([match([0.5, 0.5], null), match([], 3_000), joined as Match])).toEqual([
      { waitedMs: 3_000, lead: 0 },
    ]);
  });

  it('has medians of groups of equal size, where there are enough', () => {
    const some = Array.from({ length: 40 }, (_, i) => ({ waitedMs: i * 1_000, lead: i / 100 }));
    expect(mediansOf(some)).toHaveLength(8);
    expect(mediansOf(some)[0]).toEqual({ waitedMs: 2_000, lead: 0.02 });
    expect(mediansOf(some.slice(0, 4))).toEqual([]);
  });

  it('is drawn over one axis', () => {
    const some = Array.from({ length: 5 }, (_, i) => ({ waitedMs: i * 1_000, lead: 0.1 }));
    expect(seriesOf(some)).toEqual({
      x: [0, 1, 2, 2, 3, 4],
      leads: [10, 10, 10, null, 10, 10],
      medians: [null, null, null, 10, null, null],
    });
  });
});
