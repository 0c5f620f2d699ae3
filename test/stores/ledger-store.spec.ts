import { rateEvent } from '../../apps/rating/src/core/rater.js';
import { RatingStores } from '../support/rating-stores.js';
import { PostgresMatchStore } from '../../apps/assignment/src/forming/match.store.js';
import {
  UnknownPool,
  seededRandom,
  type MatchEvent,
  type RateResult,
  type RatingPool,
  type ReportedRated,
  type SkillBelief,
  type StoredRating,
} from '@muster/domain';
import { modelOf } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { aMatch, databaseForEach, noon, promisesOf, range, tally, ticketOf } from './fixtures.js';
import { aPool, duel, ended, reported, somePlayed } from './ledger-fixtures.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const model = modelOf(aPool().rules.model);
const stranger = model.belief(model.initial());

let ledger: RatingStores;
let ladder: RatingPool;
beforeEach(async () => {
  ledger = new RatingStores(as('rating', data().db));
  ladder = (await ledger.pools.create(aPool())).pool;
});

async function ratingsOf(
  playerIds: readonly string[],
): Promise<Record<string, { mu: number; sigma: number; matches: number }>> {
  const { ratings } = await ledger.ratings.of('ladder', playerIds);
  return Object.fromEntries(
    [...ratings].map(([playerId, { state, matches }]) => [
      playerId,
      { ...model.belief(model.read(state)), matches },
    ]),
  );
}

