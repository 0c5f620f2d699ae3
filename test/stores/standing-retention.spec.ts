import { describe, expect, it } from 'vitest';
import { PostgresBehaviourStore } from '../../apps/queue/src/standing/behaviour.store.js';
import { PostgresPenaltyStore } from '../../apps/queue/src/standing/penalty.store.js';
import { PostgresStandingRetention } from '../../apps/queue/src/standing/standing-retention.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';

const data = databaseForEach();

describe('retention of penalties and reports', () => {
  it('deletes the oldest in batches, by several replicas at once, and leaves the newer ones', async () => {
    const db = as('queue', data().db);
    const [penalties, reports] = [new PostgresPenaltyStore(db), new PostgresBehaviourStore(db)];
    await penalties.add(
      range(30).map((i) => ({
        penaltyId: `p${i}`,
        playerId: 'ann',
        kind: 'left',
        matchId: `m${i}`,
        queue: 'ranked',
        at: noon + i,
      })),
    );
    for (const i of range(30))
      await reports.report({
        matchId: `m${i}`,
        party: null,
        reporter: 'bob',
        reported: 'ann',
        kind: 'abuse',
        weight: 1,
        note: null,
        at: noon + i,
      });
    const stores = [db, as('queue', data().db)].map((each) => new PostgresStandingRetention(each));

    expect(await stores[0]?.deletePenalties(noon + 20, 5)).toBe(true);
    expect(await stores[0]?.deleteReports(noon + 20, 5)).toBe(true);
    expect((await penalties.list('ann', 100)).map(({ at }) => at - noon)).toEqual(
      range(25).map((i) => 29 - i),
    );
    for (const _ of range(3))
      await Promise.all(
        stores.flatMap((store) => [store.deletePenalties(noon + 20, 4), store.deleteReports(noon + 20, 4)]),
      );
    while (await stores[0]?.deletePenalties(noon + 20, 4));
    while (await stores[0]?.deleteReports(noon + 20, 4));

    const kept = range(10).map((i) => 29 - i);
    expect((await penalties.list('ann', 100)).map(({ at }) => at - noon)).toEqual(kept);
    expect((await reports.reportsOn('ann', 100)).map(({ at }) => at - noon)).toEqual(kept);
  });
});
