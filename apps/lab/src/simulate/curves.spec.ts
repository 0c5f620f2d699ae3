import { describe, expect, it } from 'vitest';
import { unfairnessAt, type Curve } from './curves.js';

const curve = (...points: [waitSeconds: number, predicted: number][]): Curve => ({
  contender: 'c',
  points: points.map(([waitSeconds, predicted], i) => ({
    factor: i + 1,
    waitSeconds,
    predicted,
    actual: predicted + 0.1,
    gaveUp: 0,
  })),
});

describe('unfairnessAt', () => {
  it('interpolates over the logarithm of the wait, in any order of the points', () => {
    const traced = curve([40, 0.1], [10, 0.2]);
    expect(unfairnessAt(traced, 20, 'predicted')).toBeCloseTo(0.15, 12);
    expect(unfairnessAt(traced, 20, 'actual')).toBeCloseTo(0.25, 12);
  });

  it('equals the measurement at a point, and is null beyond the ends', () => {
    const traced = curve([10, 0.2], [40, 0.1]);
    expect(unfairnessAt(traced, 10, 'predicted')).toBe(0.2);
    expect(unfairnessAt(traced, 40, 'predicted')).toBe(0.1);
    expect(unfairnessAt(traced, 9, 'predicted')).toBeNull();
    expect(unfairnessAt(traced, 41, 'predicted')).toBeNull();
    expect(unfairnessAt(curve(), 10, 'predicted')).toBeNull();
  });
});