describe('rating a match', () => {
  it('happens once when it is asked ten times at once', async () => {
    const { db } = data();
    await new PostgresMatchStore(as('assignment', db)).form(
      aMatch('m1', [
        ['ann', 'bob'],
        ['cid', 'dee'],
      ]),
    );
    await db.match.update({ where: { id: 'm1' }, data: { state: 'ended', ranks: [2, 1] } });
    const stores = range(3).map(() => new RatingStores(as('rating', data().connect(4))));

    const results = await Promise.all(range(10).map((i) => stores[i % 3]?.matches.rate('m1', noon + 5)));

    expect(tally(results.map((result) => result?.outcome ?? ''))).toEqual({ rated: 1, closed: 9 });
    const [winner, loser] = [
      ['cid', 'dee'],
      ['ann', 'bob'],
    ];
    const start = model.initial();
    const teams = [
      [start, start],
      [start, start],
    ];
    const [lost, won] = model.rate({ teams }, [2, 1]).map((team) => team.map((state) => model.belief(state)));
    const after = new Map<string, SkillBelief | undefined>();
    for (const i of [0, 1]) after.set(winner?.[i] ?? '', won?.[i]).set(loser?.[i] ?? '', lost?.[i]);
    const everybody = [...after.keys()].toSorted();
    expect(await ratingsOf(everybody)).toEqual(
      Object.fromEntries(everybody.map((id) => [id, { ...after.get(id), matches: 1 }])),
    );
    expect(
      (await ledger.history.changes(['m1'])).toSorted((a, b) => (a.playerId < b.playerId ? -1 : 1)),
    ).toEqual(
      everybody.map((playerId) => ({
        matchId: 'm1',
        playerId,
        before: stranger,
        after: after.get(playerId),
      })),
    );
    expect(await db.match.findUnique({ where: { id: 'm1' } })).toMatchObject({
      state: 'rated',
      closedAt: new Date(noon + 5),
    });
    expect(await db.livePlayer.count()).toBe(0);
    const news = (await promisesOf(db)).filter(({ owner }) => owner === 'rating');
    expect(news.filter(({ queue }) => queue === 'ticket-news')).toEqual([
      {
        owner: 'rating',
        queue: 'ticket-news',
        jobId: 'rated-m1',
        payload: {
          kind: 'rated',
          matchId: 'm1',
          ticketIds: ['ann', 'bob', 'cid', 'dee'].map(ticketOf),
          reason: expect.any(String),
          messages: [{ code: 'match.rated', params: {} }],
        },
      },
    ]);
    const newcomer = { matches: 1, opponents: 25, teammates: 25, teamSize: 2 };
    expect(news.filter(({ queue }) => queue !== 'ticket-news')).toEqual([
      {
        owner: 'rating',
        queue: 'match-rated',
        jobId: 'rated-m1',
        payload: {
          matchId: 'm1',
          pool: 'ladder',
          // As they were believed before, by team.
          meeting: {
            teams: [loser, winner].map((team = []) =>
              team.map((playerId) => ({ playerId, ...model.belief(start) })),
            ),
            ranks: [2, 1],
          },
          players: everybody.map((playerId) => ({
            ...newcomer,
            playerId,
            outcome: winner?.includes(playerId) ? 1 : 0,
          })),
        },
      },
      {
        owner: 'rating',
        queue: 'ratings-changed',
        jobId: 'ratings-ladder-match-m1',
        payload: { pool: 'ladder', playerIds: expect.arrayContaining([...everybody]) },
      },
    ]);
  });

  it.each([
    ['formed', 'not-ended'],
    ['placed', 'not-ended'],
    ['abandoned', 'closed'],
    ['void', 'closed'],
    ['rated', 'closed'],
  ])('of a match that is %s answers %s and changes nothing', async (state, outcome) => {
    const { db } = data();
    await ended(db, duel);
    await db.match.update({ where: { id: 'm1' }, data: { state } });

    expect(await ledger.matches.rate('m1', noon)).toEqual({ outcome });
    expect(await db.ratingChange.count()).toBe(0);
    expect(await db.rating.count()).toBe(0);
    expect(await ledger.matches.rate('no such match', noon)).toEqual({ outcome: 'not-ended' });
  });

  it('of matches that share players, many at once, is a chain for each player and a fold in the order of the ledger', async () => {
    const { db } = data();
    const random = seededRandom(5);
    const crowd = range(12).map((i) => `p${i}`);
    const all = range(60)
      .map((i) => somePlayed(`m${i}`, crowd, random))
      .map((match, i) =>
        i % 4 === 0 ? match : { ...match, teams: match.teams.map((team) => team.toSorted()) },
      );
    // Every fourth was not made by the coordinator.
    for (const [i, played] of all.entries()) if (i % 4 !== 0) await ended(db, played);
    const stores = range(4).map(() => new RatingStores(as('rating', data().connect(2))));
    const queue = [...all.entries()];
    const work = async (store: RatingStores): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [i, played] = next;
        const result: RateResult | ReportedRated =
          i % 4 === 0
            ? await store.reports.rate(reported(played), noon)
            : await store.matches.rate(played.matchId, noon);
        expect(result.outcome).toBe('rated');
      }
    };
    await Promise.all(range(8).map((i) => work(stores[i % 4] ?? ledger)));

    const rows = await db.ratingChange.findMany({ orderBy: [{ sequence: 'asc' }, { playerId: 'asc' }] });
    expect(rows).toHaveLength(all.flatMap(({ teams }) => teams.flat()).length);
    const order = new Map(rows.map((row) => [row.eventId, row.sequence]));
    expect(new Set(order.values()).size).toBe(60);

    // The same matches one after the other, without a database. Sums of floats depend on the order of their terms: the
    // members of a team are in the order of their ids where the coordinator made it, else in the order of the report.
    const played = new Map(all.map((match) => [match.matchId, match]));
    const ratings = new Map<string, StoredRating>();
    const expected = [...order.keys()].flatMap((eventId) => {
      const { teams, ranks } = played.get(eventId) ?? duel;
      const event: MatchEvent = { kind: 'match', eventId, at: noon, teams, ranks };
      const { players } = rateEvent(ladder, event, ratings);
      for (const { playerId, rating } of players) ratings.set(playerId, rating);
      return players
        .map(({ playerId, before, after }) => ({ eventId, playerId, before, after }))
        .toSorted((a, b) => (a.playerId < b.playerId ? -1 : 1));
    });
    expect(
      rows.map(({ eventId, playerId, before, after }) => ({ eventId, playerId, before, after })),
    ).toEqual(expected);
    // What a rebuild would fold is in the same order.
    const events = await db.ratingEvent.findMany({ orderBy: { sequence: 'asc' } });
    expect(events.map(({ eventId, sequence }) => [eventId, sequence])).toEqual([...order]);

    for (const playerId of crowd) {
      const chain = rows.filter((row) => row.playerId === playerId);
      expect(chain.slice(1).map(({ before }) => before)).toEqual(
        chain.slice(0, -1).map(({ after }) => after),
      );
      expect(ratings.get(playerId)?.matches).toBe(chain.length);
    }
    expect((await ledger.ratings.of('ladder', crowd)).ratings).toEqual(ratings);
    expect(await data().deadlocks()).toBe(0);
  });

  it('leaves ended matches to be found, oldest first', async () => {
    const { db } = data();
    for (const [i, matchId] of ['c', 'b', 'a'].entries())
      await ended(db, { ...duel, matchId }, { endedAt: noon - 1_000 * i });
    await ledger.matches.rate('b', noon);

    expect(await ledger.matches.endedBefore(noon, 10)).toEqual(['a']);
    expect(await ledger.matches.endedBefore(noon + 1, 10)).toEqual(['a', 'c']);
    expect(await ledger.matches.endedBefore(noon + 1, 1)).toEqual(['a']);
  });
});

