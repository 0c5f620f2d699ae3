import { BoosterRefused, IdempotencyKeyReused, seededRandom, type PoolRules } from '@muster/domain';
import { transact } from '@muster/db';
import { defaultPoolRules } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { Boosters } from '../../apps/rating/src/boosters/boosters.js';
import { PostgresBoosters, type Booster } from '../../apps/rating/src/boosters/boosters.store.js';
import { HeldBoosters } from '../../apps/rating/src/boosters/held-boosters.store.js';
import { RatingStores } from '../support/rating-stores.js';
import { as } from '../support/database.js';
import { until } from '../support/gate.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { aPool, ended } from './ledger-fixtures.js';
import { countingIds, inForce, Ladder, rebuilt, replica } from './rebuild-fixtures.js';

const data = databaseForEach();
const rules: PoolRules = {
  ...defaultPoolRules,
  shadowMatches: 0,
  boosters: { matches: 3, kFactor: 2, divisions: 1 },
};

let ladder: Ladder;
let boosters: Boosters;
beforeEach(async () => {
  ladder = new Ladder(data().db, 'ladder');
  boosters = boostersOn(ladder.ledger);
  await ladder.ledger.pools.create(aPool('ladder', rules));
});

function boostersOn(ledger: RatingStores): Boosters {
  return new Boosters(
    new PostgresBoosters(as('rating', data().db)),
    ledger.ratings,
    { now: () => noon },
    countingIds(),
  );
}

/** Newcomers are at the lower border of Platinum. */
const grant = (playerId: string, eventId: string, more: { matches?: number; division?: string } = {}) =>
  boosters.grant('ladder', { playerId, division: 'Diamond', reason: 'bought', eventId, ...more }, 'operator');

const used = async (booster: Booster): Promise<number | undefined> =>
  (await boosters.list('ladder', booster.playerId, 10)).find(
    ({ boosterId }) => boosterId === booster.boosterId,
  )?.used;

/** A match that ended, and ann's booster in it. */
const endedWith = (matchId: string, { boosterId, playerId }: Booster, opponent = 'bob'): Promise<void> =>
  ended(
    data().db,
    { matchId, teams: [[playerId], [opponent]], ranks: [1, 2] },
    { boosters: { [playerId]: boosterId } },
  );

