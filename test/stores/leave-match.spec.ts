import { allocatorStores } from './allocator-stores.js';
import { message, type LeaveMatchResult } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { aMatch, databaseForEach, noon, timeouts, promisesOf, range, tally, ticketOf } from './fixtures.js';
import { House } from './house.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const house = (): House => new House(data().db);
const leave = (h: House, player: string, now = noon, matchId = 'm1'): Promise<LeaveMatchResult> =>
  h.allocator.placement.leaveUnplaced(matchId, ticketOf(player), timeouts, now);

/** A match of two that found no server at its first attempt. */
async function unplaced(h: House, rules = {}): Promise<void> {
  await h.wants('m1', { rules: { mode: 'duel', placementTimeoutSeconds: 300, ...rules } });
  expect(await h.placedOn('m1')).toBe('none-free');
}

describe('a match that finds no server', () => {
  it('may be left once the first attempt has failed; it is abandoned, and remade of the others', async () => {
    const h = house();
    await unplaced(h);
    const left = {
      outcome: 'left',
      ticketIds: [ticketOf('m1-a'), ticketOf('m1-b')],
      reason: [message('match.left-without-server')],
    };
    expect(await leave(h, 'm1-a')).toEqual(left);
    expect(await h.stateOf('m1')).toBe('abandoned');
    expect(await h.playing()).toEqual([]);
    const news = (await promisesOf(h.db)).at(-1);
    expect(news).toMatchObject({
      queue: 'ticket-news',
      payload: { kind: 'remade', failedTicketIds: [ticketOf('m1-a')], leftTicketIds: [ticketOf('m1-a')] },
    });
    // Nobody is blamed.
    expect(news?.payload).not.toHaveProperty('blame');
    const promised = (await promisesOf(h.db)).length;
    expect(await leave(h, 'm1-a')).toEqual(left);
    expect(await leave(h, 'm1-b')).toEqual({ outcome: 'over' });
    expect(await promisesOf(h.db)).toHaveLength(promised);
    await h.server('s');
    expect(await h.placedOn('m1', noon + 60_000)).toBe('settled');
    expect(await h.disorder()).toEqual([]);
  });

  it('is not left before an attempt was made, nor before its rules allow it', async () => {
    const h = house();
    await h.matches.form(aMatch('m2'));
    expect(await leave(h, 'm2-a', noon, 'm2')).toEqual({ outcome: 'too-soon', waitMs: null });
    await unplaced(h, { leaveWithoutServerSeconds: 30 });
    expect(await leave(h, 'm1-a', noon + 10_000)).toEqual({ outcome: 'too-soon', waitMs: 20_000 });
    expect(await leave(h, 'm1-a', noon + 30_000)).toMatchObject({ outcome: 'left' });
  });

  it('is not left while a server is asked, nor once it has one; it is again when the server refuses', async () => {
    const h = house();
    await h.server('s');
    const held = await h.reserved('m1');
    expect(await leave(h, 'm1-a')).toEqual({ outcome: 'has-server' });
    await h.refuse(held);
    expect(await leave(h, 'zoe')).toEqual({ outcome: 'unknown' });
    expect(await leave(h, 'm1-a')).toMatchObject({ outcome: 'left' });
    await h.live('m2');
    expect(await leave(h, 'm2-a', noon, 'm2')).toEqual({ outcome: 'has-server' });
    expect(await h.stateOf('m2')).toBe('placed');
  });

  it('is left or gets a server, not both, whoever comes first', async () => {
    const h = house();
    const matches = range(6).map((i) => `m${i}`);
    for (const matchId of matches) {
      await h.wants(matchId);
      expect(await h.placedOn(matchId)).toBe('none-free');
    }
    await h.server('s', { slots: matches.length });
    const store = () => allocatorStores(as('allocator', data().connect(1)));
    const all = matches.flatMap((matchId, i) => {
      const placed = store().placement.place(matchId, timeouts, noon + 5_000);
      const left = ['a', 'b'].map((who) =>
        store().placement.leaveUnplaced(matchId, ticketOf(`${matchId}-${who}`), timeouts, noon + 5_000),
      );
      return i % 2 === 0 ? [placed, ...left] : [...left, placed];
    });
    const said = await Promise.all(all);
    for (const [i, matchId] of matches.entries()) {
      const outcomes = tally(said.slice(3 * i, 3 * i + 3).map(({ outcome }) => outcome));
      if ((await h.stateOf(matchId)) === 'abandoned')
        expect(outcomes).toEqual({ settled: 1, left: 1, over: 1 });
      else expect(outcomes).toEqual({ reserved: 1, 'has-server': 2 });
    }
    expect(await h.disorder()).toEqual([]);
    expect(await data().deadlocks()).toBe(0);
  });
});
