import { RatingStores } from '../support/rating-stores.js';
import { PostgresMatchStore } from '../../apps/assignment/src/forming/match.store.js';
import {
  MatchUnratable,
  message,
  UnknownPool,
  type GivenEvent,
  type RatingPool,
  type ResetEvent,
  type SkillBelief,
  type VoidResult,
} from '@muster/domain';
import { modelOf } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { blocked, Gate } from '../support/gate.js';
import { aMatch, databaseForEach, noon, promisesOf, range, tally, ticketOf } from './fixtures.js';
import { aPool, duel, ended, reported, type PlayedMatch } from './ledger-fixtures.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const model = modelOf(aPool().rules.model);
const stranger = model.belief(model.initial());
const said = { by: 'olga', reason: 'an unfair map', rebuildId: 'rbd_first' };

let ledger: RatingStores;
let ladder: RatingPool;
beforeEach(async () => {
  ledger = new RatingStores(as('rating', data().db));
  ladder = (await ledger.pools.create(aPool())).pool;
});

/** A few stores, each with connections of its own, as replicas have them. */
function replicas(): (i: number) => RatingStores {
  const stores = range(3).map(() => new RatingStores(as('rating', data().connect(4))));
  return (i) => stores[i % 3] ?? ledger;
}

function given(over: Partial<GivenEvent> = {}): GivenEvent {
  const { mu, sigma } = stranger;
  return {
    kind: 'set',
    eventId: 'e1',
    at: noon,
    playerId: 'ann',
    mu: mu + 2 * sigma,
    sigma: sigma / 2,
    model: model.name,
    level: 2,
    doubt: 0.5,
    by: 'olga',
    reason: 'a known champion',
    ...over,
  };
}

function reset(over: Partial<ResetEvent> = {}): ResetEvent {
  return {
    kind: 'reset',
    eventId: 'e1',
    at: noon,
    playerId: 'ann',
    by: 'olga',
    reason: 'asked for',
    ...over,
  };
}

async function beliefOf(
  playerId: string,
  pool = 'ladder',
): Promise<(SkillBelief & { matches: number }) | null> {
  const rating = (await ledger.ratings.of(pool, [playerId])).ratings.get(playerId);
  return rating ? { ...model.belief(model.read(rating.state)), matches: rating.matches } : null;
}

