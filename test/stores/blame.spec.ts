import type { MatchUpdate } from '@muster/contracts';
import { RatingStores } from '../support/rating-stores.js';
import { PostgresOutages } from '../../apps/allocator/src/sessions/outages.store.js';
import { describe, expect, it } from 'vitest';
import { aMatch, databaseForEach, noon, timeouts, promisesOf, ticketOf } from './fixtures.js';
import { House, type Held } from './house.js';
import { aPool } from './ledger-fixtures.js';
import { as } from '../support/database.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();
const later = noon + 60_000;
const rules = {
  mode: 'duel',
  pool: 'ladder',
  teams: 2,
  teamSize: 2,
  teamGap: [{ afterSeconds: 0, limit: null }],
  placementTimeoutSeconds: 60,
  backfill: { seconds: 30 },
};

/** Two against two on server s, each with a ticket of their own. */
async function live(h: House): Promise<Held> {
  await h.server('s');
  const teams = [
    ['ann', 'bob'],
    ['cid', 'dan'],
  ];
  return h.live('m1', { ...aMatch('m1', teams), rules });
}

const left = (playerId: string, at = later) => ({ playerId, kind: 'left', at });

/** The last update of the match, with freed and blamed players. */
async function lastUpdate(db: Db): Promise<MatchUpdate> {
  const news = (await promisesOf(db)).filter(({ queue }) => queue === 'ticket-news').at(-1)?.payload;
  return news as MatchUpdate;
}

describe('an update that frees players names the blamed ones', () => {
  it('when their server abandons the match', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const said = { reason: 'x', noShows: ['ann'], leavers: ['bob'], remake: true };
    await h.allocator.sessions.callOff(sessionId, server, said, later);
    expect(await lastUpdate(h.db)).toMatchObject({
      kind: 'remade',
      failedTicketIds: [ticketOf('ann'), ticketOf('bob')],
      blame: { queue: 'ranked', offences: [{ playerId: 'ann', kind: 'no-show', at: later }, left('bob')] },
    });
  });

  it('when the match is rated: its result named who left', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const ledger = new RatingStores(as('rating', h.db));
    await ledger.pools.create(aPool());
    const result = { ranks: [1, 2], digest: 'd', body: {}, leavers: ['cid'] };
    await h.allocator.sessions.receive(sessionId, server, result, later);
    await ledger.matches.rate('m1', later + 5);
    expect(await lastUpdate(h.db)).toMatchObject({
      kind: 'rated',
      blame: { queue: 'ranked', offences: [left('cid')] },
    });
  });

  it('when a player leaves permanently, and no later one when their server is lost', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const request = { backfillId: 'b1', fingerprint: 'f', team: 0, seats: 1, leavers: ['ann'] };
    await h.allocator.backfills.request(sessionId, server, request, later);
    const blame = { queue: 'ranked', offences: [left('ann')] };
    expect(await lastUpdate(h.db)).toMatchObject({ kind: 'abandoned', ticketIds: [ticketOf('ann')], blame });
    await h.allocator.silence.loseSilent(timeouts, later + 1, 10);
    const end = await lastUpdate(h.db);
    expect(end).toMatchObject({
      kind: 'remade',
      ticketIds: expect.arrayContaining([ticketOf('bob'), ticketOf('cid')]),
      outPlayerIds: ['ann'],
    });
    expect(end).not.toHaveProperty('blame');
  });

  it('when a request that repeats a withdrawn one names the leaver again', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const ask = (backfillId: string, at: number) =>
      h.allocator.backfills.request(
        sessionId,
        server,
        { backfillId, fingerprint: 'f', team: 0, seats: 1, leavers: ['ann'] },
        at,
      );
    await ask('b1', later);
    await h.allocator.backfills.withdraw(sessionId, 'b1', 's', later + 1);
    await ask('b2', later + 1);
    const penalties = (await promisesOf(h.db)).flatMap(({ queue, payload }) =>
      queue === 'conduct' || queue === 'lifted-penalties'
        ? [{ queue, at: (payload as { at: number }).at }]
        : [],
    );
    expect(penalties).toEqual([
      { queue: 'conduct', at: later },
      { queue: 'lifted-penalties', at: later + 1 },
      { queue: 'conduct', at: later + 2 },
    ]);
  });

  it('when an operator declares the ended match void before it is rated', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const ledger = new RatingStores(as('rating', h.db));
    await ledger.pools.create(aPool());
    const result = { ranks: [1, 2], digest: 'd', body: {}, leavers: ['dan'] };
    await h.allocator.sessions.receive(sessionId, server, result, later);
    await ledger.matches.void('m1', { by: 'op', reason: 'x', rebuildId: 'r', penalties: 'keep' }, later + 5);
    expect(await lastUpdate(h.db)).toMatchObject({ kind: 'abandoned', blame: { offences: [left('dan')] } });
  });

  it('and blames no player without an offence', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const said = { reason: 'x', noShows: [], leavers: [], remake: false };
    await h.allocator.sessions.callOff(sessionId, server, said, later);
    expect(await lastUpdate(h.db)).not.toHaveProperty('blame');
  });

  it('a no-show of a match that was played is not rated', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const ledger = new RatingStores(as('rating', h.db));
    await ledger.pools.create(aPool());
    const result = { ranks: [1, 2], digest: 'd', body: {}, claims: { noShows: ['dan'] } };
    await h.allocator.sessions.receive(sessionId, server, result, later);
    await ledger.matches.rate('m1', later + 5);
    const rated = await h.db.rating.findMany({ where: { pool: 'ladder' } });
    expect(rated.map(({ playerId }) => playerId).toSorted()).toEqual(['ann', 'bob', 'cid']);
    expect(await lastUpdate(h.db)).toMatchObject({
      kind: 'rated',
      ticketIds: expect.arrayContaining([ticketOf('dan')]),
    });
  });
});

