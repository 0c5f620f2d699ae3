import { noSpares, type FormedMatch, type RegionOpening } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { databaseForEach, noon, promisesOf } from './fixtures.js';
import { House } from './house.js';

const data = databaseForEach();
const house = (): House => new House(data().db);

/** A match for which each region opens some time after noon. @param anywhereMs null: others never do */
function opening(
  regions: readonly (readonly [region: string, latencyMs: number | null, afterMs: number])[],
  anywhereMs: number | null = null,
): Partial<FormedMatch> {
  const openings = regions.map(([region, latencyMs, afterMs]): RegionOpening => ({
    region,
    latencyMs,
    opensAt: noon + afterMs,
  }));
  return {
    regions: openings.flatMap(({ region, opensAt }) => (opensAt <= noon ? [region] : [])),
    openings: { regions: openings, anywhereAt: anywhereMs === null ? null : noon + anywhereMs },
  };
}

/** What the tickets of a match were told, in turn. */
async function toldOf(h: House, matchId: string): Promise<unknown[]> {
  const promised = await promisesOf(h.db);
  return promised.flatMap(({ jobId, payload }) =>
    jobId === `placing-${matchId}` && payload && typeof payload === 'object' && 'reason' in payload
      ? [payload.reason]
      : [],
  );
}

describe('C5 a match that was formed for one region', () => {
  it('without servers is placed in the next one as soon as the limits of its tickets allow it', async () => {
    const h = house();
    await h.server('eu-1', { region: 'eu' });
    await h.wants(
      'm',
      opening([
        ['mars', 20, -5_000],
        ['eu', 100, 100],
      ]),
    );
    expect(await h.placedOn('m')).toBe('none-free');
    expect(await h.nextAttempt('m')).toBe(100);
    expect(await h.placedOn('m', noon + 100)).toBe('eu-1');
    expect(await h.disorder()).toEqual([]);
  });

  it('that is full is placed far away once that is allowed, and its tickets are told what opens', async () => {
    const h = house();
    await h.server('eu-1', { region: 'eu' });
    await h.server('us-1', { region: 'us' });
    await h.server('asia-1', { region: 'asia' });
    await h.reserved('before', opening([['eu', 20, 0]]));
    await h.wants(
      'm',
      opening(
        [
          ['eu', 20, 0],
          ['sa', 90, 9_000],
          ['us', 100, 9_900],
        ],
        20_000,
      ),
    );
    const told = (where: string, next: string): string =>
      `Your teams are made, but no server of build b1 in ${where} has a free slot now; it is tried again and again. ${next}`;

    expect(await h.placedOn('m', noon + 8_000)).toBe('none-free');
    expect(await h.placedOn('m', noon + 8_500)).toBe('none-free');
    expect(await toldOf(h, 'm')).toHaveLength(1);
    expect(await h.placedOn('m', noon + 9_200)).toBe('none-free');
    expect(await toldOf(h, 'm')).toEqual([
      told('eu', 'sa opens in 1 s.'),
      told('eu or sa', 'us opens in 1 s.'),
    ]);
    const limits = { everyMs: 1, startMs: 1, builds: ['b1'], spares: noSpares };
    expect(await h.allocator.shortages.claimShortages(limits, noon + 9_200)).toMatchObject([
      { regions: ['eu', 'sa'], waitingMatches: 1 },
    ]);
    expect(await h.placedOn('m', noon + 9_900)).toBe('us-1');
  });

  it('may be placed where nobody measured, when the limits of all its tickets are over', async () => {
    const h = house();
    await h.server('asia-1', { region: 'asia' });
    await h.wants('m', opening([['mars', 20, 0]], 6_000));
    expect(await h.placedOn('m', noon + 5_999)).toBe('none-free');
    expect(await h.placedOn('m', noon + 6_000)).toBe('asia-1');
  });
});

describe('C13 spread', () => {
  it('sends nobody 65 ms farther while the near region has room, and says so', async () => {
    const h = house();
    await h.server('eu-1', { region: 'eu', slots: 4 });
    await h.server('us-1', { region: 'us', slots: 4 });
    const far = opening([
      ['eu', 20, 0],
      ['us', 85, 0],
    ]);
    const near = opening([
      ['eu', 20, 0],
      ['us', 30, 0],
    ]);
    const placed: string[] = [];
    for (const [i, over] of [far, far, far, near, near, far, far, far].entries()) {
      await h.wants(`m${i}`, over);
      placed.push(await h.placedOn(`m${i}`));
    }
    expect(placed).toEqual(['eu-1', 'eu-1', 'eu-1', 'us-1', 'us-1', 'eu-1', 'us-1', 'us-1']);
    const { chosen } = await h.db.session.findFirstOrThrow({ where: { matchId: 'm3' } });
    expect(chosen).toMatchObject({ code: 'placement.by-spread', params: { region: 'us', latency: 30 } });
  });

  it('treats regions alike of which a release before stored the order alone', async () => {
    const h = house();
    await h.server('eu-1', { region: 'eu', slots: 2 });
    await h.server('us-1', { region: 'us', slots: 2 });
    await h.reserved('m1', { regions: ['eu', 'us'] });
    await h.wants('m2', { regions: ['eu', 'us'] });
    expect(await h.placedOn('m2')).toBe('us-1');
  });
});
