import { PostgresAvoidStore } from '../../apps/queue/src/standing/avoid.store.js';
import { PostgresBehaviourStore } from '../../apps/queue/src/standing/behaviour.store.js';
import { newestAvoiders, type BehaviourReport } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { PostgresPenaltyStore } from '../../apps/queue/src/standing/penalty.store.js';
import { databaseForEach, noon, range, tally } from './fixtures.js';
import { as } from '../support/database.js';

const data = databaseForEach();

describe('C8 avoid-lists', () => {
  const store = (): PostgresAvoidStore => new PostgresAvoidStore(as('queue', data().db));

  it('hold whom a player avoids, the newest first, each with one scope', async () => {
    const lists = store();
    await lists.put('ann', { playerId: 'bob', scope: 'team' }, 5, noon);
    await lists.put('ann', { playerId: 'cid', scope: 'match' }, 5, noon + 1);
    await lists.put('ann', { playerId: 'bob', scope: 'match' }, 5, noon + 2);
    expect(await lists.list('ann')).toEqual([
      { playerId: 'cid', scope: 'match', since: noon + 1 },
      { playerId: 'bob', scope: 'match', since: noon },
    ]);
    expect(await lists.remove('ann', 'bob')).toBe(true);
    expect(await lists.remove('ann', 'bob')).toBe(false);
    expect((await lists.list('ann')).map((entry) => entry.playerId)).toEqual(['cid']);
    expect(await lists.list('bob')).toEqual([]);
  });

  it('are never longer than they may be, however many are put on at once', async () => {
    const outcomes = await Promise.all(
      range(8).map((i) =>
        new PostgresAvoidStore(as('queue', data().connect(1))).put(
          'ann',
          { playerId: `p${i}`, scope: 'team' },
          3,
          noon,
        ),
      ),
    );
    expect(tally(outcomes)).toEqual({ put: 3, full: 5 });
    expect(await store().list('ann')).toHaveLength(3);
    const [kept] = await store().list('ann');
    expect(await store().put('ann', { playerId: kept?.playerId ?? '', scope: 'match' }, 3, noon)).toBe('put');
  });

  it('are read in both directions for many at once', async () => {
    const lists = store();
    await lists.put('ann', { playerId: 'bob', scope: 'team' }, 5, noon);
    await lists.put('cid', { playerId: 'ann', scope: 'match' }, 5, noon);
    const around = await lists.around(['ann', 'bob', 'dan']);
    expect([...around.keys()].toSorted()).toEqual(['ann', 'bob']);
    expect(around.get('bob')).toEqual([{ playerId: 'ann', scope: 'team', place: 0 }]);
    expect(around.get('ann')?.toSorted((a, b) => (a.playerId < b.playerId ? -1 : 1))).toEqual([
      { playerId: 'bob', scope: 'team', place: 0 },
      { playerId: 'cid', scope: 'match', place: 0 },
    ]);
  });

  it('tell the place of each entry in the list of the player who made it, from either side', async () => {
    const lists = store();
    for (const [i, id] of ['x', 'y', 'z'].entries())
      await lists.put('ann', { playerId: id, scope: 'team' }, 5, noon + Math.min(i, 1));
    const around = await lists.around(['ann', 'x', 'y', 'z']);
    const places = new Map(around.get('ann')?.map(({ playerId, place }) => [playerId, place]));
    expect([...places].toSorted()).toEqual([
      ['x', 2],
      ['y', 0],
      ['z', 1],
    ]);
    for (const [playerId, place] of places)
      expect(around.get(playerId)).toEqual([{ playerId: 'ann', scope: 'team', place }]);
  });

  it('are read together for all who ask in one turn, and each is told their own', async () => {
    const players = range(1_200).map((i) => `p${i}`);
    for (const i of [0, 700, 1_199])
      await store().put(`p${i}`, { playerId: `x${i}`, scope: 'team' }, 5, noon);
    const gathered = store();
    const around = await Promise.all(players.map((playerId) => gathered.around([playerId])));
    const told = around.flatMap((one, i) => (one.size === 0 ? [] : [[i, ...one]]));
    expect(told).toEqual(
      [0, 700, 1_199].map((i) => [i, [`p${i}`, [{ playerId: `x${i}`, scope: 'team', place: 0 }]]]),
    );
  });

  it('tell the newest of those who avoid a player, and no more than so many', async () => {
    const lists = store();
    const many = newestAvoiders + 5;
    for (const i of range(many)) await lists.put(`p${i}`, { playerId: 'ann', scope: 'team' }, 5, noon + i);
    const avoiders = (await lists.around(['ann'])).get('ann')?.map((entry) => entry.playerId) ?? [];
    expect(avoiders).toHaveLength(newestAvoiders);
    expect(avoiders).toContain(`p${many - 1}`);
    expect(avoiders).not.toContain('p0');
  });
});