describe('a rating that is given', () => {
  it.each([given(), given({ kind: 'seed' }), reset()])(
    'as a $kind counts once for its event, ten at a time',
    async (event) => {
      await ledger.reports.rate(reported(duel), noon);
      const { mu, sigma } = event.kind === 'reset' ? stranger : event;
      const store = replicas();

      const results = await Promise.all(range(10).map((i) => store(i).ratings.record('ladder', event, noon)));

      expect(tally(results.map(String))).toEqual({ true: 1, false: 9 });
      expect(await ledger.ratings.record('ladder', event, noon + 9)).toBe(false);
      expect(await beliefOf('ann')).toEqual({ mu, sigma, matches: event.kind === 'reset' ? 0 : 1 });
      expect(await data().db.ratingEvent.count({ where: { eventId: 'e1' } })).toBe(1);
      expect(await data().db.ratingChange.count({ where: { eventId: 'e1' } })).toBe(1);
      expect(await data().deadlocks()).toBe(0);
    },
  );

  it('counts beside matches of the same player that come at the same time', async () => {
    const store = replicas();
    const matches = range(10).map((i) => reported({ ...duel, matchId: `m${i}` }));

    await Promise.all([
      ...matches.map((match, i) => store(i).reports.rate(match, noon)),
      ...range(5).map((i) => store(i).ratings.record('ladder', given({ eventId: `e${i}` }), noon)),
    ]);

    const chain = await ledger.history.of(ladder, 'ann', 100);
    expect(chain).toHaveLength(15);
    expect(chain.slice(1).map(({ after }) => after)).toEqual(chain.slice(0, -1).map(({ before }) => before));
    expect(await beliefOf('ann')).toMatchObject({ matches: 10 });
    expect(await data().deadlocks()).toBe(0);
  });

  it('without a sigma leaves the player as unsure as the matches before it did', async () => {
    const store = replicas();
    await Promise.all([
      ...range(10).map((i) => store(i).reports.rate(reported({ ...duel, matchId: `m${i}` }), noon)),
      store(1).ratings.record('ladder', given({ mu: 30, sigma: null, doubt: null }), noon),
    ]);
    const chain = await ledger.history.of(ladder, 'ann', 100);
    const set = chain.find(({ kind }) => kind === 'set');
    const before = set?.before as SkillBelief | undefined;
    expect(set?.after).toEqual({ mu: 30, sigma: before?.sigma });
    expect(before?.sigma).toEqual(expect.any(Number));
    expect(await data().db.ratingEvent.findFirst({ where: { kind: 'set' } })).toMatchObject({
      detail: { mu: 30, sigma: null, doubt: null },
    });
  });

  it('under a model of other units keeps its distance from the start value', async () => {
    const duelling = await ledger.pools.create(aPool('duelling', { model: 'elo' }));
    const elo = modelOf('elo');
    const start = elo.belief(elo.initial());

    await ledger.ratings.record('duelling', given(), noon);

    const { ratings } = await ledger.ratings.of('duelling', ['ann']);
    expect(elo.belief(elo.read(ratings.get('ann')?.state)).mu).toBeCloseTo(start.mu + 2 * start.sigma, 9);
    expect(duelling.pool.rules.model).toBe('elo');
  });

  it('keeps the messages of its reason, and the words beside them', async () => {
    const reason = [message('rating.calibrated', { matches: 3, won: 2, mu: 27.26, sigma: 2 })];
    await ledger.ratings.record('ladder', given({ kind: 'seed', reason }), noon);
    await ledger.ratings.record('ladder', reset({ eventId: 'e2', at: noon + 5 }), noon + 5);

    const words = '3 calibration matches, 2 won: 27.3 ± 2.0.';
    const [later, first] = await ledger.history.of(ladder, 'ann', 10);
    expect(first).toMatchObject({ reason: words, messages: reason });
    expect(later?.messages).toBeUndefined();
    const [event] = await data().db.ratingEvent.findMany({ where: { kind: 'seed' } });
    expect(event?.detail).toMatchObject({ reason: words, messages: reason });
  });

  it('needs a pool that there is', async () => {
    await expect(ledger.ratings.record('nowhere', given(), noon)).rejects.toThrow(UnknownPool);
    expect(await data().db.ratingEvent.count()).toBe(0);
  });

  it('stands in the history with who gave it and why, newest first', async () => {
    await ledger.ratings.record('ladder', given(), noon);
    await ledger.reports.rate(reported(duel), noon);
    await ledger.ratings.record('ladder', reset({ eventId: 'e2', at: noon + 5 }), noon + 5);

    const history = await ledger.history.of(ladder, 'ann', 10);

    expect(
      history.map(({ kind, eventId, by, reason, version, at }) => [kind, eventId, by, reason, version, at]),
    ).toEqual([
      ['reset', 'e2', 'olga', 'asked for', 1, noon + 5],
      ['match', 'm1', null, null, 1, noon],
      ['set', 'e1', 'olga', 'a known champion', 1, noon],
    ]);
    expect(history[0]?.after).toEqual(stranger);
    expect(history[2]).toMatchObject({ before: stranger, after: { mu: given().mu, sigma: given().sigma } });
    expect(await ledger.history.of(ladder, 'ann', 1)).toEqual(history.slice(0, 1));
    expect(await ledger.history.of(ladder, 'ann', 10, { from: noon + 5 })).toEqual(history.slice(0, 1));
    expect(await ledger.history.of(ladder, 'ann', 10, { from: noon, to: noon + 5 })).toEqual(
      history.slice(1),
    );
    expect((await ledger.history.of(ladder, 'bob', 10)).map(({ kind }) => kind)).toEqual(['match']);
    expect(await ledger.history.of(ladder, 'nobody', 10)).toEqual([]);
  });
});

