import { describe, expect, it } from 'vitest';
import { cornersOf, drawnCurves, withCorner } from './curve.js';

const corner = (afterSeconds: number, limit: number | null) => ({ afterSeconds, limit });

describe('a curve', () => {
  it('is read from what may be wrong', () => {
    expect(cornersOf([corner(0, 4), 'x', null, { limit: 3 }, { afterSeconds: 9 }])).toEqual([
      corner(0, 4),
      corner(9, null),
    ]);
    expect(cornersOf(8)).toEqual([]);
  });

  it('gets one more corner', () => {
    expect(withCorner([])).toEqual([corner(0, null)]);
    expect(withCorner([corner(0, null)])).toEqual([corner(0, 10), corner(15, null)]);
    expect(withCorner([corner(0, 4)])).toEqual([corner(0, 4), corner(15, 4)]);
    expect(withCorner([corner(0, 4), corner(40, null)])).toEqual([
      corner(0, 4),
      corner(20, 4),
      corner(40, null),
    ]);
  });

  it('is drawn until it has no limit', () => {
    const { x, limits } = drawnCurves([[corner(0, 4), corner(10, 8), corner(20, null)], [corner(0, null)]]);
    const at = (seconds: number) => limits.map((line) => line[x.indexOf(seconds)]);
    expect(at(0)).toEqual([4, null]);
    expect(at(10)).toEqual([8, null]);
    expect(at(20)).toEqual([null, null]);
    expect(x.at(-1)).toBe(24);
  });
});