describe('rating a reported match', () => {
  it('tells the chances as they were before, and knows the report again', async () => {
    const { db } = data();
    const first = await ledger.reports.rate(reported(duel), noon);

    expect(first).toEqual({ outcome: 'rated', matchId: 'm1', prediction: [0.5, 0.5] });
    expect(await ledger.reports.rate(reported(duel), noon)).toEqual({
      ...first,
      outcome: 'again',
    });
    const next = await ledger.reports.rate(reported({ ...duel, matchId: 'm2' }), noon);
    const before = await ledger.history.changes(['m2']);
    const beliefOf = (id: string): SkillBelief[] =>
      before.flatMap((row) => (row.playerId === id ? [row.before] : []));
    expect(next.prediction).toEqual(
      model.predict({ teams: [beliefOf('ann').map(model.seed), beliefOf('bob').map(model.seed)] }),
    );
    expect(next.prediction[1]).toBeGreaterThan(0.5);

    expect(await ratingsOf(['ann', 'bob'])).toMatchObject({ ann: { matches: 2 }, bob: { matches: 2 } });
    expect(await db.match.findUnique({ where: { id: 'm2' }, include: { players: true } })).toMatchObject({
      origin: 'reported',
      state: 'rated',
      ranks: [2, 1],
      prediction: next.prediction,
      players: [
        { playerId: 'ann', team: 0, ticketId: null, ...beliefOf('ann')[0] },
        { playerId: 'bob', team: 1, ticketId: null, ...beliefOf('bob')[0] },
      ],
    });
    // The queue learns of newcomers from the coordinator's own matches. A player of this one may wait in it.
    expect(await db.outbox.findMany({ orderBy: { id: 'asc' } })).toMatchObject([
      { queue: 'ratings-changed', payload: { pool: 'ladder', playerIds: ['ann', 'bob'] } },
      { queue: 'ratings-changed', payload: { pool: 'ladder', playerIds: ['ann', 'bob'] } },
    ]);
  });

  it('happens once when it is reported ten times at once', async () => {
    for (const round of range(5)) {
      const match = reported({ ...duel, matchId: `m${round}` });

      const results = await Promise.all(range(10).map(() => ledger.reports.rate(match, noon)));

      expect(tally(results.map(({ outcome }) => outcome))).toEqual({ rated: 1, again: 9 });
      expect(new Set(results.map((result) => JSON.stringify(result.prediction))).size).toBe(1);
    }
    expect(await ratingsOf(['ann', 'bob'])).toMatchObject({ ann: { matches: 5 }, bob: { matches: 5 } });
    expect(await data().deadlocks()).toBe(0);
  });

  it('keeps a contradicting report for the operators, and counts the first', async () => {
    const { db } = data();
    await ledger.reports.rate(reported(duel), noon);
    const before = await ratingsOf(['ann', 'bob']);
    const other = reported({ ...duel, ranks: [1, 2] }, { matchId: 'another id', reportedBy: 'b-server' });

    for (const _ of range(2)) {
      expect(await ledger.reports.rate(other, noon + 7)).toEqual({
        outcome: 'contradicts',
        matchId: 'm1',
        prediction: [0.5, 0.5],
      });
    }

    expect(await ratingsOf(['ann', 'bob'])).toEqual(before);
    expect(await db.resultConflict.findMany()).toEqual([
      expect.objectContaining({
        matchId: 'm1',
        reportedBy: 'b-server',
        body: { teams: duel.teams, ranks: [1, 2] },
        receivedAt: new Date(noon + 7),
      }),
    ]);
  });

  it('counts one of two that contradict each other at the same time', async () => {
    for (const round of range(10)) {
      const matchId = `m${round}`;
      const said = [
        [1, 2],
        [2, 1],
      ].map((ranks) => reported({ ...duel, matchId, ranks }));

      const results = await Promise.all(said.map((match) => ledger.reports.rate(match, noon)));

      expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['contradicts', 'rated']);
    }
    expect(await ratingsOf(['ann'])).toMatchObject({ ann: { matches: 10 } });
  });

  it('needs a pool that there is', async () => {
    const { db } = data();
    const report = ledger.reports.rate(reported(duel, { pool: 'nowhere' }), noon);
    await expect(report).rejects.toThrow(UnknownPool);
    await expect(ledger.ratings.pool('nowhere')).rejects.toThrow(UnknownPool);
    await expect(ledger.ratings.of('nowhere', ['ann'])).rejects.toThrow(UnknownPool);
    expect(await db.match.count()).toBe(0);
  });
});