describe('a match declared void', () => {
  const stateOf = async (matchId: string): Promise<unknown> =>
    (await data().db.match.findUnique({ where: { id: matchId } }))?.state;

  it('that was rated asks for one rebuild, however often it is said', async () => {
    const { db } = data();
    await ledger.reports.rate(reported(duel), noon);
    const store = replicas();

    const results = await Promise.all(
      range(10).map((i) => store(i).matches.void('m1', { ...said, rebuildId: `rbd_${i}` }, noon + 5)),
    );

    expect(tally(results.map(({ outcome }) => outcome))).toEqual({ void: 1, again: 9 });
    expect(await db.match.findUnique({ where: { id: 'm1' } })).toMatchObject({
      state: 'void',
      closeReason: 'Declared void by operator: an unfair map',
      closeMessages: [message('match.void', { by: 'operator', detail: 'an unfair map' })],
    });
    expect(await db.poolRebuild.findMany()).toEqual([
      expect.objectContaining({ pool: 'ladder', state: 'running', rules: null, refit: false }),
    ]);
    expect(await db.ratingEvent.findMany({ where: { kind: 'void' } })).toEqual([
      expect.objectContaining({ eventId: 'm1', detail: { by: 'olga', reason: 'an unfair map' } }),
    ]);
    // Until the rebuild is done it counts; and the report of it stays known.
    expect(await beliefOf('ann')).toMatchObject({ matches: 1 });
    expect(await ledger.reports.rate(reported(duel), noon)).toMatchObject({ outcome: 'again' });
    expect(await ledger.matches.rate('m1', noon)).toEqual({ outcome: 'closed' });
  });

  it('that is over and not rated is dropped, and frees its players', async () => {
    const { db } = data();
    await new PostgresMatchStore(as('assignment', db)).form(aMatch('m1', duel.teams));
    await db.match.update({
      where: { id: 'm1' },
      data: { state: 'ended', ranks: [1, 2], endedAt: new Date(noon) },
    });

    expect(await ledger.matches.void('m1', said, noon)).toEqual({ outcome: 'dropped' });

    expect(await ledger.matches.void('m1', said, noon)).toEqual({ outcome: 'again', pool: null });
    expect(await ledger.matches.rate('m1', noon)).toEqual({ outcome: 'closed' });
    expect([await db.livePlayer.count(), await db.poolRebuild.count(), await db.ratingEvent.count()]).toEqual(
      [0, 0, 0],
    );
    const news = (await promisesOf(db)).filter(({ owner }) => owner === 'rating');
    expect(news.map(({ payload }) => payload)).toMatchObject([
      {
        kind: 'abandoned',
        matchId: 'm1',
        ticketIds: duel.teams.flat().map(ticketOf),
        reason: 'Declared void by operator: an unfair map',
      },
    ]);
  });

  it.each(['formed', 'placed', 'abandoned'])(
    'cannot be one that is %s, nor one that nobody knows',
    async (state) => {
      const { db } = data();
      await ended(db, duel);
      await db.match.update({ where: { id: 'm1' }, data: { state } });

      expect(await ledger.matches.void('m1', said, noon)).toEqual({ outcome: 'not-over', state });
      expect(await ledger.matches.void('m2', said, noon)).toEqual({ outcome: 'unknown' });
      expect(await stateOf('m1')).toBe(state);
      expect(await db.poolRebuild.count()).toBe(0);
    },
  );

  it.each([
    ['while it is being rated, is taken out by a rebuild', 'rate', 'rated', 'void', 1],
    ['before it is rated, is never rated', 'void', 'closed', 'dropped', 0],
  ] as const)('%s', async (_what, first, rated, voided, rebuilds) => {
    const { db } = data();
    await ended(db, duel);
    const rate = (): Promise<{ outcome: string }> => ledger.matches.rate('m1', noon);
    const declare = (): Promise<VoidResult> => ledger.matches.void('m1', said, noon);
    // Whoever is first has the match, and has not closed it yet.
    const gate = await Gate.shut(db, { table: 'match', on: 'UPDATE' });
    const one = first === 'rate' ? rate() : declare();
    await gate.crowd();
    const other = first === 'rate' ? declare() : rate();
    await blocked(db, 2, other);
    await gate.open();

    const outcomes = (await Promise.all([one, other])).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(first === 'rate' ? [rated, voided] : [voided, rated]);
    expect(await stateOf('m1')).toBe('void');
    expect(await db.poolRebuild.count()).toBe(rebuilds);
    expect(await db.ratingEvent.count({ where: { kind: 'void' } })).toBe(rebuilds);
  });
});

