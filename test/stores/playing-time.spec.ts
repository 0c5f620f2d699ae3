import { RatingStores } from '../support/rating-stores.js';
import type { Played } from '@muster/domain';
import { modelOf, type ModelParameters } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { databaseForEach, noon } from './fixtures.js';
import { House } from './house.js';
import { aPool } from './ledger-fixtures.js';
import { as } from '../support/database.js';

const data = databaseForEach();

/** A match of 7.6 s: one left at 0.24 s, another took the seat at 7 s, and their team won. */
async function played(
  said: Played,
  name = aPool().rules.model,
  parameters: ModelParameters = {},
): Promise<Record<string, number>> {
  const model = modelOf(name, parameters);
  const { db } = data();
  const h = new House(db);
  const ledger = new RatingStores(as('rating', db));
  await ledger.pools.create(aPool('ladder', { model: name, parameters }));
  await h.server('s');
  const held = await h.live('m1', {
    players: ['full', 'left', 'came', 'a', 'b'].map((playerId, i) => ({
      playerId,
      team: i < 3 ? 0 : 1,
      ticketId: `tkt-${playerId}`,
      mu: 25,
      sigma: 8,
      waitedMs: 0,
    })),
  });
  const at = (playerId: string) => ({ matchId_playerId: { matchId: 'm1', playerId } });
  await db.matchPlayer.update({ where: at('left'), data: { leftAt: new Date(noon + 240) } });
  await db.matchPlayer.update({ where: at('came'), data: { joinedAt: new Date(noon + 7_000) } });
  const result = { ranks: [1, 2], digest: 'd', body: {}, played: said };
  await h.allocator.sessions.receive(held.sessionId, held.server, result, noon + 7_600);
  await ledger.matches.rate('m1', noon + 8_000);
  const event = await db.ratingEvent.findFirstOrThrow({ where: { eventId: 'm1' } });
  expect(event.detail).toMatchObject({
    played: { shares: expect.anything(), times: { lengthMs: 7_600 }, late: ['came'] },
  });
  const { ratings } = await ledger.ratings.of('ladder', ['full', 'left', 'came', 'a']);
  const start = model.belief(model.initial()).mu;
  return Object.fromEntries(
    [...ratings].map(([playerId, { state }]) => [playerId, model.belief(model.read(state)).mu - start]),
  );
}

describe('the rating of a late joiner and of a leaver', () => {
  it('moves by the time they played, not as far as that of who played all of it', async () => {
    const { full = 0, left = 0, came = 0, a = 0 } = await played({});
    expect(full).toBeGreaterThan(0.5);
    expect(a).toBeLessThan(-0.5);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(full / 5);
    expect(came).toBeGreaterThan(left);
    expect(came).toBeLessThan(full / 5);
  });

  it('counts in Hive by when it was, as the pool’s parameters have it', async () => {
    // Worth of a moment in multiples of the next: 3² over the whole match, so the first 0.24 s are worth more than 0.6 s at its end.
    const share = (fromMs: number, toMs: number, ratio: number): number => {
      const lambda = (2 * Math.log(ratio)) / 7_600;
      return (Math.exp(-lambda * fromMs) - Math.exp(-lambda * toMs)) / (1 - Math.exp(-lambda * 7_600));
    };
    const three = await played({}, 'hive');
    expect((three['left'] ?? NaN) / (three['full'] ?? NaN)).toBeCloseTo(share(0, 240, 3), 9);
    expect((three['came'] ?? NaN) / (three['full'] ?? NaN)).toBeCloseTo(share(7_000, 7_600, 3), 9);
  });

  it('counts in Hive alike at any time, where the pool discounts nothing', async () => {
    const even = await played({}, 'hive', { timeRatio: 1 });
    expect((even['left'] ?? NaN) / (even['full'] ?? NaN)).toBeCloseTo(240 / 7_600, 9);
    expect((even['came'] ?? NaN) / (even['full'] ?? NaN)).toBeCloseTo(600 / 7_600, 9);
  });

  it('is not taken from a server whose players were there for longer than the session was', async () => {
    const h = new House(data().db);
    await h.server('s');
    const held = await h.live('m1');
    const times = { lengthMs: 512 * 365 * 86_400_000, stretches: {} };
    const result = { ranks: [1, 2], digest: 'd', body: {}, played: { times } };
    const most = 7_600 + 600_000;
    expect(await h.allocator.sessions.receive(held.sessionId, held.server, result, noon + 7_600)).toEqual({
      outcome: 'wrong-times',
      lengthMs: times.lengthMs,
      mostMs: most,
    });
    const longest = { ...result, played: { times: { lengthMs: most, stretches: {} } } };
    expect(
      await h.allocator.sessions.receive(held.sessionId, held.server, longest, noon + 7_600),
    ).toMatchObject({
      outcome: 'counted',
    });
  });

  it('goes by what the server says of them, if it says anything', async () => {
    const { full = 0, left = 0, came = 0 } = await played({ shares: { came: 1 } });
    expect(came).toBe(full);
    expect(left).toBeLessThan(full / 5);
  });
});
