import {
  PostgresLiveSessionStore,
  type LiveOrder,
  type LiveSession,
  type LiveStep,
} from '../../apps/assignment/src/live-balance/live-session.store.js';
import type { SentOrder } from '@muster/contracts';
import { message } from '@muster/domain';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { as, migrationsDir } from '../support/database.js';
import { aMatch, databaseForEach, noon, promisesOf, range, tally } from './fixtures.js';
import { House } from './house.js';

// What a step makes of a session is live balance's; here a roster is a list of names, and the state a number.
type Policy = { readonly kind: string };
type Store = PostgresLiveSessionStore<Policy, string[], number>;
type Session = LiveSession<Policy, string[], number>;

const data = databaseForEach();
const storeOf = (db = data().db): Store => new PostgresLiveSessionStore(as('assignment', db));
const begin = () => ({ policy: { kind: 'test' }, roster: ['first'], state: 0 });
const order: LiveOrder = {
  kind: 'balance',
  moves: [{ playerId: 'm1-a', from: 0, to: 1, why: [message('balance.you-play-for', { to: 1 })] }],
  withinMs: 500,
  exact: true,
  why: [message('balance.sizes', { larger: 5, smaller: 3 })],
};
const sizes = { code: 'balance.sizes', params: { larger: 5, smaller: 3 }, text: 'It is 5 against 3.' };
const moved = { code: 'balance.you-play-for', params: { to: 1 }, text: 'You play for Team 2 now.' };
const sent: SentOrder = {
  ...order,
  moves: [{ playerId: 'm1-a', from: 0, to: 1, why: moved.text, whyMessages: [moved] }],
  why: sizes.text,
  whyMessages: [sizes],
};

/** Takes an event by its number, once; an order comes with it when asked. */
const event =
  (seq: number, over: Partial<LiveStep<string[], number, string>> = {}) =>
  ({ roster, state, lastSeq }: Session): LiveStep<string[], number, string> =>
    seq <= lastSeq
      ? { roster, state, lastSeq, dueAt: null, orders: [], changedTeam: [], answer: 'again' }
      : {
          roster: [...roster, `event ${seq}`],
          state: state + 1,
          lastSeq: seq,
          dueAt: null,
          orders: [],
          changedTeam: [],
          answer: 'new',
          ...over,
        };

async function playing(): Promise<{ h: House; sessionId: string }> {
  const h = new House(data().db);
  await h.server('s', { slots: 4 });
  const { sessionId } = await h.live('m1');
  return { h, sessionId };
}

