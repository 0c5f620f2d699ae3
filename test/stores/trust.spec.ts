import { doubts } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { PostgresTrust } from '../../apps/allocator/src/trust/trust.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range, timeouts } from './fixtures.js';
import { House } from './house.js';

const data = databaseForEach();

/** A house whose servers are told apart by what they did. */
function setUp() {
  const h = new House(data().db);
  const trust = new PostgresTrust(as('allocator', h.db));
  const doubtsOf = async (...ids: string[]): Promise<number[]> => {
    const servers = await h.db.server.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
    return servers.map(({ doubt }) => doubt);
  };
  /** A server that has confirmed a session. */
  const proved = async (serverId: string, slots = 2): Promise<void> => {
    await h.server(serverId, { slots });
    await trust.confirms(serverId);
  };
  /** The match of a reservation, which its server leaves unanswered. */
  const leaveUnanswered = async (now = noon): Promise<void> => {
    await h.allocator.sessions.withdrawUnanswered(now + timeouts.answerMs, 50);
  };
  return { h, trust, doubtsOf, proved, leaveUnanswered };
}

describe('a server', () => {
  it('is doubted until it asks for commands, then until it confirms a session', async () => {
    const { h, trust, doubtsOf } = setUp();
    const { incarnation } = await h.server('s');
    expect(await doubtsOf('s')).toEqual([doubts.unheard]);
    await trust.listens({ serverId: 's', incarnation: incarnation + 1 });
    expect(await doubtsOf('s')).toEqual([doubts.unheard]);
    await trust.listens({ serverId: 's', incarnation });
    expect(await doubtsOf('s')).toEqual([doubts.newcomer]);
    await trust.confirms('s');
    await h.server('s');
    expect(await doubtsOf('s')).toEqual([doubts.none]);
  });

  it('that never confirmed a session is doubted after one unanswered command, another after three in a row', async () => {
    const { h, trust, doubtsOf, proved, leaveUnanswered } = setUp();
    await proved('proved', 1);
    for (const [i, expected] of [doubts.none, doubts.none, doubts.silent].entries()) {
      const now = noon + i * 60_000;
      await h.db.server.update({ where: { id: 'proved' }, data: { heartbeatAt: new Date(now) } });
      await h.wants(`m${i}`);
      await h.reserve(`m${i}`, now);
      await leaveUnanswered(now);
      expect(await doubtsOf('proved')).toEqual([expected]);
    }
    await trust.confirms('proved');
    expect(await doubtsOf('proved')).toEqual([doubts.none]);
    await h.server('new', { build: 'other' });
    await h.reserved('m9', { build: 'other' });
    await leaveUnanswered();
    expect(await doubtsOf('new')).toEqual([doubts.silent]);
    // It is the same server after it registers again.
    await h.server('new', { build: 'other' });
    expect(await doubtsOf('new')).toEqual([doubts.silent]);
  });

  it('that was silent is tried again after ten minutes, and twice as late each time', async () => {
    const { h, trust, doubtsOf } = setUp();
    for (const [id, misses] of [
      ['one', 1],
      ['three', 3],
    ] as const) {
      await h.server(id);
      const of = { doubt: doubts.silent, misses, missedAt: new Date(noon), proved: false };
      await h.db.server.update({ where: { id }, data: of });
    }
    await trust.forgive(noon + 600_000);
    expect(await doubtsOf('one', 'three')).toEqual([doubts.silent, doubts.silent]);
    await trust.forgive(noon + 600_001);
    expect(await doubtsOf('one', 'three')).toEqual([doubts.newcomer, doubts.silent]);
    await trust.forgive(noon + 2_400_001);
    expect(await doubtsOf('three')).toEqual([doubts.newcomer]);
  });

  it('of a fleet with a silent newcomer is suspected, until there is none any more', async () => {
    const { h, trust, doubtsOf } = setUp();
    const registrar = (fleet: string) => ({ keyId: null, fleet });
    for (const [id, fleet] of [
      ['a-1', 'a'],
      ['a-2', 'a'],
      ['b-1', 'b'],
      ['c-1', 'c'],
      ['c-2', 'c'],
    ] as const) {
      await h.server(id);
      const doubt = id === 'a-1' || id === 'c-1' ? doubts.silent : doubts.newcomer;
      await h.db.server.update({ where: { id }, data: { ...registrar(fleet), doubt } });
    }
    await trust.review();
    expect(await doubtsOf('a-2', 'b-1', 'c-2')).toEqual([
      doubts.suspected,
      doubts.newcomer,
      doubts.suspected,
    ]);
    await trust.review();
    expect(await doubtsOf('a-2', 'b-1', 'c-2')).toEqual([
      doubts.suspected,
      doubts.newcomer,
      doubts.suspected,
    ]);
    await h.allocator.fleet.leave('a-1', noon);
    await trust.review();
    expect(await doubtsOf('a-2', 'b-1', 'c-2')).toEqual([doubts.newcomer, doubts.newcomer, doubts.suspected]);
  });
});

describe('a match', () => {
  it('is placed on servers that proved themselves, however many invented ones are idle', async () => {
    const { h, proved } = setUp();
    for (const i of range(40)) await h.server(`fake-${i}`, { slots: 1_000 });
    await proved('honest-1', 3);
    await proved('honest-2', 3);
    for (const i of range(6)) await h.wants(`m${i}`);
    const servers: string[] = [];
    for (const i of range(6)) servers.push(await h.placedOn(`m${i}`));
    expect(servers.filter((id) => id.startsWith('honest'))).toHaveLength(6);
    // Without another free slot, those others are better than none.
    await h.wants('last');
    expect(await h.placedOn('last')).toMatch(/^fake/);
  });

  it('tries one newcomer at a time', async () => {
    const { h, trust, proved } = setUp();
    await proved('honest', 10);
    for (const i of range(5)) {
      const server = await h.server(`new-${i}`, { slots: 1_000 });
      await trust.listens(server);
    }
    await h.live('running');
    const matches = range(4).map((i) => `m${i}`);
    for (const matchId of matches) await h.wants(matchId);
    const placed = await Promise.all(matches.map((matchId) => h.place(matchId)));
    const newcomers = placed.filter((each) => each.outcome === 'reserved' && each.serverId.startsWith('new'));
    expect(newcomers.length).toBeLessThanOrEqual(1);
  });
});
