import { seededRandom, type ReceivedResult, type ResultReceived } from '@muster/domain';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PostgresMatches } from '../../apps/rating/src/ledger/matches.store.js';
import { RatingStores } from '../support/rating-stores.js';
import { as } from '../support/database.js';
import { blocked } from '../support/gate.js';
import { databaseForEach, noon, promisesOf, range, tally } from './fixtures.js';
import { House, type Held } from './house.js';
import { aPool, duel, ended, somePlayed, type PlayedMatch } from './ledger-fixtures.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();
const minute = 60_000;

let house: House;
let ledger: RatingStores;
beforeEach(async () => {
  house = new House(data().db);
  ledger = new RatingStores(as('rating', data().db));
  await ledger.pools.create(aPool());
  await house.server('s', { slots: 20 });
});

/** The number of transactions that wrote the rows of a table which exist now. */
async function transactionsOf(db: Db, table: string, where = 'true'): Promise<number> {
  const [row] = await db.$queryRawUnsafe<{ count: number }[]>(
    `SELECT count(DISTINCT xmin::text)::int AS count FROM ${table} WHERE ${where}`,
  );
  return row?.count ?? 0;
}

/** Holds rows until it is told otherwise, as a slow transaction does. */
async function hold(db: Db, select: string): Promise<{ release: () => Promise<void> }> {
  let letGo = (): void => undefined;
  const released = new Promise<void>((resolve) => (letGo = resolve));
  let holder: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    holder = db.$transaction(
      async (tx) => {
        await tx.$queryRawUnsafe(`${select} FOR UPDATE`);
        resolve();
        await released;
      },
      { timeout: 90_000 },
    );
    holder.catch(reject);
  });
  return {
    release: async () => {
      letGo();
      await holder;
    },
  };
}

const reserve = (count: number): Promise<Held[]> => inTurn(count, (i) => house.reserved(`m${i}`));
const live = (count: number): Promise<Held[]> => inTurn(count, (i) => house.live(`m${i}`));

