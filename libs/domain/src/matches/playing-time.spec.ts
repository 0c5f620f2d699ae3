import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordedTimes, shareOfMatch, sharesIn, withPermission, withRecorded } from './playing-time.js';
import type { Played } from '../ratings/rating-pool.js';

const times = (joinedAt: number | null, leftAt: number | null) => [{ playerId: 'ann', joinedAt, leftAt }];

describe('the times of a match', () => {
  it.each([
    ['players present throughout are not named', null, null, undefined, undefined],
    ['a late joiner', 1_750, null, [{ fromMs: 750, toMs: 1_000 }], ['ann']],
    ['an early leaver', null, 1_500, [{ fromMs: 0, toMs: 500 }], undefined],
    ['a late joiner who left early', 1_200, 1_300, [{ fromMs: 200, toMs: 300 }], ['ann']],
    ['a leaver before the start', null, 900, [], undefined],
    ['a joiner after the end', 2_500, null, [], ['ann']],
    ['a leaver before joining, by clocks that differ', 1_500, 1_400, [], ['ann']],
    ['a seat taken before the start', 900, null, [{ fromMs: 0, toMs: 1_000 }], undefined],
  ])('%s', (_, joinedAt, leftAt, ann, late) => {
    const recorded = recordedTimes(times(joinedAt, leftAt), 1_000, 2_000);
    expect(recorded.times).toEqual(ann && { lengthMs: 1_000, stretches: { ann } });
    expect(recorded.late).toEqual(late);
  });

  it('are empty for a match without duration', () => {
    expect(recordedTimes(times(null, 1_000), 1_000, 1_000)).toEqual({});
  });

  it('accept any name of a player', () => {
    const { times: recorded } = recordedTimes(
      [{ playerId: '__proto__', joinedAt: 1_500, leftAt: null }],
      1_000,
      2_000,
    );
    expect(Object.entries(recorded ? sharesIn(recorded) : {})).toEqual([['__proto__', 0.5]]);
  });

  it('are shares that add up over stretches', () => {
    expect(
      shareOfMatch(
        [
          { fromMs: 0, toMs: 250 },
          { fromMs: 500, toMs: 750 },
        ],
        1_000,
      ),
    ).toBe(0.5);
    expect(shareOfMatch([], 1_000)).toBe(0);
    expect(shareOfMatch([{ fromMs: 0, toMs: 5 }], 0)).toBe(0);
  });
});

describe('times reported by a server', () => {
  const recorded = recordedTimes(
    [
      { playerId: 'ann', joinedAt: 1_600, leftAt: null },
      { playerId: 'ben', joinedAt: null, leftAt: 1_200 },
    ],
    1_000,
    2_000,
  );

  it("take precedence over the coordinator's, which are scaled to the reported length", () => {
    const said: Played = {
      shares: { ben: 0.3, cat: 0.9 },
      times: { lengthMs: 3_000, stretches: { ben: [{ fromMs: 0, toMs: 900 }] } },
      facts: { ben: { kills: 1 } },
    };
    expect(withRecorded(said, recorded)).toEqual({
      shares: { ann: 0.4, ben: 0.3, cat: 0.9 },
      times: {
        lengthMs: 3_000,
        stretches: { ann: [{ fromMs: 1_800, toMs: 3_000 }], ben: [{ fromMs: 0, toMs: 900 }] },
      },
      late: ['ann'],
      facts: { ben: { kills: 1 } },
    });
    // A share alone does not say when it was.
    expect(withRecorded({ shares: { ann: 1 } }, recorded)).toMatchObject({
      shares: { ann: 1, ben: 0.2 },
      times: { lengthMs: 1_000, stretches: { ben: [{ fromMs: 0, toMs: 200 }] } },
    });
    expect(withRecorded({ shares: { ann: 1 } }, {})).toEqual({ shares: { ann: 1 } });
  });

  it('leave the shares of players they do not name unchanged, for any reported length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (lengthMs) => {
        const { shares } = withRecorded({ times: { lengthMs, stretches: {} } }, recorded);
        expect(shares?.['ann']).toBeCloseTo(0.4, 12);
        expect(shares?.['ben']).toBeCloseTo(0.2, 12);
      }),
    );
  });
});

describe('players who left with permission', () => {
  const recorded = recordedTimes(times(null, 1_250), 1_000, 2_000);
  const others = { bob: [{ fromMs: 0, toMs: 500 }] };

  it.each([
    ['their server does not know', {}],
    ['their server says so, too', { ann: [{ fromMs: 0, toMs: 250 }] }],
    ['their server says that they stayed', { ann: [{ fromMs: 0, toMs: 1_000 }] }],
  ])('are rated by their share and not as leavers: %s', (_, ann) => {
    const stretches = { ...others, ...ann };
    const reported = {
      times: { lengthMs: 1_000, stretches },
      shares: sharesIn({ lengthMs: 1_000, stretches }),
    };
    const played = withPermission(withRecorded(reported, recorded), recorded, ['ann']);
    expect(played).toEqual({
      times: { lengthMs: 1_000, stretches: others },
      shares: { ann: 0.25, bob: 0.5 },
    });
  });

  it('leave no times when nobody else has any', () => {
    expect(withPermission(withRecorded({}, recorded), recorded, ['ann'])).toEqual({ shares: { ann: 0.25 } });
    expect(withPermission({}, {}, ['ann'])).toEqual({});
  });
});
