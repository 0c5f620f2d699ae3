import { describe, expect, it } from 'vitest';
import { aServer, databaseForEach, noon, timeouts, range } from './fixtures.js';
import { House } from './house.js';
import type { Retention } from '../../apps/allocator/src/fleet/retention.store.js';

const data = databaseForEach();
const house = (): House => new House(data().db);

const hour = 3_600_000;
const later = noon + 10 * hour;
/** Whatever is older than an hour. */
const before: Retention = { servers: later - hour, sessions: later - hour };

async function idsOf(h: House): Promise<string[]> {
  return (await h.allocator.fleet.servers('', 100)).map(({ serverId }) => serverId);
}

describe('servers that somebody invents', () => {
  it('leave no rows for their slots', async () => {
    const h = house();
    for (const i of range(3)) await h.server(`s${i}`, { slots: 1_000 });
    expect(await h.db.slot.count()).toBe(0);
    for (const i of range(3)) {
      await h.wants(`m${i}`);
      expect(await h.placedOn(`m${i}`)).toBe(`s${i}`);
    }
    expect((await h.db.session.findMany()).map(({ slotOrdinal }) => slotOrdinal)).toEqual([0, 0, 0]);
  });

  it('are forgotten some time after they fell silent or left, with all that they had', async () => {
    const h = house();
    for (const id of ['lost', 'left', 'lives', 'lately']) await h.server(id);
    const held = await h.live('m1');
    await h.db.slot.createMany({ data: range(5).map((ordinal) => ({ serverId: 'lost', ordinal })) });
    await h.allocator.fleet.leave('left', noon);
    await h.allocator.fleet.heartbeat({ serverId: 'lives', incarnation: 1 }, { cpuLoad: 0 }, 0, later);
    await h.allocator.fleet.heartbeat(
      { serverId: 'lately', incarnation: 1 },
      { cpuLoad: 0 },
      0,
      later - hour / 2,
    );
    await h.allocator.fleet.leave('lately', later);
    await h.allocator.silence.loseSilent(timeouts, later, 10);
    expect(await h.stateOf(held.matchId)).toBe('abandoned');

    expect(await h.allocator.retention.forget(before, 100)).toBe(false);
    expect(await idsOf(h)).toEqual(['lately', 'lives']);
    expect(await h.db.command.count({ where: { serverId: { in: ['lost', 'left'] } } })).toBe(0);
    expect(await h.db.slot.count()).toBe(0);
    expect(await h.disorder()).toEqual([]);
  });

  it('are another server when they come again: no token of before is valid', async () => {
    const h = house();
    for (const _ of range(3)) await h.server('s');
    await h.allocator.fleet.leave('s', noon);
    await h.allocator.retention.forget(before, 100);
    expect(await idsOf(h)).toEqual([]);
    const { incarnation } = await h.allocator.fleet.register(aServer('s'), later);
    expect(incarnation).toBeGreaterThan(4);
    for (const old of range(5))
      expect(await h.allocator.commands.commandsAfter({ serverId: 's', incarnation: old }, 0)).toBeNull();
  });

  it('are forgotten in batches, and once by several replicas', async () => {
    const h = house();
    for (const i of range(7)) {
      await h.server(`s${i}`);
      await h.allocator.fleet.leave(`s${i}`, noon);
    }
    expect(await h.allocator.retention.forget(before, 3)).toBe(true);
    expect(await idsOf(h)).toHaveLength(4);
    const others = range(3).map(() => new House(data().connect(2)));
    await Promise.all(others.map((other) => other.allocator.retention.forget(before, 3)));
    expect(await h.allocator.retention.forget(before, 3)).toBe(false);
    expect(await idsOf(h)).toEqual([]);
  });
});

describe('what is over', () => {
  it('is forgotten some time after, and the match keeps what came of it', async () => {
    const h = house();
    await h.server('s', { slots: 5 });
    const [old, lately, running] = [await h.live('old'), await h.live('lately'), await h.live('running')];
    const report = { ranks: [1, 2], digest: 'd', body: {} };
    await h.allocator.sessions.receive(old.sessionId, old.server, report, noon);
    await h.allocator.sessions.receive(old.sessionId, old.server, { ...report, digest: 'other' }, noon);
    await h.allocator.sessions.receive(lately.sessionId, lately.server, report, later);
    await h.db.command.updateMany({
      where: { sessionId: lately.sessionId },
      data: { createdAt: new Date(later) },
    });
    await h.db.backfill.createMany({
      data: [old, running].map(({ sessionId, matchId }) => ({
        id: `bfl-${matchId}`,
        sessionId,
        matchId,
        team: 0,
        seats: 1,
        seatsLeft: 1,
        state: matchId === 'old' ? 'expired' : 'open',
        fingerprint: '',
        requestedAt: new Date(noon),
        expiresAt: new Date(noon),
      })),
    });
    await h.db.proposalVerdict.updateMany({ where: { matchId: 'old' }, data: { decidedAt: new Date(noon) } });

    expect(await h.allocator.retention.forget(before, 100)).toBe(false);
    expect(await h.matches.deleteVerdicts(noon + 1, 100)).toBe(false);

    const sessions = await h.db.session.findMany({ orderBy: { matchId: 'asc' } });
    expect(sessions.map(({ matchId, state }) => [matchId, state])).toEqual([
      ['lately', 'ended'],
      ['running', 'live'],
    ]);
    expect((await h.db.result.findMany()).map(({ matchId }) => matchId)).toEqual(['lately']);
    expect((await h.db.command.findMany()).map(({ sessionId }) => sessionId)).toEqual([lately.sessionId]);
    expect((await h.db.backfill.findMany()).map(({ state }) => state)).toEqual(['open']);
    expect(await h.db.resultConflict.count()).toBe(0);
    expect((await h.db.proposalVerdict.findMany()).map(({ matchId }) => matchId).toSorted()).toEqual([
      'lately',
      'running',
    ]);
    expect(await h.db.match.findUnique({ where: { id: 'old' } })).toMatchObject({
      state: 'ended',
      sessionId: old.sessionId,
      serverId: 's',
    });
    expect(await h.allocator.sessions.receive(old.sessionId, old.server, report, later)).toEqual({
      outcome: 'unknown',
    });
  });
});

describe('the list of servers', () => {
  it('comes in pages, in the order of their ids', async () => {
    const h = house();
    for (const i of range(5)) await h.server(`s${i}`);
    const page = async (after: string): Promise<string[]> =>
      (await h.allocator.fleet.servers(after, 2)).map(({ serverId }) => serverId);
    expect([await page(''), await page('s1'), await page('s3')]).toEqual([
      ['s0', 's1'],
      ['s2', 's3'],
      ['s4'],
    ]);
  });
});