describe('a match that the pool’s model cannot take', () => {
  it('of the coordinator’s becomes void, frees its players, and is not tried again', async () => {
    const { db } = data();
    await ledger.pools.create(aPool('two-sided', { model: 'synelo' }));
    const teams = [['ann'], ['bob'], ['cid']];
    await new PostgresMatchStore(as('assignment', db)).form(aMatch('m1', teams, { pool: 'two-sided' }));
    const endedAt = new Date(noon);
    await db.match.update({ where: { id: 'm1' }, data: { state: 'ended', ranks: [1, 2, 3], endedAt } });

    const results = await Promise.all(range(3).map(() => ledger.matches.rate('m1', noon + 5)));

    expect(tally(results.map(({ outcome }) => outcome))).toEqual({ unratable: 1, closed: 2 });
    expect(await ledger.matches.endedBefore(noon + 1_000, 10)).toEqual([]);
    expect(await db.match.findUnique({ where: { id: 'm1' } })).toMatchObject({
      state: 'void',
      closedAt: new Date(noon + 5),
      closeReason: expect.stringContaining('3 teams'),
    });
    expect(await db.livePlayer.count()).toBe(0);
    expect((await promisesOf(db)).filter(({ owner }) => owner === 'rating')).toEqual([
      expect.objectContaining({
        queue: 'ticket-news',
        payload: expect.objectContaining({ kind: 'rated', reason: expect.stringContaining('3 teams') }),
      }),
    ]);
    // Nobody has become a member of the pool by it.
    expect(await db.rating.count()).toBe(0);
    expect(await db.ratingEvent.count()).toBe(0);
  });

  it('of a pool that there is not waits until there is one', async () => {
    const { db } = data();
    await ended(db, duel, { pool: 'nowhere' });

    await expect(ledger.matches.rate('m1', noon)).rejects.toThrow(UnknownPool);
    expect(await ledger.matches.endedBefore(noon + 1, 10)).toEqual(['m1']);
    expect(await db.rating.count()).toBe(0);

    await ledger.pools.create(aPool('nowhere'));
    expect(await ledger.matches.rate('m1', noon)).toMatchObject({ outcome: 'rated' });
  });

  it('that was reported is refused, and nothing is stored', async () => {
    const { db } = data();
    await ledger.pools.create(aPool('two-sided', { model: 'synelo' }));
    const three: PlayedMatch = { matchId: 'm1', teams: [['ann'], ['bob'], ['cid']], ranks: [1, 2, 3] };

    const report = ledger.reports.rate(reported(three, { pool: 'two-sided' }), noon);
    await expect(report).rejects.toThrow(MatchUnratable);
    expect([await db.match.count(), await db.rating.count(), await db.ratingEvent.count()]).toEqual([
      0, 0, 0,
    ]);
  });
});

describe('the ledger', () => {
  it('cannot be rewritten', async () => {
    const { db } = data();
    await ledger.reports.rate(reported(duel), noon);
    const before = await ledger.history.changes(['m1']);

    await expect(db.$executeRaw`UPDATE rating_change SET after = before`).rejects.toThrow('append-only');
    await expect(db.ratingChange.deleteMany()).rejects.toThrow('append-only');
    await expect(db.$executeRaw`UPDATE rating_event SET at = now()`).rejects.toThrow('append-only');
    await expect(db.ratingEvent.deleteMany()).rejects.toThrow('append-only');
    expect(await ledger.history.changes(['m1'])).toEqual(before);
  });

  it('loses what a rebuild wrote that never came into force, and nothing else', async () => {
    const { db } = data();
    await ledger.reports.rate(reported(duel), noon);
    await db.ratingPool.update({ where: { name: 'ladder' }, data: { generation: 2 } });
    await db.$executeRaw`
      INSERT INTO rating_change SELECT pool, of.generation, kind, event_id, player_id, sequence, before, after, version, at
      FROM rating_change, unnest(ARRAY[2, 3]) AS of(generation)`;

    for (const generation of [1, 2])
      await expect(db.ratingChange.deleteMany({ where: { generation } })).rejects.toThrow('append-only');
    await expect(
      db.$executeRaw`UPDATE rating_change SET after = before WHERE generation = 3`,
    ).rejects.toThrow('append-only');
    expect(await db.ratingChange.deleteMany({ where: { generation: 3 } })).toEqual({ count: 2 });
  });
});
