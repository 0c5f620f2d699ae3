import { eventCatalogue, eventTypes, type EventType } from '@muster/contracts';
import { defaultPoolRules } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { PostgresEventLog } from '../../apps/assignment/src/events/event-log.store.js';
import { as } from '../support/database.js';
import { RatingStores } from '../support/rating-stores.js';
import { databaseForEach, noon } from './fixtures.js';
import { House } from './house.js';
import { aPool } from './ledger-fixtures.js';

const data = databaseForEach();
const at = new Date(noon);

/** Those that no trigger writes: the queue copies them, or a call sends them. */
const elsewhere = (type: EventType): boolean => /^(ticket|webhook)\./.test(type);

describe('every type of the catalogue', () => {
  it('is written when its rows change, with data of its form and its version', async () => {
    const { db } = data();
    const house = new House(db);
    const { pools, matches } = new RatingStores(as('rating', db));
    await pools.create(aPool('ladder', defaultPoolRules));
    await house.server('s1');
    const held = await house.live('m1');
    const result = { ranks: [1, 2], digest: 'd', body: { winner: 0 } };
    await house.allocator.sessions.receive(held.sessionId, held.server, result, noon);
    await matches.rate('m1', noon);
    for (const state of ['abandoned', 'void'])
      await db.match.update({ where: { id: 'm1' }, data: { state, closeReason: 'Why.' } });
    for (const state of ['abandoned', 'refused', 'unanswered', 'lost'])
      await db.session.update({ where: { id: held.sessionId }, data: { state, reason: 'Why.' } });
    for (const state of ['draining', 'lost', 'left'])
      await db.server.update({ where: { id: 's1' }, data: { state } });
    const { id } = await db.resultConflict.create({
      data: { matchId: 'm1', reportedBy: 's1', reason: 'Why.', digest: 'e', body: {}, receivedAt: at },
    });
    await db.resultConflict.update({
      where: { id },
      data: { decision: 'kept', decidedAt: at, decidedBy: 'ops' },
    });
    await db.penalty.create({
      data: { id: 'pen_1', playerId: 'ann', kind: 'left', matchId: 'm1', queue: 'q', at },
    });
    await db.penalty.update({ where: { id: 'pen_1' }, data: { forgivenAt: at } });
    await db.queueRules.create({
      data: { queue: 'q', version: 1, rules: {}, why: 'Why.', appliesTo: 'new', createdAt: at },
    });
    const season = { pool: 'ladder', number: 1 };
    await db.season.create({
      data: { ...season, name: 'One', rules: {}, by: 'ops', reason: 'Why.', startsAt: at },
    });
    for (const change of [{ startedAt: at }, { endedAt: at }])
      await db.season.update({ where: { pool_number: season }, data: change });
    const found = {
      pool: 'ladder',
      kind: 'thrown',
      subject: 'ann',
      players: ['ann'],
      evidence: 9.5,
      byChance: 0.01,
    };
    const rest = {
      matches: 3,
      matchId: 'm1',
      sequence: 1,
      pro: [],
      contra: [],
      generation: 1,
      raise: 'none',
    };
    await db.integrityCase.create({
      data: { id: 'cas_1', ...found, ...rest, state: 'open', openedAt: at, updatedAt: at },
    });
    await db.integrityCase.update({
      where: { id: 'cas_1' },
      data: { state: 'closed', verdict: 'cleared', closedBy: 'ops', closedAt: at },
    });

    const log = new PostgresEventLog(as('assignment', db));
    while ((await log.publish(500)) > 0);
    const { events = [] } = (await log.after(0, [], (await log.bounds()).last, 1_000)) ?? {};

    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(eventTypes.filter((type) => !elsewhere(type))),
    );
    for (const { type, version, data: told } of events) {
      const kind = eventCatalogue[type as EventType];
      expect([type, kind.version, kind.data.strict().safeParse(told).error]).toEqual([
        type,
        version,
        undefined,
      ]);
    }
  });
});
