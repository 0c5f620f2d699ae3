import { PostgresPenaltyStore } from '../../apps/queue/src/standing/penalty.store.js';
import { message, type Penalty } from '@muster/domain';
import { describePenaltyRaces } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { databaseForEach, noon, range } from './fixtures.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const store = (): PostgresPenaltyStore => new PostgresPenaltyStore(as('queue', data().db));

const penalty = (playerId: string, matchId: string, over: Partial<Penalty> = {}): Penalty => ({
  penaltyId: `pen of ${playerId} for ${over.kind ?? 'declined'} ${matchId}`,
  playerId,
  kind: 'declined',
  matchId,
  queue: '1v1',
  at: noon,
  ...over,
});

describe('C9 penalties', () => {
  it('come back as they were written, the newest first', async () => {
    const [one, two] = [penalty('ann', 'm1'), penalty('ann', 'm2', { kind: 'left', at: noon + 5 })];
    await store().add([one, two, penalty('bob', 'm1', { kind: 'no-show' })]);
    await store().add([]);
    expect(await store().list('ann', 10)).toEqual([
      { ...two, forgivenAt: null },
      { ...one, forgivenAt: null },
    ]);
    expect(await store().list('ann', 1)).toHaveLength(1);
    expect(await store().list('cid', 10)).toEqual([]);
  });

  it('count once for a match, a player and a kind, however often and at once they are written', async () => {
    const once = penalty('ann', 'm1');
    const later = { ...once, at: noon + 99, penaltyId: 'pen of another' };
    await Promise.all(
      range(6).map((i) =>
        new PostgresPenaltyStore(as('queue', data().connect(1))).add([i % 2 === 0 ? once : later]),
      ),
    );
    expect(await store().list('ann', 10)).toHaveLength(1);
    await store().add([penalty('ann', 'm1', { kind: 'left' }), penalty('ann', 'm2')]);
    expect(await store().list('ann', 10)).toHaveLength(3);
  });

  it('are read for many players at once, from a time on', async () => {
    await store().add([
      penalty('ann', 'm1'),
      penalty('ann', 'm2', { at: noon + 10 }),
      penalty('bob', 'm2', { at: noon + 10 }),
    ]);
    const read = await store().of(['ann', 'bob', 'cid'], noon);
    expect([...read.keys()].toSorted()).toEqual(['ann', 'bob']);
    expect(read.get('ann')).toEqual([penalty('ann', 'm2', { at: noon + 10 })]);
    expect((await store().of(['ann'], noon - 1)).get('ann')).toHaveLength(2);
  });

  it('that are lifted say why, count no more, and count again when an operator imposes them', async () => {
    const one = penalty('ann', 'm1', { kind: 'left' });
    const lifted = { at: noon + 5, why: [message('penalty.server-lost')] };
    await store().lift([one], lifted);
    await store().add([one]);
    expect(await store().list('ann', 10)).toEqual([{ ...one, forgivenAt: null, lifted }]);
    expect((await store().of(['ann'], noon - 1)).size).toBe(0);
    expect(await store().impose('bob', one.penaltyId)).toBe(false);
    expect(await store().impose('ann', one.penaltyId)).toBe(true);
    expect((await store().of(['ann'], noon - 1)).get('ann')).toEqual([one]);
  });

  it('that are forgiven stay, count no more, and do not come back', async () => {
    const one = penalty('ann', 'm1');
    await store().add([one]);
    expect(await store().forgive('bob', one.penaltyId, noon + 7)).toBe(false);
    expect(await store().forgive('ann', one.penaltyId, noon + 7)).toBe(true);
    expect(await store().forgive('ann', one.penaltyId, noon + 9)).toBe(true);
    await store().add([one]);
    expect(await store().list('ann', 10)).toEqual([{ ...one, forgivenAt: noon + 7 }]);
    expect((await store().of(['ann'], 0)).size).toBe(0);
  });
});

describePenaltyRaces(
  'Postgres',
  async () => {
    await data().db.$executeRawUnsafe('TRUNCATE penalty');
    return store();
  },
  { runs: 30 },
);
