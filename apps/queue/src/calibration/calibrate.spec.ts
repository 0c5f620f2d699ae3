import type { MatchRated } from '@muster/contracts';
import {
  message,
  RatingUnavailable,
  Unsolvable,
  type PlayerRating,
  type QueueRules,
  type Explanation,
} from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { conclude, type Search } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { Calibrate } from './calibrate.js';
import type { ConcludedSearch, PostgresCalibrationStore, SearchMoved } from './calibration.store.js';

const [, duels] = defaultQueues as [QueueRules, QueueRules];
const rules: QueueRules = { ...duels, calibrationMatches: 3 };
const start = { mu: 25, sigma: 25 / 3 };
const newcomer = (playerId: string): PlayerRating => ({ playerId, ...start, matches: 0, start });

/** Behaves as the Postgres store does, without concurrent callers. */
class MemorySearches implements Pick<PostgresCalibrationStore, keyof PostgresCalibrationStore> {
  readonly rows = new Map<string, { search: Search; matchIds: string[]; state: string }>();
  asked = 0;
  away = false;

  async open(pool: string, playerIds: readonly string[]): Promise<Map<string, Search>> {
    this.asked++;
    if (this.away) throw new Error('Connection terminated');
    return new Map(
      playerIds.flatMap((id) => {
        const row = this.rows.get(`${pool} ${id}`);
        return row?.state === 'open' ? [[id, row.search]] : [];
      }),
    );
  }

  async searches(pool: string, playerIds: readonly string[]): Promise<Map<string, Search>> {
    return new Map(
      playerIds.flatMap((id) => {
        const row = this.rows.get(`${pool} ${id}`);
        return row ? [[id, row.search]] : [];
      }),
    );
  }

  async begin(pool: string, playerIds: readonly string[], search: Search): Promise<Map<string, Search>> {
    for (const id of playerIds) {
      const key = `${pool} ${id}`;
      if (!this.rows.has(key)) this.rows.set(key, { search, matchIds: [], state: 'open' });
    }
    return this.open(pool, playerIds);
  }

  async move(
    pool: string,
    playerId: string,
    matchId: string,
    apply: (search: Search) => Search,
  ): Promise<SearchMoved> {
    const row = this.rows.get(`${pool} ${playerId}`);
    if (row?.state !== 'open' || row.matchIds.includes(matchId)) return 'ignored';
    row.search = apply(row.search);
    row.matchIds.push(matchId);
    if (row.search.matches >= row.search.of) row.state = 'concluded';
    return row.state === 'concluded' ? 'concluded' : 'moved';
  }

  async concluded(limit: number): Promise<ConcludedSearch[]> {
    return [...this.rows]
      .filter(([, { state }]) => state === 'concluded')
      .map(([key, { search }]) => {
        const [pool = '', playerId = ''] = key.split(' ');
        return { pool, playerId, search };
      })
      .slice(0, limit);
  }

  async seeded(pool: string, playerId: string): Promise<void> {
    this.end(pool, playerId, 'seeded');
  }

  async dropped(pool: string, playerId: string): Promise<void> {
    this.end(pool, playerId, 'dropped');
  }

  stateOf(playerId: string): string | undefined {
    return this.rows.get(`duel ${playerId}`)?.state;
  }

  private end(pool: string, playerId: string, state: string): void {
    const row = this.rows.get(`${pool} ${playerId}`);
    if (row?.state === 'concluded') row.state = state;
  }
}

function setUp() {
  const store = new MemorySearches();
  const seeded: { playerId: string; mu: number; sigma: number; eventId: string; reason: Explanation }[] = [];
  const rating = { start, troubles: new Map<string, Error>() };
  const dropped: string[] = [];
  const calibrate = new Calibrate(
    store,
    {
      async ratingsOf(_pool, playerIds) {
        return playerIds.map((playerId) => ({ ...newcomer(playerId), start: rating.start }));
      },
      async seed(_pool, playerId, belief, eventId, reason) {
        const trouble = rating.troubles.get(playerId);
        if (trouble) throw trouble;
        seeded.push({ playerId, ...belief, eventId, reason });
      },
    },
    { now: () => 1_000_000 },
    { make: (prefix) => `${prefix}_new`, derive: (prefix, text) => `${prefix}_${text}`, fingerprint: String },
    (pool, playerId, why) => dropped.push(`${pool} ${playerId}: ${why}`),
  );
  const probes = (...ratings: PlayerRating[]) => calibrate.probes(rules, ratings);
  const probeOf = async (playerId: string) => (await probes(newcomer(playerId))).get(playerId);
  /** A duel against a player with a settled rating. */
  const played = (matchId: string, playerId: string, outcome: number): MatchRated => ({
    matchId,
    pool: 'duel',
    players: [{ playerId, matches: 1, outcome, opponents: 25, teammates: null, teamSize: 1 }],
  });
  const playAll = async (playerId: string): Promise<void> => {
    await probes(newcomer(playerId));
    for (const [i, outcome] of [1, 0, 1].entries()) await calibrate.count(played(`m${i}`, playerId, outcome));
  };
  return { store, calibrate, seeded, rating, dropped, probes, probeOf, played, playAll };
}

