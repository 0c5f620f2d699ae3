import {
  pseudonymOf,
  SeasonConflict,
  seededRandom,
  type PoolRules,
  type RatingPool,
  type SeasonRules,
} from '@muster/domain';
import { defaultPoolRules } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { currentOf, afterTime, hiddenFor } from '../../apps/rating/src/core/current.js';
import { boardEntry, entryAt, unrankedFor } from '../../apps/rating/src/leaderboards/board-entry.js';
import { opened } from '../../apps/rating/src/core/open-pool.js';
import { SeasonArchive } from '../../apps/rating/src/seasons/archive.store.js';
import { SeasonPreviews } from '../../apps/rating/src/seasons/season-preview.js';
import { PostgresBoosters } from '../../apps/rating/src/boosters/boosters.store.js';
import type { NewSeason } from '../../apps/rating/src/seasons/new-season.js';
import { PostgresSeasons } from '../../apps/rating/src/seasons/seasons.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { aPool, reported } from './ledger-fixtures.js';
import { inForce, Ladder, rebuilt } from './rebuild-fixtures.js';

const data = databaseForEach();
const hour = 3_600_000;
const rules: SeasonRules = { keep: 0.6, uncertainty: 0.7, placementMatches: 3 };
const inactivity = { afterDays: 0.5, forgottenAfterDays: 30, decay: { division: 'Gold', perDay: 0.5 } };

let ladder: Ladder;
let seasons: PostgresSeasons;
let archive: SeasonArchive;
beforeEach(async () => {
  const { db } = data();
  ladder = new Ladder(db, 'ladder');
  seasons = new PostgresSeasons(as('rating', db));
  archive = new SeasonArchive(as('rating', db), 5);
  await ladder.ledger.pools.create(
    aPool('ladder', { ...defaultPoolRules, shadowMatches: 4, inactivity, season: rules }),
  );
});

const season = (number: number, over: Partial<NewSeason> = {}): NewSeason => ({
  pool: 'ladder',
  number,
  name: `Season ${number}`,
  rules,
  by: 'olga',
  reason: 'a new season',
  ...over,
});

/** The ratings of a pool at a time, as they are shown. */
async function shownAt(pool: RatingPool, at: number) {
  const open = opened(pool);
  const rows = await ladder.ledger.ratings.page(pool, '', 10_000);
  return rows
    .filter(({ state }) => state !== null)
    .map((rating) => {
      const { state, since, seasonMatches } = currentOf(open, pool.seasons, rating);
      const { mu, sigma } = open.model.model.belief(afterTime(open, state, since, at));
      const { hidden } = hiddenFor(open, pool.seasons, rating.matches, seasonMatches);
      const away = unrankedFor(pool, rating, at)?.why === 'away';
      return { playerId: rating.playerId, mu, sigma, matches: seasonMatches, hidden, away };
    });
}

async function archiveAll(): Promise<void> {
  while (await archive.continue(noon));
}

const standings = (number: number) =>
  data().db.seasonStanding.findMany({
    where: { pool: 'ladder', season: number },
    orderBy: { playerId: 'asc' },
  });

