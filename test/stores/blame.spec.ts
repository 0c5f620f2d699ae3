import type { MatchUpdate } from '@muster/contracts';
import { type Db } from '@muster/db';
import { PostgresLedgerStore } from '../../apps/rating/src/ledger/ledger.store.js';
import { describe, expect, it } from 'vitest';
import { aMatch, databaseForEach, noon, timeouts, promisesOf, ticketOf } from './fixtures.js';
import { House, type Held } from './house.js';
import { aPool, poolRater } from './ledger-fixtures.js';
import { as } from '../support/database.js';

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
    await h.placements.callOff(sessionId, server, said, later);
    expect(await lastUpdate(h.db)).toMatchObject({
      kind: 'remade',
      failedTicketIds: [ticketOf('ann'), ticketOf('bob')],
      blame: { queue: 'ranked', offences: [{ playerId: 'ann', kind: 'no-show', at: later }, left('bob')] },
    });
  });

  it('when the match is rated: its result named who left', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const ledger = new PostgresLedgerStore(as('rating', h.db));
    await ledger.createPool(aPool());
    const result = { ranks: [1, 2], digest: 'd', body: {}, leavers: ['cid'] };
    await h.placements.receive(sessionId, server, result, later);
    await ledger.rateMatch('m1', poolRater, later + 5);
    expect(await lastUpdate(h.db)).toMatchObject({
      kind: 'rated',
      blame: { queue: 'ranked', offences: [left('cid')] },
    });
  });

  it('when a player leaves permanently, and no later one when their server is lost', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const request = { backfillId: 'b1', fingerprint: 'f', team: 0, seats: 1, leavers: ['ann'] };
    await h.placements.request(sessionId, server, request, later);
    const blame = { queue: 'ranked', offences: [left('ann')] };
    expect(await lastUpdate(h.db)).toMatchObject({ kind: 'abandoned', ticketIds: [ticketOf('ann')], blame });
    await h.placements.loseSilent(timeouts, later + 1, 10);
    const end = await lastUpdate(h.db);
    expect(end).toMatchObject({
      kind: 'abandoned',
      ticketIds: expect.arrayContaining([ticketOf('bob'), ticketOf('cid')]),
    });
    expect(end).not.toHaveProperty('blame');
  });

  it('when an operator declares the ended match void before it is rated', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const ledger = new PostgresLedgerStore(as('rating', h.db));
    await ledger.createPool(aPool());
    const result = { ranks: [1, 2], digest: 'd', body: {}, leavers: ['dan'] };
    await h.placements.receive(sessionId, server, result, later);
    await ledger.voidMatch('m1', { by: 'op', reason: 'x', rebuildId: 'r', penalties: 'keep' }, later + 5);
    expect(await lastUpdate(h.db)).toMatchObject({ kind: 'abandoned', blame: { offences: [left('dan')] } });
  });

  it('and blames no player without an offence', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const said = { reason: 'x', noShows: [], leavers: [], remake: false };
    await h.placements.callOff(sessionId, server, said, later);
    expect(await lastUpdate(h.db)).not.toHaveProperty('blame');
  });

  it('a no-show of a match that was played is not rated', async () => {
    const h = new House(data().db);
    const { sessionId, server } = await live(h);
    const ledger = new PostgresLedgerStore(as('rating', h.db));
    await ledger.createPool(aPool());
    const result = { ranks: [1, 2], digest: 'd', body: {}, claims: { noShows: ['dan'] } };
    await h.placements.receive(sessionId, server, result, later);
    await ledger.rateMatch('m1', poolRater, later + 5);
    const rated = await h.db.rating.findMany({ where: { pool: 'ladder' } });
    expect(rated.map(({ playerId }) => playerId).toSorted()).toEqual(['ann', 'bob', 'cid']);
    expect(await lastUpdate(h.db)).toMatchObject({
      kind: 'rated',
      ticketIds: expect.arrayContaining([ticketOf('dan')]),
    });
  });
});