describe('a session that is told of', () => {
  it('begins with its match, and keeps what every step made of it', async () => {
    const { sessionId } = await playing();
    const seen: Session[] = [];
    const look = (seq: number) => (session: Session) => {
      seen.push(session);
      return event(seq)(session);
    };
    expect(await storeOf().change('s', [{ sessionId, step: look(1) }], begin, noon)).toEqual(['new']);
    expect(await storeOf().change('s', [{ sessionId, step: look(2) }], begin, noon)).toEqual(['new']);
    const same = { matchId: 'm1', sessionId, policy: { kind: 'test' } };
    expect(seen).toMatchObject([
      { ...same, roster: ['first'], state: 0, lastSeq: 0 },
      { ...same, roster: ['first', 'event 1'], state: 1, lastSeq: 1 },
    ]);
  });

  it('takes an event once, however many replicas are told of it at once, the first included', async () => {
    const { sessionId } = await playing();
    const stores = [storeOf(), storeOf(data().connect(2)), storeOf(data().connect(2))];
    const told = await Promise.all(
      range(12).map((i) =>
        stores[i % 3]?.change('s', [{ sessionId, step: event(1, { orders: [order] }) }], begin, noon),
      ),
    );
    expect(tally(told.flatMap((answers) => answers?.map(String) ?? []))).toEqual({ new: 1, again: 11 });
    const { db } = data();
    expect(await db.liveBalance.findMany()).toMatchObject([{ lastSeq: 1, orders: 1, state: 1 }]);
    expect(await db.balanceOrder.findMany()).toMatchObject([{ matchId: 'm1', number: 1 }]);
    const jobs = (await promisesOf(db)).filter(({ queue }) => queue === 'balance-session');
    expect(jobs.map(({ payload }) => payload)).toEqual([{ sessionId, order: { number: 1, ...sent } }]);
    expect(await data().deadlocks()).toBe(0);
  });

  it('waits in no circle when several sessions are told of in any order', async () => {
    const { h, sessionId } = await playing();
    const ids = [sessionId];
    for (const name of ['m2', 'm3', 'm4']) ids.push((await h.live(name)).sessionId);
    const stores = [storeOf(), storeOf(data().connect(2))];
    await Promise.all(
      range(8).map((i) => {
        const turned = i % 2 ? ids : ids.toReversed();
        const asked = turned.map((each) => ({ sessionId: each, step: event(1) }));
        return stores[i % 2]?.change('s', asked, begin, noon);
      }),
    );
    expect((await data().db.liveBalance.findMany()).map(({ lastSeq }) => lastSeq)).toEqual([1, 1, 1, 1]);
    expect(await data().deadlocks()).toBe(0);
  });

  it('is nobody else’s: not another server’s, not there, over, or left alone', async () => {
    const { h, sessionId } = await playing();
    const [ended, alone] = [await h.live('m2'), await h.live('m3')];
    await h.allocator.sessions.loseOverdue(noon + 1, noon, 10);
    const { db } = data();
    const live = (await db.session.findMany({ where: { state: 'live' } })).length;
    expect(live).toBe(0);
    const ask = (id: string, server = 's', start: () => ReturnType<typeof begin> | null = begin) =>
      storeOf().change(server, [{ sessionId: id, step: event(1) }], start, noon);
    expect(await ask(ended.sessionId)).toEqual(['over']);
    expect(await ask(sessionId, 'other')).toEqual(['unknown']);
    expect(await ask('ses_nowhere')).toEqual(['unknown']);
    const held = await h.reserved('m4');
    expect(await ask(held.sessionId)).toEqual(['not-yet']);
    const fresh = await h.live('m5');
    expect(await ask(fresh.sessionId, 's', () => null)).toEqual(['left-alone']);
    expect(await ask(fresh.sessionId, 'other')).toEqual(['unknown']);
    expect(await ask(fresh.sessionId)).toEqual(['new']);
    expect(await ask(fresh.sessionId, 'other')).toEqual(['unknown']);
    expect(await ask(alone.sessionId)).toEqual(['over']);
  });

  it('comes due, until it is over', async () => {
    const { h, sessionId } = await playing();
    const store = storeOf();
    await store.change('s', [{ sessionId, step: event(1, { dueAt: noon + 5 }) }], begin, noon);
    expect(await store.due(noon + 4, 10)).toEqual([]);
    expect(await store.due(noon + 5, 10)).toEqual([sessionId]);
    await h.allocator.sessions.loseOverdue(noon + 1, noon, 10);
    expect(await store.change(null, [{ sessionId, step: event(2) }], () => null, noon)).toEqual(['over']);
    expect(await store.due(noon + 5, 10)).toEqual([]);
    expect(await data().db.liveBalance.count()).toBe(0);
  });

  it('is forgotten when it is over, and not while it is played; its orders stay with the match', async () => {
    const { h, sessionId } = await playing();
    const other = await h.live('m2');
    const store = storeOf();
    const asked = [sessionId, other.sessionId].map((id) => ({
      sessionId: id,
      step: event(1, { orders: [order] }),
    }));
    await store.change('s', asked, begin, noon);
    expect(await store.deleteEnded(10)).toBe(0);
    await h.allocator.sessions.loseOverdue(noon + 1, noon, 10);
    const forgotten = await Promise.all([store.deleteEnded(1), storeOf(data().connect(1)).deleteEnded(10)]);
    expect((forgotten[0] ?? 0) + (forgotten[1] ?? 0) + (await store.deleteEnded(10))).toBe(2);
    expect(await data().db.liveBalance.count()).toBe(0);
    expect(await data().db.balanceOrder.count()).toBe(2);
    expect(await store.change('s', [{ sessionId, step: event(2) }], begin, noon)).toEqual(['over']);
  });

  it('has whoever changed team play for the other, and its match is known', async () => {
    const { sessionId } = await playing();
    const changedTeam = [{ playerId: 'm1-a', team: 1 }];
    await storeOf().change('s', [{ sessionId, step: event(1, { changedTeam }) }], begin, noon);
    const players = await data().db.matchPlayer.findMany({ where: { matchId: 'm1', playerId: 'm1-a' } });
    expect(players).toMatchObject([{ team: 1 }]);
    const matches = await storeOf().matchesOf([sessionId, 'ses_nowhere']);
    expect([...matches.keys()]).toEqual([sessionId]);
    const { pool, map, players: roster } = aMatch('m1');
    expect(matches.get(sessionId)).toMatchObject({ matchId: 'm1', pool, map });
    expect(matches.get(sessionId)?.players).toHaveLength(roster.length);
    expect(matches.get(sessionId)?.players).toContainEqual(
      expect.objectContaining({ playerId: 'm1-a', team: 1, role: null }),
    );
  });
});

