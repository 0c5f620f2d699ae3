import type { Heartbeat, ServerIdentity, ServerStanding } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { heartbeats } from '../../apps/allocator/src/fleet/heartbeats.store.js';
import { Gate } from '../support/gate.js';
import { databaseForEach, noon, range, timeouts } from './fixtures.js';
import { House } from './house.js';

const data = databaseForEach();
const house = (): House => new House(data().db);

/** Heartbeats of one moment, which are recorded together. */
function together(
  h: House,
  beats: readonly (readonly [ServerIdentity, Partial<Heartbeat>])[],
  at: number,
): Promise<ServerStanding | null>[] {
  return beats.map(([server, beat]) =>
    h.allocator.fleet.heartbeat(server, { cpuLoad: 0, ...beat }, at - 1_000, at),
  );
}

const seen = async (h: House): Promise<Record<string, number>> => {
  const rows = await h.db.server.findMany({ orderBy: { id: 'asc' } });
  return Object.fromEntries(rows.map(({ id, heartbeatAt }) => [id, heartbeatAt.getTime() - noon]));
};

describe('heartbeats of many servers at once', () => {
  it('are recorded by one statement, except those that change a session or meet no free registration', async () => {
    const h = house();
    const [plain, omits] = [await h.server('plain'), await h.server('omits')];
    for (const matchId of ['m1', 'm2']) await h.live(matchId);
    const nobody = { serverId: 'nobody', incarnation: 1 };
    const { db } = h;
    const [{ sessionId } = { sessionId: '' }] = await db.$queryRaw<{ sessionId: string }[]>`
      SELECT id AS "sessionId" FROM session WHERE server_id = 'plain'`;
    const beats = [
      { server: plain, request: { cpuLoad: 0, sessions: [sessionId] } },
      { server: omits, request: { cpuLoad: 0, sessions: [] } },
      { server: nobody, request: { cpuLoad: 0 } },
      { server: plain, request: { cpuLoad: 0 } },
    ].map((beat) => ({ ...beat, forgottenBefore: noon + 1, now: noon + 5 }));

    expect(await heartbeats(db, null, beats)).toEqual([
      { state: 'ready', slotsInUse: 1 },
      'alone',
      'alone',
      'alone',
    ]);
  });

  it('are recorded, and each is answered with the standing of its server', async () => {
    const h = house();
    const servers: ServerIdentity[] = [];
    for (const i of range(12)) servers.push(await h.server(`s${i}`, { slots: 2 }));
    for (const i of range(6)) await h.reserved(`m${i}`);
    await h.allocator.fleet.drain('s3');

    const answers = await Promise.all(
      together(
        h,
        servers.map((server, i) => [server, { cpuLoad: i / 100 }] as const),
        noon + 5,
      ),
    );

    const views = await h.allocator.fleet.servers('', 100);
    for (const [i, { serverId }] of servers.entries()) {
      const view = views.find((each) => each.serverId === serverId);
      expect(view).toMatchObject({
        cpuLoad: i / 100,
        heartbeatAt: noon + 5,
        state: i === 3 ? 'draining' : 'ready',
      });
      expect(answers[i]).toEqual({ state: view?.state, slotsInUse: view?.slotsInUse });
    }
    expect(answers.reduce((sum, answer) => sum + (answer?.slotsInUse ?? 0), 0)).toBe(6);
  });

  it('have no answer where there is no such registration, and the others are recorded', async () => {
    const h = house();
    const [old, here, left, lost] = [
      await h.server('new'),
      await h.server('s'),
      await h.server('t'),
      await h.server('u'),
    ];
    await h.server('new');
    await h.allocator.fleet.leave('t', noon);
    await h.db.server.update({ where: { id: 'u' }, data: { state: 'lost' } });
    const nobody = { serverId: 'nobody', incarnation: 1 };

    const answers = await Promise.all(
      together(
        h,
        [old, here, left, lost, nobody].map((server) => [server, {}] as const),
        noon + 5,
      ),
    );

    expect(answers).toEqual([null, { state: 'ready', slotsInUse: 0 }, null, null, null]);
    expect(await seen(h)).toEqual({ new: 0, s: 5, t: 0, u: 0 });
  });

  it('end a session that has been omitted for long, and no other', async () => {
    const h = house();
    const server = await h.server('s', { slots: 4 });
    const other = await h.server('other', { build: 'b0' });
    const [kept, omitted, again] = [await h.live('m1'), await h.live('m2'), await h.live('m3')];
    const asked = await h.reserved('m4');
    const beat = (sessions: readonly string[] | undefined, at: number) =>
      Promise.all(
        together(
          h,
          [
            [server, { sessions }],
            [other, { sessions: [] }],
          ],
          at,
        ),
      );

    await beat([kept.sessionId], noon + 2_000);
    await beat([kept.sessionId, again.sessionId], noon + 2_500);
    await beat([kept.sessionId], noon + 2_600);
    await beat(undefined, noon + 9_000);
    expect(await h.sessionOf(omitted)).toMatchObject({ state: 'live' });
    await beat([kept.sessionId], noon + 3_100);

    expect(await h.sessionOf(omitted)).toMatchObject({ state: 'lost' });
    expect(await h.sessionOf(again)).toMatchObject({ state: 'live' });
    expect(await h.sessionOf(kept)).toMatchObject({ state: 'live' });
    expect(await h.sessionOf(asked)).toMatchObject({ state: 'reserved' });
    expect(await h.disorder()).toEqual([]);
  });

  it('do not suffer for one that cannot be stored', async () => {
    const h = house();
    const servers: ServerIdentity[] = [];
    for (const i of range(5)) servers.push(await h.server(`s${i}`));

    const answers = await Promise.allSettled(
      together(
        h,
        servers.map((server, i) => [server, { sessions: i === 2 ? ['\u0000'] : [] }] as const),
        noon + 5,
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(
      range(5).map((i) => (i === 2 ? 'rejected' : 'fulfilled')),
    );
    expect(await seen(h)).toEqual({ s0: 5, s1: 5, s2: 0, s3: 5, s4: 5 });
  });

  it('do not wait for a server that another caller holds, whose own is recorded afterwards', async () => {
    const h = house();
    const held = await h.server('held');
    const others = [await h.server('s', { build: 'b0' }), await h.server('t', { build: 'b0' })];
    await h.wants('m1');
    const gate = await Gate.shut(h.db, { table: 'session', on: 'INSERT' });
    const placing = h.placedOn('m1');
    await gate.crowd();

    const [waiting, ...answered] = together(
      h,
      [held, ...others].map((server) => [server, {}] as const),
      noon + 5,
    );
    expect(await Promise.all(answered)).toEqual(others.map(() => ({ state: 'ready', slotsInUse: 0 })));
    expect(await seen(h)).toEqual({ held: 0, s: 5, t: 5 });
    await gate.open();

    expect(await placing).toBe('held');
    expect(await waiting).toMatchObject({ state: 'ready' });
    expect(await seen(h)).toEqual({ held: 5, s: 5, t: 5 });
  });

  it('count from the latest of a server, and a wrong clock leaves no trace', async () => {
    const h = house();
    const [twice, future] = [await h.server('twice'), await h.server('future')];
    const { silenceMs } = timeouts;
    await h.allocator.fleet.heartbeat(future, { cpuLoad: 0 }, noon, noon + 100 * silenceMs);
    const beats = [
      ...together(h, [[twice, {}]], noon + 7),
      ...together(
        h,
        [
          [twice, {}],
          [future, {}],
        ],
        noon + 5,
      ),
    ];
    await Promise.all(beats);

    expect(await seen(h)).toEqual({ twice: 7, future: 5 });
  });
});