describe('pools', () => {
  it('are made once, each with ratings of its own', async () => {
    const parameters = { mu: 10 };
    const casual = await ledger.pools.create(aPool('casual', { parameters }));
    expect(casual).toEqual({
      created: true,
      pool: { ...aPool('casual', { parameters }), version: 1, generation: 1 },
    });
    expect(await ledger.pools.create(aPool('casual', { parameters: { mu: 99 } }))).toEqual({
      pool: casual.pool,
      created: false,
    });
    await ledger.reports.rate(reported(duel, { pool: 'casual' }), noon);

    expect((await ledger.ratings.pools()).map((pool) => pool.name)).toEqual(['casual', 'ladder']);
    expect((await ledger.history.changes(['m1'])).map(({ before }) => before.mu)).toEqual([10, 10]);
    expect((await ledger.ratings.page(casual.pool, '', 10)).map(({ playerId }) => playerId)).toEqual([
      'ann',
      'bob',
    ]);
    expect((await ledger.ratings.page(casual.pool, 'ann', 10)).map(({ playerId }) => playerId)).toEqual([
      'bob',
    ]);
    expect((await ledger.ratings.of('ladder', ['ann', 'bob'])).ratings.size).toBe(0);
    expect(await ledger.ratings.of('casual', ['nobody'])).toEqual({ pool: casual.pool, ratings: new Map() });
  });

  it('are made once when ten ask at once', async () => {
    const results = await Promise.all(range(10).map(() => ledger.pools.create(aPool('casual'))));

    expect(tally(results.map(({ created }) => String(created)))).toEqual({ true: 1, false: 9 });
    expect(await data().db.poolVersion.count({ where: { pool: 'casual' } })).toBe(1);
  });
});