/** Matches of the ledger in which a booster counts, without void ones. */
async function countedInLedger({ boosterId }: Booster): Promise<number> {
  const [row] = await data().db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM rating_event AS event, jsonb_each(coalesce(detail->'boosted', '{}')) AS boost
    WHERE kind = 'match' AND boost.value->>'boosterId' = ${boosterId}
      AND NOT EXISTS (SELECT 1 FROM rating_event AS void WHERE void.kind = 'void' AND void.event_id = event.event_id)`;
  return row?.count ?? 0;
}

const isWhole = (booster: Booster): Promise<void> =>
  Promise.all([used(booster), countedInLedger(booster)]).then(([one, other]) => expect(one).toBe(other));

describe('R21 a grant', () => {
  it('counts once for its event id, however many ask at once', async () => {
    const all = await Promise.all(range(8).map(() => grant('ann', 'order-1')));
    expect(new Set(all.map(({ boosterId }) => boosterId)).size).toBe(1);
    expect(await boosters.list('ladder', 'ann', 10)).toHaveLength(1);
    await expect(grant('bob', 'order-1')).rejects.toThrow(IdempotencyKeyReused);
    await expect(grant('ann', 'order-1', { matches: 1 })).rejects.toThrow(IdempotencyKeyReused);
  });

  it('leaves a player with one open booster, however many are granted at once', async () => {
    const all = await Promise.allSettled(range(8).map((i) => grant('ann', `order-${i}`)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of all)
      if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(BoosterRefused);
    expect(await boosters.list('ladder', 'ann', 10)).toHaveLength(1);
  });

  it('is refused beyond the rules, and where the pool has none', async () => {
    await expect(grant('ann', 'e', { matches: 4 })).rejects.toThrow('at most 3 matches');
    await expect(grant('ann', 'e', { division: 'Master' })).rejects.toThrow('2 away');
    await expect(grant('ann', 'e', { division: 'Platinum' })).rejects.toThrow('in Platinum already');
    const { ledger } = ladder;
    await ledger.pools.create(aPool('plain', { ...rules, boosters: null }));
    const body = { playerId: 'ann', division: 'Diamond', reason: 'r' };
    await expect(boosters.grant('plain', body, 'operator')).rejects.toThrow('has no boosters');
    await ledger.pools.create(aPool('shadow', { ...rules, shadowMatches: 5 }));
    await expect(boosters.grant('shadow', body, 'operator')).rejects.toThrow('hidden for 5 more matches');
  });

  it('is usable until its player is in the division', async () => {
    const { boosterId } = await grant('ann', 'order-1');
    expect(await boosters.usable('ladder', 'ann')).toEqual({
      boosterId,
      division: 'Diamond',
      higher: true,
      level: expect.closeTo(25 + 0.875 * (25 / 3), 9),
    });
    await expect(boosters.usable('ladder', 'bob')).rejects.toThrow('bob has no booster');
    await ladder.give('set', 'risen', 'ann', 0.9);
    await expect(boosters.usable('ladder', 'ann')).rejects.toThrow('in Diamond already');
  });
});

describe('R21 a rated match', () => {
  const rate = (matchId: string) => ladder.ledger.matches.rate(matchId, noon);
  const meanOf = async (playerId: string): Promise<number> => {
    const { ratings } = await ladder.ledger.ratings.of('ladder', [playerId]);
    const { state = null } = ratings.get(playerId) ?? {};
    return (state as { mu: number }).mu;
  };

  it('counts one match of its booster, once, and moves its player further', async () => {
    const booster = await grant('ann', 'order-1');
    await endedWith('m1', booster);
    await Promise.all(range(6).map(() => rate('m1')));
    expect(await used(booster)).toBe(1);
    expect((await meanOf('ann')) - 25).toBeCloseTo(2 * (25 - (await meanOf('bob'))), 9);
    await isWhole(booster);
  });

  it('counts no match of the booster of a player who never came, while the others are rated', async () => {
    const booster = await grant('ann', 'order-1');
    const match = {
      matchId: 'm1',
      teams: [['bob'], ['ann'], ['cid']],
      ranks: [1, 3, 2],
      played: { absent: ['ann'] },
    };
    await ended(data().db, match, { boosters: { ann: booster.boosterId } });
    expect(await rate('m1')).toMatchObject({ outcome: 'rated' });
    expect(await used(booster)).toBe(0);
    expect((await meanOf('bob')) - 25).toBeCloseTo(25 - (await meanOf('cid')), 9);
    await isWhole(booster);
  });

  it('is boosted for as many matches as the booster has, whichever are rated first', async () => {
    const booster = await grant('ann', 'order-1');
    const names = range(7).map((i) => `m${i}`);
    for (const name of names) await endedWith(name, booster, `opponent-${name}`);
    // Two processes: each rates several in one transaction.
    const other = new RatingStores(as('rating', data().db));
    await Promise.all(names.flatMap((name) => [rate(name), other.matches.rate(name, noon)]));
    expect(await used(booster)).toBe(3);
    await isWhole(booster);
    await expect(boosters.usable('ladder', 'ann')).rejects.toThrow('no booster with matches left');
  });

  it('is boosted for as many also where several are rated in one transaction', async () => {
    const booster = await grant('ann', 'order-1');
    const names = range(5).map((i) => `m${i}`);
    for (const name of names) await endedWith(name, booster, `opponent-${name}`);
    const { matches } = ladder.ledger;
    const results = await Promise.all(names.map((name) => matches.rate(name, noon)));
    expect(results.map(({ outcome }) => outcome)).toEqual(names.map(() => 'rated'));
    expect(await used(booster)).toBe(3);
    await isWhole(booster);
  });

  it('comes before a revocation or after it: a confirmed one is followed by no boosted match', async () => {
    const booster = await grant('ann', 'order-1');
    const { db } = data();
    let revoked = false;
    let revoking: Promise<unknown> | undefined;
    await transact(as('rating', db), async (tx) => {
      await HeldBoosters.hold(tx, 'ladder', [{ playerId: 'ann', booster }]);
      revoking = boosters
        .revoke('ladder', booster.boosterId, 'refunded', 'operator')
        .then(() => (revoked = true));
      await until(async () => {
        const [row] = await db.$queryRaw<{ waits: boolean }[]>`
          SELECT EXISTS (SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE NOT granted AND datname = current_database()) AS waits`;
        return row?.waits === true || revoked;
      });
      expect(revoked).toBe(false);
    });
    await revoking;
    expect(revoked).toBe(true);
  });

  it('is as any other when the booster was revoked, or is of another pool', async () => {
    const booster = await grant('ann', 'order-1');
    await endedWith('m1', booster);
    await boosters.revoke('ladder', booster.boosterId, 'refunded', 'operator');
    await rate('m1');
    expect(await used(booster)).toBe(0);
    expect((await meanOf('ann')) - 25).toBeCloseTo(25 - (await meanOf('bob')), 9);

    await ladder.ledger.pools.create(aPool('other', rules));
    const elsewhere = await grant('cid', 'order-2');
    await ended(
      data().db,
      { matchId: 'm2', teams: [['cid'], ['dan']], ranks: [1, 2] },
      { pool: 'other', boosters: { cid: elsewhere.boosterId } },
    );
    await rate('m2');
    expect(await used(elsewhere)).toBe(0);
  });

  it('that cannot be rated uses no match', async () => {
    await ladder.ledger.pools.create(aPool('two-sides', { ...rules, model: 'synelo' }));
    const name = (await ladder.ledger.ratings.pool('two-sides')).rules.model;
    expect(name).toBe('synelo');
    const booster = await boosters.grant(
      'two-sides',
      { playerId: 'ann', division: 'Diamond', reason: 'bought' },
      'operator',
    );
    await ended(
      data().db,
      { matchId: 'm3', teams: [['ann'], ['bob'], ['cid']], ranks: [1, 2, 3] },
      { pool: 'two-sides', boosters: { ann: booster.boosterId } },
    );
    expect(await rate('m3')).toMatchObject({ outcome: 'unratable' });
    expect((await boosters.list('two-sides', 'ann', 1))[0]?.used).toBe(0);
  });

  it('that is declared void gives its match back, once', async () => {
    const booster = await grant('ann', 'order-1');
    for (const name of ['m1', 'm2']) {
      await endedWith(name, booster);
      await rate(name);
    }
    const said = { by: 'olga', reason: 'bots', rebuildId: 'reb_1' };
    await Promise.all(range(4).map(() => ladder.ledger.matches.void('m1', said, noon)));
    expect(await used(booster)).toBe(1);
    await isWhole(booster);
    // One that was not rated has used none.
    await endedWith('m3', booster);
    await ladder.ledger.matches.void('m3', said, noon);
    expect(await used(booster)).toBe(1);
  });

  it('gives the same ratings live and after a rebuild, to the bit, also without some of the matches', async () => {
    const random = seededRandom(21);
    const granted: Booster[] = [];
    for (const i of range(6)) granted.push(await grant(`p${i}`, `order-${i}`));
    await ladder.season(10, random);
    for (const [i, booster] of [...granted.entries(), ...granted.entries()]) {
      const matchId = `boosted-${i}-${await used(booster)}`;
      await endedWith(matchId, booster, `p${(i + 7) % 24}`);
      await rate(matchId);
      await ladder.season(2, random);
    }
    const live = await inForce(data().db, 'ladder');
    await rebuilt(data().db, 'ladder');
    expect(await inForce(data().db, 'ladder')).toEqual(live);
    for (const booster of granted) {
      expect(await used(booster)).toBe(2);
      await isWhole(booster);
    }

    await ladder.ledger.matches.void('boosted-2-0', { by: 'olga', reason: 'bots', rebuildId: 'reb_2' }, noon);
    await replica(data().db).work();
    const without = await inForce(data().db, 'ladder');
    expect(without).not.toEqual(live);
    await rebuilt(data().db, 'ladder');
    expect(await inForce(data().db, 'ladder')).toEqual(without);
    expect(await Promise.all(granted.map(used))).toEqual([2, 2, 1, 2, 2, 2]);
  });
});

describe('R21 the cost of boosters', () => {
  it('is one look-up by key for a boosted match, and none for others', async () => {
    // A statement that one connection sends twice is prepared, and can be explained.
    const db = data().connect(1);
    const ledger = new RatingStores(db);
    const store = new PostgresBoosters(db);
    const { boosterId } = await grant('ann', 'order-1');
    await db.$executeRaw`
      INSERT INTO booster (id, pool, player_id, division, matches, k_factor, by, reason, granted_at)
      SELECT 'bst_' || i, 'ladder', 'player-' || i, 'Gold', 3, 2, 'operator', 'bought', now() FROM generate_series(1, 20000) AS i`;
    await db.$executeRawUnsafe('ANALYZE booster');
    const statementsAbout = async (table: string): Promise<string[]> => {
      const rows = await db.$queryRaw<{ statement: string }[]>`SELECT statement FROM pg_prepared_statements`;
      return rows.map(({ statement }) => statement).filter((text) => text.includes(table));
    };
    for (const i of range(2)) {
      await ended(db, { matchId: `plain-${i}`, teams: [['ann'], ['bob']], ranks: [1, 2] });
      await ledger.matches.rate(`plain-${i}`, noon);
    }
    expect(await statementsAbout('FROM booster')).toEqual([]);

    for (const i of range(2)) {
      await ended(
        db,
        { matchId: `boosted-${i}`, teams: [['ann'], ['bob']], ranks: [1, 2] },
        { boosters: { ann: boosterId } },
      );
      await ledger.matches.rate(`boosted-${i}`, noon);
      await ledger.matches.void(`boosted-${i}`, { by: 'olga', reason: 'bots', rebuildId: `reb_${i}` }, noon);
      await store.open('ladder', 'ann');
      await store.ofPlayer('ladder', 'ann', 10);
      await store.revoke('ladder', `bst_${i}`, 'olga', 'a test', noon);
    }
    const sent = await statementsAbout('booster');
    expect(sent.length).toBeGreaterThanOrEqual(6);
    // The ledger is small here: with this a scan remains only where no index serves.
    await db.$executeRawUnsafe('SET enable_seqscan = off');
    for (const statement of sent.filter((text) => !text.includes('INSERT INTO booster'))) {
      const rows = await db.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(
        `EXPLAIN (GENERIC_PLAN) ${statement}`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).not.toMatch(/Seq Scan on (booster|rating_event)/);
    }
  });
});
