import { RatingStores } from '../support/rating-stores.js';
import { ReadRatings } from '../../apps/rating/src/ratings/read-ratings.js';
import { Predict } from '../../apps/rating/src/predictions/predict.js';
import { seededRandom } from '@muster/domain';
import { defaultPoolRules } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { aPool, ended } from './ledger-fixtures.js';
import { inForce, Ladder, rebuilt } from './rebuild-fixtures.js';

const data = databaseForEach();
const aspects = { side: 0.5, map: 0.3, role: 0.4 };

let ladder: Ladder;
beforeEach(async () => {
  ladder = new Ladder(data().db, 'ladder');
  await ladder.ledger.pools.create(aPool('ladder', { ...defaultPoolRules, shadowMatches: 4, aspects }));
});

describe('R23 skill by aspect', () => {
  it('is the same live and after a rebuild, to the bit', async () => {
    const { db } = data();
    const random = seededRandom(12);
    await ladder.season(60, random);
    await ladder.give('set', 'set-1', 'p1', 1);
    await ladder.give('reset', 'reset-2', 'p2');
    await ladder.season(30, random);
    const live = await inForce(db, 'ladder');
    expect(live.ratings.join()).toContain('"name": "side:home"');
    expect(live.ratings.join()).toContain('"name": "map:dust"');

    await rebuilt(db, 'ladder');
    expect(await inForce(db, 'ladder')).toEqual(live);
    await ladder.season(20, random);
    const later = await inForce(db, 'ladder');
    await rebuilt(db, 'ladder');
    expect(await inForce(db, 'ladder')).toEqual(later);
  });

  it('is not there in a pool that rates none, and appears with a rebuild under rules that do', async () => {
    const { db } = data();
    const plain = new Ladder(db, 'plain', 'n');
    await plain.ledger.pools.create(aPool('plain', { ...defaultPoolRules }));
    await plain.season(60, seededRandom(12));
    const stored = async (): Promise<number> =>
      (await db.rating.findMany({ where: { pool: 'plain', generation: await generation() } })).filter(
        (row) => row.aspects !== null,
      ).length;
    const generation = async (): Promise<number> => (await plain.ledger.ratings.pool('plain')).generation;
    expect(await stored()).toBe(0);
    await rebuilt(db, 'plain', { aspects, reason: 'a test', refit: false });
    expect(await stored()).toBeGreaterThan(10);
    await rebuilt(db, 'plain', { aspects: null, reason: 'a test', refit: false });
    expect(await stored()).toBe(0);
  });

  it('counts what the coordinator told a server to play, where the server says nothing else', async () => {
    const { db } = data();
    const at = (i: number): number => noon + 3_600_000 * i;
    for (const i of range(3)) {
      const matchId = `mat-${i}`;
      await ended(
        db,
        { matchId, teams: [['ann'], ['ben']], ranks: [1, 2] },
        { pool: 'ladder', endedAt: at(i) },
      );
      await db.match.update({ where: { id: matchId }, data: { map: 'ice', rules: { sides: ['ct', 't'] } } });
      await db.matchPlayer.update({
        where: { matchId_playerId: { matchId, playerId: 'ann' } },
        data: { role: 'healer' },
      });
      await ladder.ledger.matches.rate(matchId, at(i));
    }
    const { ratings, history } = new RatingStores(as('rating', db));
    const standings = new ReadRatings(ratings, history, { now: () => at(9) });
    const { aspects: known = [] } = await standings.show('ladder', 'ann');
    expect(known.map(({ name, matches }) => [name, matches])).toEqual([
      ['map:ice', 3],
      ['role:healer', 3],
      ['side:ct', 3],
    ]);
    const live = await inForce(db, 'ladder');
    await rebuilt(db, 'ladder');
    expect(await inForce(db, 'ladder')).toEqual(live);
  });

  it('is part of predictions, and of what players count in a match', async () => {
    const { db } = data();
    for (const i of range(30)) {
      const played = { situation: { sides: i % 2 === 0 ? ['ct', 't'] : ['t', 'ct'] } };
      await ladder.play({
        matchId: `g${i}`,
        teams: [['ann'], ['ben']],
        ranks: i % 2 === 0 ? [1, 2] : [2, 1],
        played,
      });
    }
    const ledger = new RatingStores(as('rating', db));
    const predict = new Predict(ledger.ratings, { now: () => noon });
    const chance = async (sides: string[] | undefined): Promise<number> =>
      (await predict.run('ladder', { teams: [['ann'], ['ben']], sides })).prediction.chances[0] ?? NaN;
    expect(await chance(['ct', 't'])).toBeGreaterThan((await chance(undefined)) + 0.1);
    expect(await chance(['t', 'ct'])).toBeLessThan((await chance(undefined)) - 0.1);

    const standings = new ReadRatings(ledger.ratings, ledger.history, { now: () => noon });
    const asked = { teamSize: 1, sides: ['ct', 't'], roles: [] };
    const { ratings } = await standings.of('ladder', ['ann', 'ben'], asked);
    for (const { worth } of ratings) expect(worth?.sides[0]).toBeGreaterThan(worth?.sides[1] ?? NaN);
    expect((await standings.of('ladder', ['ann'])).ratings[0]?.worth).toBeUndefined();
  });
});