describe('an order to move players', () => {
  it('is commanded once, while the session lives', async () => {
    const { h, sessionId } = await playing();
    const numbered = { number: 1, ...sent };
    const told = await Promise.all(
      range(5).map(() => h.allocator.sessions.commandBalance(sessionId, numbered, noon)),
    );
    expect(tally(told.map(String))).toEqual({ s: 1, null: 4 });
    const { db } = data();
    const commands = await db.command.findMany({ where: { kind: 'balance' } });
    expect(commands).toMatchObject([{ sessionId, payload: numbered, state: 'pending' }]);
    await h.allocator.sessions.loseOverdue(noon + 1, noon, 10);
    expect(await h.allocator.sessions.commandBalance(sessionId, { ...numbered, number: 2 }, noon)).toBeNull();
  });

  it('of an earlier release says what its orders were for, wherever they are, and has rules for sides', async () => {
    const { h, sessionId } = await playing();
    const { db } = data();
    await storeOf().change('s', [{ sessionId, step: event(1, { orders: [order] }) }], begin, noon);
    await h.allocator.sessions.commandBalance(sessionId, { ...sent, number: 1 }, noon);
    const old = (path: string, column: string): string =>
      `UPDATE ${path} SET ${column} = ${column} - 'kind' - 'exact'`;
    await db.$executeRawUnsafe(old('balance_order', 'body'));
    await db.$executeRawUnsafe(`${old('command', 'payload')} WHERE kind = 'balance'`);
    await db.$executeRawUnsafe(
      "UPDATE outbox SET payload = payload #- '{order,kind}' #- '{order,exact}' WHERE queue = 'balance-session'",
    );
    const sql = await readFile(join(migrationsDir, '20261123120000_order_kinds', 'migration.sql'), 'utf8');
    for (const statement of sql.split(';').filter((each) => each.trim() !== ''))
      await db.$executeRawUnsafe(statement);

    const said = { kind: 'balance', exact: false, why: sent.why };
    expect(await db.balanceOrder.findMany()).toMatchObject([{ body: said }]);
    expect(await db.command.findMany({ where: { kind: 'balance' } })).toMatchObject([{ payload: said }]);
    const promised = (await promisesOf(db)).filter(({ queue }) => queue === 'balance-session');
    expect(promised).toMatchObject([{ payload: { sessionId, order: said } }]);
    expect(await db.liveBalance.findMany()).toMatchObject([
      { policy: { kind: 'test', sides: { forMs: 30_000, toleranceShare: 0.05 } } },
    ]);
  });
});
