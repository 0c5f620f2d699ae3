import { describe, expect, it } from 'vitest';
import { SlotWalk, type SlotPage } from './slot-walk.js';

/** Servers with one used and two free slots each; the ids sort by number. */
function fleetOf(servers: number): { page(after: string, limit: number): Promise<SlotPage>; pages: number } {
  const fleet = {
    pages: 0,
    async page(after: string, limit: number): Promise<SlotPage> {
      fleet.pages++;
      const from = after === '' ? 0 : Number(after) + 1;
      const read = Math.min(limit, servers - from);
      const regions = read > 0 ? [{ region: 'eu', used: read, free: 2 * read, draining: 0 }] : [];
      return { read, last: read > 0 ? String(from + read - 1) : after, regions };
    },
  };
  return fleet;
}

describe('SlotWalk', () => {
  it('sums a small fleet in one call, anew at each', async () => {
    const fleet = fleetOf(1_500);
    const walk = new SlotWalk(fleet.page);
    for (let round = 0; round < 2; round++)
      expect(await walk.next()).toEqual([{ region: 'eu', used: 1_500, free: 3_000, draining: 0 }]);
    expect(fleet.pages).toBe(4);
  });

  it('knows that there are no servers', async () => {
    expect(await new SlotWalk(fleetOf(0).page).next()).toEqual([]);
  });

  it('reads no more of a large fleet in a call, and answers nothing until the walk is whole', async () => {
    const fleet = fleetOf(20_000);
    const walk = new SlotWalk(fleet.page);
    expect(await walk.next()).toBeNull();
    expect(fleet.pages).toBe(8);
    expect(await walk.next()).toBeNull();
    expect(await walk.next()).toEqual([{ region: 'eu', used: 20_000, free: 40_000, draining: 0 }]);
    // The next walk is under way; its sums replace these at its end.
    expect(await walk.next()).toEqual([{ region: 'eu', used: 20_000, free: 40_000, draining: 0 }]);
  });

  it('goes on where a call failed', async () => {
    const fleet = fleetOf(2_500);
    let fails = true;
    const walk = new SlotWalk(async (after, limit) => {
      if (after !== '' && fails) throw new Error('away');
      return fleet.page(after, limit);
    });
    await expect(walk.next()).rejects.toThrow('away');
    fails = false;
    expect(await walk.next()).toEqual([{ region: 'eu', used: 2_500, free: 5_000, draining: 0 }]);
  });
});