describe('seasons', () => {
  it('give the same ratings live and after a rebuild, to the bit', async () => {
    const { db } = data();
    const random = seededRandom(5);
    for (const round of range(4)) {
      // A season begins in the middle of results.
      await Promise.all([
        ladder.season(30, random),
        seasons.begin(season(round + 1), noon + 30 * hour * (round + 1)),
      ]);
      await ladder.give('set', `set-${round}`, `p${round}`, 3 * random() - 1);
      await ladder.give('reset', `reset-${round}`, `p${20 - round}`);
    }
    await ladder.season(10, random);
    const live = await inForce(db, 'ladder');

    await rebuilt(db, 'ladder');
    expect(await inForce(db, 'ladder')).toEqual(live);
    // And it goes on from there as it would have.
    await ladder.season(10, random);
    const later = await inForce(db, 'ladder');
    await rebuilt(db, 'ladder');
    expect(await inForce(db, 'ladder')).toEqual(later);
  });

  it('tell the queue in their own transaction, as whatever else changes ratings does', async () => {
    const { db } = data();
    const told = async () => {
      const jobs = await db.outbox.findMany({ orderBy: { id: 'asc' } });
      await db.outbox.deleteMany();
      return jobs.map(({ queue, payload }) => ({ queue, payload }));
    };
    const changed = (playerIds: string[] | null) => ({
      queue: 'ratings-changed',
      payload: { pool: 'ladder', playerIds },
    });
    await ladder.give('set', 'set: 1/2', 'ann', 1);
    expect(await told()).toEqual([changed(['ann'])]);
    await seasons.begin(season(1), noon);
    await seasons.begin(season(1), noon);
    expect(await told()).toEqual([changed(null)]);
    await rebuilt(db, 'ladder');
    expect(await told()).toEqual([changed(null)]);
    const pool = await ladder.ledger.ratings.pool('ladder');
    await ladder.ledger.pools.change(pool, pool.rules, { ...pool.calibration, matches: 9 }, 'Learned.');
    expect(await told()).toEqual([]);
    const learned = await ladder.ledger.ratings.pool('ladder');
    const without = { ...learned.rules, inactivity: null };
    await ladder.ledger.pools.change(learned, without, learned.calibration, 'An operator changed it.');
    expect(await told()).toEqual([changed(null)]);
    const boosters = new PostgresBoosters(as('rating', db));
    const booster = {
      boosterId: 'b1',
      pool: 'ladder',
      playerId: 'ann',
      division: 'Gold',
      matches: 1,
      kFactor: 2,
    };
    await boosters.grant({ ...booster, by: 'olga', reason: 'a test' }, noon);
    expect(await told()).toEqual([]);
    for (const _ of range(2)) await boosters.revoke('ladder', 'b1', 'olga', 'a slip', noon);
    expect(await told()).toEqual([changed(['ann'])]);
  });

  it('change ratings as the preview said', async () => {
    await ladder.season(60, seededRandom(9));
    const at = noon + 1_000 * hour;
    const previews = new SeasonPreviews(ladder.ledger.ratings, seasons, { now: () => at });
    const said = await previews.run('ladder', undefined);
    expect(said).toMatchObject({ number: 1, rules, players: 24 });
    expect(said.after).not.toEqual(said.before);

    await seasons.begin(season(1), at);
    const happened = await previews.run('ladder', { keep: 1, uncertainty: 0, placementMatches: 0 });
    expect(happened.before).toEqual(said.after);
    expect(happened.after).toEqual(said.after);
  });

  it('are previewed by the rules that were announced', async () => {
    await ladder.season(20, seededRandom(9));
    const at = noon + 1_000 * hour;
    const previews = new SeasonPreviews(ladder.ledger.ratings, seasons, { now: () => at });
    const announced = { keep: 0, uncertainty: 1, placementMatches: 7 };
    await seasons.announce(season(1, { rules: announced }), at);
    const said = await previews.run('ladder', undefined);
    expect(said.rules).toEqual(announced);
    expect((await previews.run('ladder', rules)).rules).toEqual(rules);

    await seasons.begin({ pool: 'ladder', number: 1, by: 'a test' }, at);
    const happened = await previews.run('ladder', { keep: 1, uncertainty: 0, placementMatches: 0 });
    expect(happened.before).toEqual(said.after);
  });

  it('hide a rating until its placement matches are played', async () => {
    const { ledger } = ladder;
    const pair = { teams: [['ann'], ['bob']], ranks: [1, 2] };
    for (const i of range(6)) await ladder.play({ matchId: `a${i}`, ...pair });
    await seasons.begin(season(1), noon + 10 * hour);
    const left = async (): Promise<number> => {
      const { pool, ratings } = await ledger.ratings.of('ladder', ['ann']);
      const rating = ratings.get('ann');
      if (!rating) throw new Error('ann is rated');
      const { seasonMatches } = currentOf(opened(pool), pool.seasons, rating);
      return hiddenFor(opened(pool), pool.seasons, rating.matches, seasonMatches).left;
    };
    expect(await left()).toBe(3);
    for (const i of range(2)) await ladder.play({ matchId: `b${i}`, ...pair });
    expect(await left()).toBe(1);
    await ladder.play({ matchId: 'b2', ...pair });
    expect(await left()).toBe(0);
    await seasons.begin(season(2), noon + 20 * hour);
    expect(await left()).toBe(3);
  });

  it('begin once, in their order, whoever asks', async () => {
    const both = await Promise.all([seasons.begin(season(1), noon), seasons.begin(season(1), noon + 1)]);
    expect(both[0]).toEqual(both[1]);
    expect(await data().db.ratingEvent.count({ where: { kind: 'season' } })).toBe(1);
    await expect(seasons.begin(season(3), noon)).rejects.toThrow(SeasonConflict);
    await expect(seasons.begin(season(3), noon)).rejects.toThrow('cannot begin before season 2');
    await expect(seasons.announce(season(1), noon + hour)).rejects.toThrow('the next one is season 2');
    expect((await ladder.ledger.ratings.pool('ladder')).seasons).toMatchObject([
      { number: 1, startedAt: both[0]?.startedAt },
    ]);
  });

  it('begin at their announced time, unless they are withdrawn', async () => {
    await seasons.announce(season(1), noon + hour);
    await seasons.announce(season(1, { name: 'Spring' }), noon + 2 * hour);
    expect(await seasons.beginDue(noon + hour)).toEqual([]);
    const begun = await Promise.all([seasons.beginDue(noon + 2 * hour), seasons.beginDue(noon + 2 * hour)]);
    expect(begun.flat()).toMatchObject([{ number: 1, name: 'Spring', startedAt: noon + 2 * hour }]);

    await seasons.announce(season(2), noon + 3 * hour);
    expect(await seasons.withdraw('ladder', 2)).toBe(true);
    expect(await seasons.withdraw('ladder', 2)).toBe(false);
    expect(await seasons.withdraw('ladder', 1)).toBe(false);
    expect(await seasons.beginDue(noon + 9 * hour)).toEqual([]);
  });
});