describe('R3 entry of newcomers', () => {
  it('tries a newcomer out at the middle level', async () => {
    const { probeOf, store } = setUp();
    expect(await probeOf('ann')).toEqual({ level: 25, calibration: { match: 1, of: 3 } });
    expect(store.rows.get('duel ann')?.search).toMatchObject({ from: 0, to: 50, of: 3 });
  });

  it('tries a player with an open search out at its probe, whatever they played since', async () => {
    const { probes, calibrate, played } = setUp();
    await probes(newcomer('ann'));
    await calibrate.count(played('m1', 'ann', 1));
    const [probe] = (await probes({ ...newcomer('ann'), mu: 31, matches: 1 })).values();
    expect(probe?.level).toBeGreaterThan(25);
    expect(probe?.calibration).toEqual({ match: 2, of: 3 });
  });

  it('tries one newcomer of a party out, and takes the ratings of the others', async () => {
    const { probes } = setUp();
    const party = await probes(newcomer('ann'), { ...newcomer('bob'), matches: 200 });
    expect([...party.keys()]).toEqual(['ann']);
  });

  it('asks the store nothing when nobody is new, or the queue does not calibrate', async () => {
    const { probes, calibrate, store } = setUp();
    await probes({ ...newcomer('ann'), matches: 60 }, { ...newcomer('bob'), matches: 2_000 });
    await calibrate.probes({ ...rules, calibrationMatches: 0 }, [newcomer('cid')]);
    const { calibrationMatches: _, ...silent } = rules;
    await calibrate.probes(silent, [newcomer('cid')]);
    expect(store.asked).toBe(0);
    expect(store.rows.size).toBe(0);
  });

  it('calibrates nobody who was given a rating, or who played before calibration existed', async () => {
    const { probes, store } = setUp();
    expect(
      await probes({ ...newcomer('ann'), mu: 40, sigma: 3 }, { ...newcomer('bob'), matches: 5 }),
    ).toEqual(new Map());
    expect(store.rows.size).toBe(0);
  });

  it('calibrates a player once per pool', async () => {
    const { probeOf, calibrate, playAll, store } = setUp();
    await playAll('ann');
    expect(await probeOf('ann')).toBeUndefined();
    await calibrate.settle();
    expect(await probeOf('ann')).toBeUndefined();
    expect(store.stateOf('ann')).toBe('seeded');
  });

  it('uses the rating when the pool has changed units since', async () => {
    const { probes, probeOf } = setUp();
    await probeOf('ann');
    const other = { mu: 1_500, sigma: 350 };
    expect(await probes({ ...newcomer('ann'), ...other, start: other })).toEqual(new Map());
  });

  it('refuses a ticket while searches cannot be read', async () => {
    const { probeOf, store } = setUp();
    store.away = true;
    await expect(probeOf('ann')).rejects.toThrow('Connection terminated');
  });
});

describe('R3 a rated match', () => {
  it('moves the searches of its newcomers once, and no other search', async () => {
    const { probes, probeOf, calibrate, played, store } = setUp();
    await probes(newcomer('ann'), newcomer('bob'));
    const job = { ...played('m1', 'ann', 0), players: [...played('m1', 'ann', 0).players] };
    for (let i = 0; i < 3; i++) expect(await calibrate.count(job)).toBe(false);
    expect(store.rows.get('duel ann')?.search).toMatchObject({ matches: 1, wins: 0 });
    expect(store.rows.get('duel bob')?.search.matches).toBe(0);
    expect((await probeOf('ann'))?.level).toBeLessThan(25);
    expect(await calibrate.count(played('m1', 'nobody', 1))).toBe(false);
  });

  it('counts after a later match, and only once when repeated', async () => {
    const { probes, calibrate, played, store } = setUp();
    await probes(newcomer('ann'));
    for (const matchId of ['m2', 'm1', 'm2', 'm1']) await calibrate.count(played(matchId, 'ann', 1));
    expect(store.rows.get('duel ann')?.search.matches).toBe(2);
  });

  it('reports the last match of a search', async () => {
    const { probes, calibrate, played, store } = setUp();
    await probes(newcomer('ann'));
    const said = [];
    for (const matchId of ['m1', 'm2', 'm3', 'm4'])
      said.push(await calibrate.count(played(matchId, 'ann', 1)));
    expect(said).toEqual([false, false, true, false]);
    expect(store.stateOf('ann')).toBe('concluded');
  });
});

