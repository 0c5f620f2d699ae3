import {
  BoosterRefused,
  RatingUnavailable,
  type PlayerRating,
  type QueueRules,
  type TicketPlayer,
} from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { aTicket, MemoryTicketStore, testTime } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { Queues } from '../rules/queues.js';
import { RelevelTickets } from './relevel-tickets.js';

const [, duels] = defaultQueues as [QueueRules, QueueRules];
const other: QueueRules = { ...duels, name: 'other', pool: 'elsewhere' };
const start = { mu: 25, sigma: 25 / 3 };

/** Everybody waits with the start rating. Ratings change from outside, and each read is counted. */
function setUp() {
  const store = new MemoryTicketStore();
  const ratings = new Map<string, number>();
  const state = { isAway: false, reads: 0, booster: true, probes: new Map<string, number>() };
  const levels = new RelevelTickets(
    new Queues([duels, other]),
    {
      async currentRatingsOf(_pool, playerIds) {
        if (state.isAway) throw new RatingUnavailable('away');
        state.reads++;
        return playerIds.map((playerId): PlayerRating => ({
          playerId,
          mu: ratings.get(playerId) ?? start.mu,
          sigma: 8.33333,
          matches: 70,
          start,
        }));
      },
      async usableBooster() {
        if (!state.booster) throw new BoosterRefused('It was revoked.');
        return { boosterId: 'bst_1', division: 'Gold', higher: true, level: 33 };
      },
    },
    {
      probes: async (_rules, read) =>
        new Map(
          read.flatMap(({ playerId }) => {
            const level = state.probes.get(playerId);
            return level === undefined ? [] : [[playerId, { level, calibration: { match: 2, of: 10 } }]];
          }),
        ),
    },
    store,
  );
  const wait = (ticketId: string, players: TicketPlayer[], queue = duels.name) =>
    store.enqueue(aTicket({ ticketId, queue, players }), testTime);
  const muOf = async (ticketId: string) => (await store.tickets([ticketId]))[0]?.players.map(({ mu }) => mu);
  return { store, ratings, state, levels, wait, muOf };
}

const player = (playerId: string): TicketPlayer => ({ playerId, mu: 25, sigma: 8.3333 });

describe('ratings that change while a ticket waits', () => {
  it('count in the ticket of the player and of a party, at the old place', async () => {
    const { store, ratings, levels, wait, muOf } = setUp();
    await wait('solo', [player('ann')]);
    await wait('party', [player('bob'), player('cid')]);
    ratings.set('ann', 40).set('cid', 31.234567);
    await levels.run({ pool: duels.pool, playerIds: ['ann', 'cid', 'nobody'] });
    expect([await muOf('solo'), await muOf('party')]).toEqual([[40], [25, 31.2346]]);
    expect((await store.find('solo'))?.enqueuedAt).toBe(aTicket().enqueuedAt);
  });

  it('of all, as at the start of a season, count in every waiting ticket of the pool and in no other', async () => {
    const { store, ratings, state, levels, wait, muOf } = setUp();
    const ids = Array.from({ length: 450 }, (_, i) => `p${i}`);
    for (const id of ids) await wait(id, [player(id)]);
    await wait('x', [player('xen')], other.name);
    for (const id of [...ids, 'xen']) ratings.set(id, 20);
    await levels.run({ pool: duels.pool, playerIds: null });
    for (const id of ids) expect(await muOf(id)).toEqual([20]);
    expect(await muOf('x')).toEqual([25]);
    expect(state.reads).toBeLessThanOrEqual(5);
    // Nothing is written where nothing changed.
    const { newest } = await store.poolChanges(duels.name, 0, 1);
    await levels.run({ pool: duels.pool, playerIds: null });
    expect((await store.poolChanges(duels.name, 0, 1)).newest).toBe(newest);
  });

  it('leave no old rating behind while the rating service is away: the job comes again', async () => {
    const { state, levels, wait } = setUp();
    await wait('solo', [player('ann')]);
    state.isAway = true;
    await expect(levels.run({ pool: duels.pool, playerIds: ['ann'] })).rejects.toThrow(RatingUnavailable);
  });

  it('make a ticket follow the probe, the end of a calibration, and a booster that was revoked', async () => {
    const { store, state, levels, wait } = setUp();
    const booster = { boosterId: 'bst_1', division: 'Gold', higher: true };
    await wait('new', [player('ann')]);
    await wait('boosted', [{ ...player('bob'), mu: 33, booster }]);
    state.probes.set('ann', 28);
    await levels.run({ pool: duels.pool, playerIds: ['ann', 'bob'] });
    const playersOf = async () => (await store.tickets(['new', 'boosted'])).map(({ players }) => players);
    expect(await playersOf()).toEqual([
      [{ ...player('ann'), mu: 28, calibration: { match: 2, of: 10 } }],
      [{ ...player('bob'), mu: 33, booster }],
    ]);
    state.probes.clear();
    state.booster = false;
    await levels.run({ pool: duels.pool, playerIds: ['ann', 'bob'] });
    expect(await playersOf()).toEqual([[player('ann')], [player('bob')]]);
  });

  it('are written once where another process relevels the same ticket', async () => {
    const { store, ratings, levels, wait, muOf } = setUp();
    await wait('solo', [player('ann')]);
    ratings.set('ann', 40);
    const change = { pool: duels.pool, playerIds: ['ann'] };
    await Promise.all([levels.run(change), levels.run(change), levels.run(change)]);
    expect(await muOf('solo')).toEqual([40]);
    expect((await store.poolChanges(duels.name, 0, 10)).newest).toBe(2);
  });
});
