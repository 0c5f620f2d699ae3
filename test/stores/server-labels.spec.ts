import { describe, expect, it } from 'vitest';
import { databaseForEach, noon, promisesOf } from './fixtures.js';
import { House } from './house.js';

const data = databaseForEach();
const house = (): House => new House(data().db);
const rules = (over: object = {}) => ({ rules: { mode: 'duel', placementTimeoutSeconds: 60, ...over } });
const everyMs = 10_000;
const limits = { everyMs, startMs: 60_000, spares: { byRegion: new Map<string, number>(), elsewhere: 0 } };

/** What the tickets of a match were told last. */
async function toldOf(matchId: string): Promise<unknown> {
  const told = (await promisesOf(data().db)).filter(({ payload }) =>
    JSON.stringify(payload).includes(`"${matchId}"`),
  );
  return told.at(-1)?.payload;
}

describe('a match is placed on a server whose labels fit', () => {
  it('by the labels that its queue demands, its map and its mode', async () => {
    const h = house();
    await h.server('plain', { slots: 9 });
    await h.server('slow', { slots: 9, labels: { hardware: ['slow'], maps: ['castle', 'mine'] } });
    await h.server('fast', { slots: 1, labels: { hardware: ['fast'], modes: ['duel'] } });
    await h.wants('needs-fast', rules({ serverLabels: { hardware: 'fast' } }));
    await h.wants('needs-fast-too', rules({ serverLabels: { hardware: 'fast' } }));
    await h.wants('on-castle', { ...rules({ serverLabels: { hardware: 'slow' } }), map: 'castle' });
    await h.wants('on-moon', { ...rules({ serverLabels: { hardware: 'slow' } }), map: 'moon' });
    expect(await h.placedOn('needs-fast')).toBe('fast');
    expect(await h.placedOn('needs-fast-too')).toBe('none-free');
    expect(await h.placedOn('on-castle')).toBe('slow');
    expect(await h.placedOn('on-moon')).toBe('none-free');
    for (const mode of ['arena', 'duel', 'duel'])
      await h.wants(`any-${mode}-${noon}`, rules({ mode })).catch(() => undefined);
    expect(await h.placedOn(`any-arena-${noon}`)).toBe('plain');
  });

  it('and its tickets are told what it needs while none fits, free or not', async () => {
    const h = house();
    await h.server('s', { region: 'eu', labels: { maps: ['mine'], hardware: ['fast'] } });
    await h.server('far', { region: 'us' });
    await h.wants('m1', { ...rules({ serverLabels: { hardware: 'fast' } }), regions: ['eu'], map: 'castle' });
    await h.wants('m2', { ...rules(), regions: ['mars'] });
    expect(await h.placedOn('m1')).toBe('none-free');
    expect(await h.placedOn('m2')).toBe('none-free');
    expect(await toldOf('m1')).toMatchObject({
      reason: expect.stringContaining(
        'fits the match, which needs mode duel and map castle and hardware fast',
      ),
    });
    expect(await toldOf('m2')).toMatchObject({ reason: expect.stringContaining('has a free slot now') });
    // One that registers with other labels fits.
    await h.server('s', { region: 'eu', labels: { hardware: ['fast'] } });
    expect(await h.placedOn('m1', noon + 1_000)).toBe('s');
  });

  it('and servers are requested with the labels, but not for a map or mode that none plays', async () => {
    const h = house();
    await h.server('s', { slots: 1, labels: { maps: ['mine'], tier: ['a'] } });
    await h.wants('needs', rules({ serverLabels: { tier: 'b', hardware: 'fast' } }));
    await h.wants('needs-map', { ...rules(), map: 'castle' });
    await h.place('needs');
    await h.place('needs-map');
    const shortages = await h.allocator.shortages.claimShortages(limits, noon);
    expect(shortages).toMatchObject([
      { build: 'b1', labels: { tier: 'b', hardware: 'fast' }, waitingMatches: 1, slots: 1 },
    ]);
    expect(await h.allocator.shortages.claimShortages(limits, noon + 1)).toEqual([]);
    const { waiting, requests } = await h.allocator.shortages.countCapacity(limits, noon + 1);
    expect(waiting.map(({ waitingMatches, unfitMatches }) => [waitingMatches, unfitMatches])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(requests).toMatchObject([{ labels: { tier: 'b', hardware: 'fast' }, onTheirWay: 1 }]);
    // A server without the labels does not come for the request.
    await h.allocator.fleet.register(
      { serverId: 'other', region: 'r', build: 'b1', host: 'h', port: 1, slots: 1, resume: [] },
      noon + 2,
    );
    expect((await h.allocator.shortages.countCapacity(limits, noon + 3)).requests[0]?.onTheirWay).toBe(1);
    const [shortage] = shortages;
    if (!shortage) throw new Error('there is a shortage');
    await h.allocator.shortages.settleShortage(shortage, 'failed', 1);
    expect(await toldOf('needs')).toMatchObject({ reason: expect.stringContaining('which needs') });
    await h.allocator.shortages.settleShortage(shortage, 'starting', 1);
    expect(await toldOf('needs')).toMatchObject({ reason: expect.stringContaining('being started') });
  });
});