describe('an outage of several matches is nobody’s fault', () => {
  const lifts = async (db: Db) =>
    (await promisesOf(db)).flatMap(({ queue, payload }) =>
      queue === 'lifted-penalties'
        ? [payload as { matchId: string; offences: object[]; messages: object[] }]
        : [],
    );

  /** Matches of one against one, each with a no-show. */
  async function calledOff(h: House, count: number, ids: string): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      const held = await h.live(`${ids}${i}`);
      const said = { reason: 'x', noShows: [`${ids}${i}-a`], leavers: [], remake: false };
      await h.allocator.sessions.callOff(held.sessionId, held.server, said, later);
    }
  }

  it('its penalties are lifted once, by one of several replicas', async () => {
    const h = new House(data().db);
    const outages = new PostgresOutages(as('allocator', h.db));
    await h.server('s', { slots: 12 });
    await calledOff(h, 11, 'm');
    expect(await outages.lift(later + 1)).toEqual([]);
    await calledOff(h, 1, 'n');
    const counts = { named: 12, matches: 12, blamed: 12, parties: 24, minutes: 1 };
    const [one, two] = await Promise.all([outages.lift(later + 1), outages.lift(later + 1)]);
    expect([...one, ...two].flatMap(({ matchIds }) => matchIds).toSorted()).toEqual(
      [...Array.from({ length: 11 }, (_, i) => `m${i}`), 'n0'].toSorted(),
    );
    const all = await lifts(h.db);
    expect(all).toHaveLength(12);
    expect(all.find(({ matchId }) => matchId === 'm3')).toMatchObject({
      offences: [{ playerId: 'm3-a', kind: 'no-show', at: later }],
      messages: [{ code: 'penalty.outage', params: { scope: 'server', ...counts } }],
    });
    // An operator imposes one again: it is not lifted a second time.
    expect(await outages.lift(later + 2)).toEqual([]);
    // The outage of their server explains these matches: as matches of many servers they are no evidence against the region.
    await h.db.$sql.$executeRaw`UPDATE session SET server_id = match_id`;
    await calledOff(h, 2, 'x');
    expect(await outages.lift(later + 2)).toEqual([]);
  });

  it('a match whose server was lost counts for no outage, and neither do those of an hour ago', async () => {
    const h = new House(data().db);
    const outages = new PostgresOutages(as('allocator', h.db));
    await h.server('s', { slots: 12 });
    await calledOff(h, 12, 'm');
    await h.db.session.updateMany({ where: { matchId: 'm0' }, data: { state: 'lost' } });
    expect(await outages.lift(later + 1)).toEqual([]);
    await h.db.session.updateMany({ where: { matchId: 'm0' }, data: { state: 'abandoned' } });
    expect(await outages.lift(later + 3_600_000)).toEqual([]);
  });
});