describe('the archive of a season', () => {
  it('holds the last standings, although players go on while it is written', async () => {
    const random = seededRandom(21);
    const crowd = range(40).map((i) => `p${i}`);
    // A season begins right after 60 more matches, one an hour, and 20 follow: some players are away by then.
    for (const [number, at] of [
      [1, noon + 60 * hour],
      [2, noon + 140 * hour],
    ] as const) {
      await ladder.season(60, random, { crowd: crowd.slice(0, 30 + 5 * number) });
      const before = await shownAt(await ladder.ledger.ratings.pool('ladder'), at);
      await seasons.begin(season(number), at);
      const others = new SeasonArchive(as('rating', data().db), 3);
      const archiving = async (by: SeasonArchive): Promise<void> => {
        for (let i = 0; i < 12; i++) await by.continue(noon);
      };
      await Promise.all([ladder.season(20, random, { crowd }), archiving(archive), archiving(others)]);
      await archiveAll();

      const kept = await standings(number - 1);
      const wanted = before
        .filter(({ matches }) => matches > 0)
        .toSorted((a, b) => (a.playerId < b.playerId ? -1 : 1))
        .map((each) => ({
          ...each,
          rank:
            each.hidden || each.away
              ? null
              : 1 +
                before.filter(
                  ({ mu, hidden, away, matches }) => matches > 0 && !hidden && !away && mu > each.mu,
                ).length,
        }));
      expect(wanted.filter(({ rank }) => rank !== null).length).toBeGreaterThan(9);
      expect(wanted.filter(({ away }) => away).length).toBeGreaterThan(1);
      expect(
        kept.map(({ playerId, mu, sigma, matches, hidden, away, rank }) => ({
          playerId,
          mu,
          sigma,
          matches,
          hidden,
          away,
          rank,
        })),
      ).toEqual(wanted);
      expect(await seasons.one('ladder', number - 1)).toMatchObject({
        archivedAt: noon,
        ranked: wanted.filter(({ rank }) => rank !== null).length,
      });
    }
  });

  it('is of the ratings at the end, although the pool is rebuilt under another model meanwhile', async () => {
    await ladder.season(60, seededRandom(2));
    const before = await shownAt(await ladder.ledger.ratings.pool('ladder'), noon + 100 * hour);
    await seasons.begin(season(1), noon + 100 * hour);
    await archive.continue(noon);
    await rebuilt(data().db, 'ladder', { model: 'elo', inactivity: null, reason: 'a test', refit: false });
    await ladder.season(20, seededRandom(3));
    await archiveAll();
    expect((await standings(0)).map(({ playerId, mu }) => ({ playerId, mu }))).toEqual(
      before
        .map(({ playerId, mu }) => ({ playerId, mu }))
        .toSorted((a, b) => (a.playerId < b.playerId ? -1 : 1)),
    );
  });

  it('gives equal ratings one rank, across pages', async () => {
    for (const i of range(12)) await ladder.give('set', `s${i}`, `q${i}`, i < 8 ? 1 : 0);
    // A given rating alone is no standing: each has to have played.
    const { db } = data();
    await db.rating.updateMany({ where: { pool: 'ladder' }, data: { matches: 9 } });
    await seasons.begin(season(1), noon);
    await archiveAll();
    const ranks = (await seasons.ranked('ladder', 0, 1, 100)).map(({ rank }) => rank);
    expect(ranks).toEqual([...range(8).map(() => 1), ...range(4).map(() => 9)]);
    expect(await seasons.ranked('ladder', 0, 2, 2)).toHaveLength(2);
  });

  describe('of a pool with a board', () => {
    const erased = pseudonymOf('0123456789abcdef01');
    const at = noon + 40 * hour;
    const open: Partial<PoolRules> = { shadowMatches: 0, staleAfterDays: 1 };
    const placed = { ...rules, placementMatches: 0 };

    beforeEach(async () => {
      await ladder.ledger.pools.create(aPool('open', { ...defaultPoolRules, ...open }));
      const board = new Ladder(data().db, 'open', 'o');
      const pairs = [
        ['old', 'ann'],
        ...range(20).map(() => ['ann', 'bob']),
        ['bot:rex', 'cid'],
        ['dan', erased],
      ];
      for (const [i, [winner = '', loser = '']] of pairs.entries())
        await board.play({ matchId: `o${i}`, teams: [[winner], [loser]], ranks: [1, 2] });
    });

    const begin = (number: number, time: number) =>
      seasons.begin(season(number, { pool: 'open', rules: placed }), time);
    const ranksOf = async () =>
      (await seasons.ranked('open', 0, 1, 100)).map(({ rank, playerId }) => [rank, playerId]);

    it.each(['the archive', 'the next match of the player'])(
      'ranks whom the board ranked, by %s',
      async (by) => {
        const pool = await ladder.ledger.ratings.pool('open');
        const onBoard = (await ladder.ledger.ratings.page(pool, '', 100))
          .map((rating) => entryAt(boardEntry(pool, rating.playerId, rating), at))
          .flatMap(({ playerId, mu }) => (mu === null ? [] : [{ playerId, mu }]))
          .toSorted((a, b) => b.mu - a.mu);
        expect(onBoard.map(({ playerId }) => playerId)).toEqual(['ann', 'dan', 'cid', 'bob']);

        await begin(1, at);
        if (by !== 'the archive')
          for (const id of ['old', 'bot:rex', erased, 'ann'])
            await ladder.ledger.reports.rate(
              reported(
                { matchId: `x-${id}`, teams: [[id], ['new']], ranks: [1, 2] },
                { pool: 'open', playedAt: at },
              ),
              at,
            );
        await archiveAll();
        expect(await ranksOf()).toEqual(onBoard.map(({ playerId }, i) => [i + 1, playerId]));
        const some = await seasons.standingsOf('open', 0, ['old', 'bot:rex', erased, 'ann']);
        expect(some).toMatchObject([
          { playerId: 'ann', rank: 1 },
          { playerId: 'old', rank: null, hidden: false, matches: 1 },
        ]);
        expect(await seasons.one('open', 0)).toMatchObject({ ranked: 4, archivedAt: noon });
      },
    );

    it('leaves out who is erased later, and bots that an earlier release ranked; others keep their ranks', async () => {
      await begin(1, at);
      await archiveAll();
      const { db } = data();
      await db.$executeRaw`UPDATE season_standing SET player_id = ${erased} WHERE pool = 'open' AND player_id = 'dan'`;
      await db.$executeRaw`UPDATE season_standing SET player_id = 'bot:rex' WHERE pool = 'open' AND player_id = 'cid'`;
      expect(await ranksOf()).toEqual([
        [1, 'ann'],
        [4, 'bob'],
      ]);
      expect(await seasons.standingsOf('open', 0, [erased, 'bot:rex'])).toEqual([]);
    });
  });
});
