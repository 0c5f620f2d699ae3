import { describe, expect, it } from 'vitest';
import { openConflicts, unplacedMatches } from '../../apps/allocator/src/slots/figures.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon } from './fixtures.js';
import { House } from './house.js';

const data = databaseForEach();

describe('the figures of allocator', () => {
  it('count matches until a server has them, by queue, from when the oldest was formed', async () => {
    const { db } = data();
    const house = new House(db);
    const allocator = as('allocator', db);
    expect(await unplacedMatches(allocator)).toEqual([]);
    await house.server('s', { slots: 1 });
    await house.live('plays');
    await house.wants('late', { queue: '5v5' });
    await house.wants('later', { queue: '5v5', formedAt: noon + 5_000 });
    await house.wants('other', { queue: '1v1', formedAt: noon + 7_000 });
    expect((await unplacedMatches(allocator)).toSorted((a, b) => a.matches - b.matches)).toEqual([
      { queue: '1v1', matches: 1, since: new Date(noon + 7_000) },
      { queue: '5v5', matches: 2, since: new Date(noon) },
    ]);
  });

  it('count contradictions until somebody decides', async () => {
    const { db } = data();
    const allocator = as('allocator', db);
    await db.$executeRaw`
      INSERT INTO result_conflict (match_id, reported_by, reason, digest, body, received_at)
      SELECT 'm' || n, 's', 'test', 'd' || n, '{}', now() FROM generate_series(1, 1200) AS n`;
    expect(await openConflicts(allocator)).toBe(1_000);
    await db.$executeRaw`UPDATE result_conflict SET decision = 'kept', decided_at = now() WHERE match_id <> 'm1190'`;
    expect(await openConflicts(allocator)).toBe(1);
  });
});