async function inTurn<T>(count: number, step: (i: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (const i of range(count)) all.push(await step(i));
  return all;
}

const result = (over: Partial<ReceivedResult> = {}): ReceivedResult => ({
  ranks: [1, 2],
  digest: 'd',
  body: { ranks: [1, 2] },
  ...over,
});

const receive = ({ sessionId, server }: Held, over: Partial<ReceivedResult> = {}): Promise<ResultReceived> =>
  house.allocator.sessions.receive(sessionId, server, result(over), noon + minute);

const statuses = (settled: readonly PromiseSettledResult<unknown>[]): string[] =>
  settled.map(({ status }) => status);

describe('answers that come at once', () => {
  it('are processed in one transaction, each with its own result', async () => {
    const all = await reserve(6);
    const answers = await Promise.all(all.map((held, i) => house.accept(held, noon + i)));

    expect(answers).toEqual(all.map(({ matchId }) => ({ outcome: 'accepted', matchId })));
    expect(await transactionsOf(data().db, 'session')).toBe(1);
    const sessions = await data().db.session.findMany({ orderBy: { matchId: 'asc' } });
    expect(sessions.map(({ state, liveAt }) => [state, liveAt?.getTime()])).toEqual(
      range(6).map((i) => ['live', noon + i]),
    );
    for (const { matchId } of all) expect(await house.matchUpdateJobs(matchId)).toEqual(['formed', 'placed']);
    expect(await data().db.command.count({ where: { state: 'done' } })).toBe(6);
    expect(await house.disorder()).toEqual([]);
  });

  it('lose nothing by one that the database refuses', async () => {
    const all = await reserve(5);
    const answers = await Promise.allSettled(
      all.map(({ server, seq }, i) =>
        house.allocator.commands.answer(
          server,
          seq,
          { status: 'done', ...(i === 2 ? { port: 2 ** 40 } : {}) },
          noon,
        ),
      ),
    );

    expect(statuses(answers)).toEqual(range(5).map((i) => (i === 2 ? 'rejected' : 'fulfilled')));
    const states = await Promise.all(all.map(({ matchId }) => house.stateOf(matchId)));
    expect(states).toEqual(range(5).map((i) => (i === 2 ? 'formed' : 'placed')));
    expect(await house.disorder()).toEqual([]);
  });

  it('count once when they are repeats, and refusals and unknown commands are answered as before', async () => {
    const [held, other] = await reserve(2);
    if (!held || !other) throw new Error('two were reserved');
    const outcomes = await Promise.all([
      house.accept(held),
      house.accept(held),
      house.refuse(other),
      house.allocator.commands.answer(held.server, 999, { status: 'done' }, noon),
      house.accept(held),
    ]);

    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      'accepted',
      'again',
      'accepted',
      'unknown',
      'again',
    ]);
    expect(await house.matchUpdateJobs('m0')).toEqual(['formed', 'placed']);
    expect(await house.stateOf('m1')).toBe('formed');
    expect(await house.disorder()).toEqual([]);
  });

  it.each(['session', 'match', 'placement', 'command'])(
    'do not wait for the one whose %s another transaction holds',
    async (table) => {
      const all = await reserve(4);
      const { matchId, sessionId, seq } = all[1] ?? { matchId: '', sessionId: '', seq: 0 };
      const where = {
        session: `id = '${sessionId}'`,
        match: `id = '${matchId}'`,
        placement: `match_id = '${matchId}'`,
        command: `seq = ${seq}`,
      }[table];
      const held = await hold(data().db, `SELECT 1 FROM ${table} WHERE ${where}`);
      const answers = all.map((each) => house.accept(each));

      const [first, second, ...others] = answers;
      for (const answer of [first, ...others]) expect(await answer).toMatchObject({ outcome: 'accepted' });
      if (!second) throw new Error('four were asked');
      await blocked(data().db, 1, second);
      expect(await house.stateOf(matchId)).toBe('formed');
      await held.release();

      expect(await second).toMatchObject({ outcome: 'accepted' });
      expect(await house.disorder()).toEqual([]);
      expect(await data().deadlocks()).toBe(0);
    },
  );
});

