import { describe, expect, it } from 'vitest';
import { worstLatencies } from './party-latency.js';

describe('C4 the latencies of a party', () => {
  it('are the worst of its members, region by region', () => {
    expect(
      worstLatencies([
        { eu: 20, us: 90 },
        { us: 110, eu: 15 },
      ]),
    ).toEqual({ eu: 20, us: 110 });
    expect(worstLatencies([{ eu: 20 }])).toEqual({ eu: 20 });
  });

  it('exclude a region that one of the members has not measured', () => {
    expect(
      worstLatencies([
        { eu: 20, us: 90 },
        { us: 110, asia: 15 },
      ]),
    ).toEqual({ us: 110 });
  });

  it('are those of the others where a member has measured none', () => {
    expect(worstLatencies([{ eu: 20, us: 90 }, {}])).toEqual({ eu: 20, us: 90 });
    expect(worstLatencies([{}, {}])).toEqual({});
    expect(worstLatencies([])).toEqual({});
  });

  it('are none when the members share no region', () => {
    expect(worstLatencies([{ eu: 20 }, { us: 90 }, {}])).toBeNull();
    // A region may have any name.
    expect(worstLatencies([{ eu: 20 }, { constructor: 90 }])).toBeNull();
  });
});