describe('R3 the end of a calibration', () => {
  it('seeds the estimated mean and uncertainty, in one event', async () => {
    const { playAll, calibrate, seeded, store } = setUp();
    await playAll('ann');
    const search = store.rows.get('duel ann')?.search;
    if (!search) throw new Error('no search');
    expect(await calibrate.settle()).toBe(false);
    await calibrate.settle();
    const { mu, sigma } = conclude(search);
    const reason = [message('rating.calibrated', { matches: 3, won: 2, mu, sigma })];
    expect(seeded).toEqual([{ playerId: 'ann', mu, sigma, eventId: 'cal_["duel","ann"]', reason }]);
    expect(store.stateOf('ann')).toBe('seeded');
  });

  it("uses the results of a newcomer's opponents, whatever the state of their own calibration", async () => {
    const seedOfAnn = async (bobWins: boolean): Promise<number> => {
      const { probes, calibrate, seeded } = setUp();
      await probes(newcomer('ann'), newcomer('bob'));
      const meet = (matchId: string, winner: string, loser: string): Promise<boolean> =>
        calibrate.count({
          matchId,
          pool: 'duel',
          players: [winner, loser].map((playerId) => ({
            playerId,
            matches: 1,
            outcome: playerId === winner ? 1 : 0,
            opponents: 25,
            teammates: null,
            teamSize: 1,
          })),
          meeting: {
            teams: [winner, loser].map((playerId) => [
              { playerId, mu: 25, sigma: playerId.startsWith('known') ? 1 : 25 / 3 },
            ]),
            ranks: [1, 2],
          },
        });
      await meet('m1', 'bob', 'ann');
      for (const known of ['known-1', 'known-2'])
        await (bobWins ? meet(known, 'bob', known) : meet(known, known, 'bob'));
      for (const known of ['known-3', 'known-4']) await meet(known, 'ann', known);
      await calibrate.settle();
      return seeded.find(({ playerId }) => playerId === 'ann')?.mu ?? NaN;
    };
    expect(await seedOfAnn(true)).toBeGreaterThan((await seedOfAnn(false)) + 0.5);
  });

  it('retries when rating does not answer, without delaying other players', async () => {
    const { playAll, calibrate, seeded, rating, store } = setUp();
    for (const playerId of ['ann', 'bob', 'cid']) await playAll(playerId);
    rating.troubles.set('ann', new Error('no answer in time'));
    rating.troubles.set('bob', new RatingUnavailable('Ratings cannot be read right now.'));
    await expect(calibrate.settle()).rejects.toThrow('no answer in time');
    expect(seeded.map(({ playerId }) => playerId)).toEqual(['cid']);
    expect([store.stateOf('ann'), store.stateOf('bob')]).toEqual(['concluded', 'concluded']);
    rating.troubles.clear();
    await calibrate.settle();
    expect(seeded.map(({ playerId }) => playerId)).toEqual(['cid', 'ann', 'bob']);
  });

  it('drops a seed that the pool cannot hold, or that has other units, and reports it', async () => {
    const { playAll, calibrate, seeded, rating, dropped, store } = setUp();
    await playAll('ann');
    rating.troubles.set('ann', new Unsolvable('The pool "duel" cannot hold a rating of 31 ± 4.'));
    await calibrate.settle();
    await playAll('bob');
    rating.start = { mu: 1_500, sigma: 350 };
    await calibrate.settle();
    expect(seeded).toEqual([]);
    expect([store.stateOf('ann'), store.stateOf('bob')]).toEqual(['dropped', 'dropped']);
    expect(dropped).toEqual([
      'duel ann: The pool "duel" cannot hold a rating of 31 ± 4.',
      expect.stringContaining('other units'),
    ]);
  });
});