describe('results that come at once', () => {
  it('are processed in one transaction, each with its own result', async () => {
    const all = await live(6);
    const results = await Promise.all(
      all.map((held, i) =>
        receive(held, { digest: `d${i}`, ranks: i % 2 ? [2, 1] : [1, 2], leavers: i === 3 ? ['m3-a'] : [] }),
      ),
    );

    expect(results).toEqual(all.map(({ matchId }) => ({ outcome: 'counted', matchId })));
    expect(await transactionsOf(data().db, 'result')).toBe(1);
    const matches = await data().db.match.findMany({ orderBy: { id: 'asc' } });
    expect(matches.map(({ state, ranks }) => [state, ranks])).toEqual(
      range(6).map((i) => ['ended', i % 2 ? [2, 1] : [1, 2]]),
    );
    expect(matches.map(({ blame }) => blame)).toEqual(
      range(6).map((i) => (i === 3 ? [{ playerId: 'm3-a', kind: 'left', at: noon + minute }] : null)),
    );
    const jobs = (await promisesOf(data().db)).map(({ jobId }) => jobId);
    for (const { matchId } of all) expect(jobs.filter((id) => id === `rate-${matchId}`)).toHaveLength(1);
    expect(await house.disorder()).toEqual([]);
  });

  it('lose nothing by one that the database refuses', async () => {
    const all = await live(5);
    const results = await Promise.allSettled(
      // A database cannot store this character.
      all.map((held, i) => receive(held, i === 2 ? { body: { note: 'a\u0000b' } } : {})),
    );

    expect(statuses(results)).toEqual(range(5).map((i) => (i === 2 ? 'rejected' : 'fulfilled')));
    const states = await Promise.all(all.map(({ matchId }) => house.stateOf(matchId)));
    expect(states).toEqual(range(5).map((i) => (i === 2 ? 'placed' : 'ended')));
    expect(await house.disorder()).toEqual([]);
  });

  it('of one session count once: the first, a repeat of it, and one that contradicts', async () => {
    const [held, other, third] = await live(3);
    if (!held || !other || !third) throw new Error('three are live');
    const results = await Promise.all([
      receive(held),
      receive(held),
      receive(held, { digest: 'e', ranks: [2, 1] }),
      receive(other, { ranks: [1, 2, 3] }),
      receive(other, { players: ['nobody'] }),
      receive(third),
    ]);

    expect(results.map(({ outcome }) => outcome)).toEqual([
      'counted',
      'again',
      'contradicts',
      'wrong-teams',
      'not-in-match',
      'counted',
    ]);
    expect((await data().db.result.findMany()).map(({ digest }) => digest)).toEqual(['d', 'd']);
    expect(await transactionsOf(data().db, 'result')).toBe(1);
    expect(await data().db.resultConflict.count()).toBe(1);
    expect(await house.stateOf('m1')).toBe('placed');
  });

  it('that overtake the answer of their session count, as one by one', async () => {
    const all = await reserve(3);
    const results = await Promise.all(all.map((held) => receive(held)));
    expect(tally(results.map(({ outcome }) => outcome))).toEqual({ counted: 3 });
    expect(await house.disorder()).toEqual([]);
  });

  it.each(['session', 'match'])(
    'do not wait for the one whose %s another transaction holds',
    async (table) => {
      const all = await live(4);
      const { matchId, sessionId } = all[1] ?? { matchId: '', sessionId: '' };
      const held = await hold(
        data().db,
        `SELECT 1 FROM ${table} WHERE id = '${table === 'match' ? matchId : sessionId}'`,
      );
      const [first, second, ...others] = all.map((each) => receive(each));
      for (const other of [first, ...others]) expect(await other).toMatchObject({ outcome: 'counted' });
      if (!second) throw new Error('four were sent');
      await blocked(data().db, 1, second);
      expect(await house.stateOf(matchId)).toBe('placed');
      await held.release();

      expect(await second).toMatchObject({ outcome: 'counted' });
      expect(await house.disorder()).toEqual([]);
      expect(await data().deadlocks()).toBe(0);
    },
  );
});

