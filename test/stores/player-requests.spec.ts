import { DataRequestsOff } from '@muster/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { PlayerRequests } from '../../apps/queue/src/player-requests/player-requests.js';
import { PostgresPlayerRequests } from '../../apps/queue/src/player-requests/player-requests.store.js';
import { takenRequests } from '../../apps/queue/src/settings.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';

const data = databaseForEach();
const dayMs = 86_400_000;
let store: PostgresPlayerRequests;
let at: number;
beforeEach(() => {
  store = new PostgresPlayerRequests(as('queue', data().db));
  at = noon;
});

const requests = (taken = takenRequests({ DATA_REQUESTS: 'both' })): PlayerRequests =>
  new PlayerRequests(store, taken, { now: () => at });

/** As the command of the operator does. */
const done = (playerId: string, doneAt: number) =>
  data().db.playerRequest.updateMany({
    where: { playerId, kind: 'export' },
    data: { doneAt: new Date(doneAt) },
  });

describe('requests of players', () => {
  it('are one of a kind for each player, however often they ask', async () => {
    await Promise.all(range(20).map(() => requests().ask('ann', 'export')));
    at += 1_000;
    const said = await requests().ask('ann', 'export');
    expect(said.requests).toEqual([{ kind: 'export', state: 'waiting', requestedAt: noon, doneAt: null }]);
    expect((await requests().of('ben')).requests).toEqual([]);
  });

  it('are refused where the operator does not take them', async () => {
    expect(takenRequests({ DATA_REQUESTS: 'none' })).toEqual([]);
    const exports = requests(takenRequests({ DATA_REQUESTS: 'export' }));
    await exports.ask('ann', 'export');
    await expect(exports.ask('ann', 'erasure')).rejects.toThrow(DataRequestsOff);
    expect(await exports.of('ann')).toMatchObject({ taken: ['export'], requests: [{ kind: 'export' }] });
    // What waits can be withdrawn, also when requests are no longer taken.
    expect((await requests([]).withdraw('ann', 'export')).requests).toEqual([]);
  });

  it('stay when they are done, until their retention', async () => {
    await requests().ask('ann', 'export');
    await requests().ask('ben', 'export');
    await done('ann', noon);
    expect((await requests().withdraw('ann', 'export')).requests).toMatchObject([{ state: 'done' }]);
    expect((await requests().ask('ann', 'export')).requests).toMatchObject([{ state: 'done', doneAt: noon }]);
    expect(await store.deleteDone(noon, 10)).toBe(false);
    expect((await requests().of('ann')).requests).toHaveLength(1);
    expect(await store.deleteDone(noon + dayMs, 1)).toBe(true);
    expect((await requests().of('ann')).requests).toEqual([]);
    expect((await requests().of('ben')).requests).toMatchObject([{ state: 'waiting' }]);
    expect((await requests().ask('ann', 'export')).requests).toMatchObject([{ state: 'waiting' }]);
  });

  it('are found by indexes, however many there are', async () => {
    const { db } = data();
    await db.$executeRaw`
      INSERT INTO player_request (player_id, kind, requested_at, done_at)
      SELECT 'p' || i, 'export', now(), CASE WHEN i % 100 = 0 THEN NULL ELSE now() END FROM generate_series(1, 20000) AS i`;
    await db.$executeRawUnsafe('ANALYZE player_request');
    for (const [statement, index] of [
      [`SELECT * FROM player_request WHERE player_id = 'p7'`, 'player_request_pkey'],
      [
        `SELECT ctid FROM player_request WHERE done_at < '2020-01-01' ORDER BY done_at LIMIT 500`,
        'player_request_done',
      ],
      [
        `SELECT player_id FROM player_request WHERE done_at IS NULL AND requested_at <= now() ORDER BY requested_at, player_id LIMIT 500`,
        'player_request_waiting',
      ],
    ] as const) {
      const plan = JSON.stringify(await db.$queryRawUnsafe(`EXPLAIN (FORMAT JSON) ${statement}`));
      expect(plan).toContain(`"${index}"`);
      expect(plan).not.toContain('"Seq Scan"');
    }
  });
});