describe('R18 reports', () => {
  const store = (): PostgresBehaviourStore => new PostgresBehaviourStore(as('queue', data().db));
  const said = (over: Partial<BehaviourReport> = {}): BehaviourReport => ({
    matchId: 'm1',
    reporter: 'ann',
    party: 1,
    reported: 'bob',
    kind: 'abuse',
    weight: 0.75,
    note: null,
    at: noon,
    ...over,
  });

  it('count once a match, reporter and reported; what was said first stays', async () => {
    const reports = store();
    expect(await reports.report(said({ note: 'shouted' }))).toBe('counted');
    expect(await reports.report(said({ at: noon + 5 }))).toBe('repeat');
    expect(await reports.report(said({ kind: 'friendly' }))).toBe('contradicts');
    expect(await reports.report(said({ matchId: 'm2', at: noon + 1 }))).toBe('counted');
    expect(await reports.report(said({ reporter: 'cid', at: noon + 2 }))).toBe('counted');
    expect(await reports.reportsOn('bob', 2)).toEqual([
      said({ reporter: 'cid', at: noon + 2 }),
      said({ matchId: 'm2', at: noon + 1 }),
    ]);
    expect((await reports.reportsOn('bob', 9)).at(-1)).toEqual(said({ note: 'shouted' }));
    expect(await reports.reportsOn('ann', 9)).toEqual([]);
  });

  it('and penalties are read from the time that each caller asks for, whoever else asks in the same turn', async () => {
    await store().report(said());
    const gathered = store();
    const asked = [0, noon + 1, noon - 1].map((since) => gathered.marksOf(['bob'], since));
    expect((await Promise.all(asked)).map((marks) => marks.get('bob')?.length ?? 0)).toEqual([1, 0, 1]);

    const penalties = new PostgresPenaltyStore(as('queue', data().db));
    const penalty = { kind: 'left', matchId: 'm1', queue: '1v1', at: noon } as const;
    await penalties.add([{ ...penalty, penaltyId: 'pen_1', playerId: 'p900' }]);
    // More than one statement takes: the later ones ask from the same time.
    const all = await Promise.all(range(1_200).map((i) => penalties.of([`p${i}`], noon - 1)));
    expect(all.flatMap((found, i) => (found.size > 0 ? [i] : []))).toEqual([900]);
    expect((await penalties.of(['p900'], noon)).size).toBe(0);
  });

  it('count once when they come at once', async () => {
    const outcomes = await Promise.all(
      range(6).map(() => new PostgresBehaviourStore(as('queue', data().connect(1))).report(said())),
    );
    expect(tally(outcomes)).toEqual({ counted: 1, repeat: 5 });
  });

  it('are read together for all who ask in one turn, and each is told their own', async () => {
    await store().report(said());
    const gathered = store();
    const players = [...range(1_200).map((i) => `p${i}`), 'bob'];
    const marks = await Promise.all(players.map((playerId) => gathered.marksOf([playerId], noon - 1)));
    expect(marks.filter((one) => one.size > 0)).toEqual([
      new Map([
        ['bob', [{ matchId: 'm1', reporter: 'ann', party: 1, kind: 'abuse', weight: 0.75, at: noon }]],
      ]),
    ]);
    expect((await gathered.marksOf(['bob'], noon)).size).toBe(0);
  });

  it('are read for many at once, from a time on', async () => {
    const reports = store();
    await reports.report(said({ at: noon }));
    await reports.report(said({ matchId: 'm2', at: noon + 10 }));
    await reports.report(said({ reported: 'cid', kind: 'teamwork', weight: 0, at: noon + 20 }));
    const marks = await reports.marksOf(['bob', 'cid', 'dan'], noon);
    const mark = { reporter: 'ann', party: 1 };
    expect([...marks]).toEqual([
      ['bob', [{ ...mark, matchId: 'm2', kind: 'abuse', weight: 0.75, at: noon + 10 }]],
      ['cid', [{ ...mark, matchId: 'm1', kind: 'teamwork', weight: 0, at: noon + 20 }]],
    ]);
  });
});