describe('matches that are rated at once', () => {
  const rate = (matchId: string): ReturnType<PostgresMatches['rate']> =>
    ledger.matches.rate(matchId, noon + minute);

  /** Ended matches of players of their own. */
  async function apart(count: number): Promise<PlayedMatch[]> {
    const all = range(count).map((i) => ({ ...duel, matchId: `m${i}`, teams: [[`a${i}`], [`b${i}`]] }));
    for (const match of all) await ended(data().db, match);
    return all;
  }

  it('lose nothing by one whose player has a rating that cannot be read', async () => {
    const { db } = data();
    const all = await apart(5);
    await db.rating.create({
      data: {
        pool: 'ladder',
        generation: 1,
        playerId: 'a2',
        state: 'broken',
        matches: 1,
        updatedAt: new Date(noon),
      },
    });
    const results = await Promise.allSettled(all.map(({ matchId }) => rate(matchId)));

    expect(statuses(results)).toEqual(range(5).map((i) => (i === 2 ? 'rejected' : 'fulfilled')));
    const states = await Promise.all(all.map(({ matchId }) => house.stateOf(matchId)));
    expect(states).toEqual(range(5).map((i) => (i === 2 ? 'ended' : 'rated')));
    expect(await transactionsOf(db, 'rating_event')).toBe(1);
    // Its opponent, who is new, has no rating by it.
    expect((await ledger.ratings.of('ladder', ['a2', 'b2', 'b3'])).ratings).toEqual(
      new Map([
        ['a2', expect.objectContaining({ state: 'broken' })],
        ['b3', expect.objectContaining({ matches: 1 })],
      ]),
    );
    expect(await db.rating.count({ where: { playerId: 'b2' } })).toBe(0);
  });

  it('lose nothing by one that the database refuses', async () => {
    const { db } = data();
    const all = await apart(5);
    // The ledger knows another event of this id.
    await db.$executeRaw`
      INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail) VALUES (-1, 'ladder', 'match', 'm2', now(), '{}')`;
    const results = await Promise.allSettled(all.map(({ matchId }) => rate(matchId)));

    expect(statuses(results)).toEqual(range(5).map((i) => (i === 2 ? 'rejected' : 'fulfilled')));
    const states = await Promise.all(all.map(({ matchId }) => house.stateOf(matchId)));
    expect(states).toEqual(range(5).map((i) => (i === 2 ? 'ended' : 'rated')));
  });

  it('count once when they are repeats, and a match that has not ended waits', async () => {
    await apart(2);
    await house.live('m9');
    const results = await Promise.all(['m0', 'm9', 'm0', 'm1', 'm0', 'no such match'].map(rate));

    expect(results.map(({ outcome }) => outcome)).toEqual([
      'rated',
      'not-ended',
      'closed',
      'rated',
      'closed',
      'not-ended',
    ]);
    expect(await data().db.ratingEvent.count()).toBe(2);
  });

  it('do not wait for the match that another transaction holds', async () => {
    const all = await apart(4);
    const held = await hold(data().db, `SELECT 1 FROM match WHERE id = 'm1'`);
    const [first, second, ...others] = all.map(({ matchId }) => rate(matchId));
    for (const other of [first, ...others]) expect(await other).toMatchObject({ outcome: 'rated' });
    if (!second) throw new Error('four were asked');
    await blocked(data().db, 1, second);
    await held.release();

    expect(await second).toMatchObject({ outcome: 'rated' });
    expect(await data().deadlocks()).toBe(0);
  });

  it('and share players are rated to the bit as one by one in the same order', async () => {
    const { db } = data();
    const someModel = fc.constantFrom('openskill-plackett-luce', 'trueskill', 'glicko2', 'elo');
    let round = 0;
    const inLedger = async (pool: string) => {
      const changes = await db.$queryRaw<{ event_id: string; row: unknown }[]>`
        SELECT substr(event_id, 3) AS event_id, jsonb_build_array(player_id, before::text, after::text) AS row FROM rating_change
        WHERE pool = ${pool} ORDER BY sequence, player_id`;
      const ratings = await db.$queryRaw<unknown[]>`
        SELECT player_id, state::text, matches, division, last_rated_at FROM rating WHERE pool = ${pool} ORDER BY player_id`;
      const forecasts = await db.$queryRaw<unknown[]>`
        SELECT ranks, raw::text, chances::text, features::text, drift::text, newcomers, converged FROM rated_match
        WHERE pool = ${pool} ORDER BY sequence`;
      return { changes, ratings, forecasts };
    };
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 2, max: 12 }), someModel, async (seed, count, model) => {
        round += 1;
        const [one, many] = [`one-${round}`, `many-${round}`];
        for (const pool of [one, many]) await ledger.pools.create(aPool(pool, { model }));
        const random = seededRandom(seed);
        const crowd = range(6).map((i) => `p${i}`);
        const all = range(count).map((i) => somePlayed(`${round}-${i}`, crowd, random));
        for (const match of all) {
          await ended(db, { ...match, matchId: `o-${match.matchId}` }, { pool: one });
          await ended(db, { ...match, matchId: `m-${match.matchId}` }, { pool: many });
        }
        for (const { matchId } of all) await rate(`o-${matchId}`);
        await Promise.all(all.map(({ matchId }) => rate(`m-${matchId}`)));

        expect(await transactionsOf(db, 'rating_event', `pool = '${many}'`)).toBe(1);
        expect(await inLedger(many)).toEqual(await inLedger(one));
      }),
      { numRuns: 15 },
    );
  });
});
