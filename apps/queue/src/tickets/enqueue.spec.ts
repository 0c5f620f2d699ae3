import { BoosterRefused, type QueueRules, type RulesVersion } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { fives, mostAtOnce, now, probe, ranked, setUp, siege } from '../../test-support/enqueue-set-up.js';
import type { Probe } from '../calibration/calibrate.js';

describe('a new ticket', () => {
  it('enters a newcomer at the level of their probe, with the uncertainty of their rating, and reports it', async () => {
    const { store, run } = setUp(async () => new Map([['ann', probe(31.25, 3)]]));
    const record = await run('ann');
    expect(record.reason).toBe('You are in the queue; this is calibration match 3 of 10.');
    expect(record.players).toEqual([
      { playerId: 'ann', mu: 31.25, sigma: 8, calibration: { match: 3, of: 10 } },
    ]);
    expect(await store.find('tkt_1')).toEqual(record);
  });

  it('with a booster is at the level of its division, and says so', async () => {
    const { store, enqueue, request, boosters } = setUp(async () => new Map());
    const inUse = { boosterId: 'bst_1', division: 'Gold', higher: true };
    boosters.set('ann', { ...inUse, level: 29.123456 });
    const record = await enqueue.run({ ...request(fives.name, 'ann'), booster: true });
    expect(record.players).toEqual([{ playerId: 'ann', mu: 29.1235, sigma: 8, booster: inUse }]);
    expect(record.reason).toBe(
      'You are in the queue with a booster; the match will be among players of Gold.',
    );
    expect(await store.find('tkt_1')).toEqual(record);
  });

  it('uses no booster unless it asks for one, and is refused without one', async () => {
    const { store, enqueue, request, boosters } = setUp(async () => new Map());
    boosters.set('ann', { boosterId: 'bst_1', division: 'Gold', higher: true, level: 29 });
    await expect(enqueue.run({ ...request(fives.name, 'bob'), booster: true })).rejects.toThrow(
      'bob has no booster.',
    );
    await expect(enqueue.run({ ...request(fives.name, 'ann', 'bob'), booster: true })).rejects.toThrow(
      'queues alone',
    );
    expect(await store.find('tkt_1')).toBeNull();
    const { players } = await enqueue.run(request(fives.name, 'ann'));
    expect(players).toEqual([{ playerId: 'ann', mu: 25, sigma: 8 }]);
  });

  it('of a newcomer who is being calibrated uses no booster', async () => {
    const { enqueue, request, boosters } = setUp(async () => new Map([['ann', probe(31, 3)]]));
    boosters.set('ann', { boosterId: 'bst_1', division: 'Gold', higher: true, level: 29 });
    await expect(enqueue.run({ ...request(fives.name, 'ann'), booster: true })).rejects.toThrow(
      BoosterRefused,
    );
  });

  it('with a booster is returned again for a repeat, also when the booster is used up', async () => {
    const { enqueue, request, boosters } = setUp(async () => new Map());
    boosters.set('ann', { boosterId: 'bst_1', division: 'Gold', higher: true, level: 29 });
    const asked = { ...request(fives.name, 'ann'), idempotencyKey: 'once', booster: true };
    const { ticketId } = await enqueue.run(asked);
    boosters.delete('ann');
    expect((await enqueue.run(asked)).ticketId).toBe(ticketId);
  });

  it('is returned again for a repeated request, even if its player may no longer queue', async () => {
    const { enqueue, request, coolingDown } = setUp(async () => new Map());
    const asked = { ...request(fives.name, 'ann'), idempotencyKey: 'once' };
    const { ticketId } = await enqueue.run(asked);
    coolingDown.add('ann');
    expect((await enqueue.run(asked)).ticketId).toBe(ticketId);
    await expect(enqueue.run({ ...asked, idempotencyKey: 'another' })).rejects.toThrow('cooling down');
    await expect(enqueue.run(request(fives.name, 'ann'))).rejects.toThrow('cooling down');
  });

  it('holds the roles that players can play, under any name', async () => {
    const { enqueue, request } = setUp(async () => new Map());
    const { players } = await enqueue.run({
      ...request(siege.name, 'ann', 'toString', 'constructor'),
      canPlay: new Map([
        ['ann', ['tank']],
        ['constructor', ['healer']],
      ]),
    });
    expect(players.map(({ playerId, canPlay }) => [playerId, canPlay])).toEqual([
      ['ann', ['tank']],
      ['toString', undefined],
      ['constructor', ['healer']],
    ]);
  });

  it('names the members of a party who are calibrated', async () => {
    const { run } = setUp(
      async () =>
        new Map([
          ['ann', probe(31.25, 3)],
          ['cid', probe(18.75, 1)],
        ]),
    );
    const record = await run('ann', 'bob', 'cid');
    expect(record.reason).toBe(
      'You are in the queue; this is calibration match 3 of 10 for ann, 1 of 10 for cid.',
    );
    expect(record.players.map(({ mu }) => mu)).toEqual([31.25, 25, 18.75]);
  });

  it('adds nothing for other players', async () => {
    const { run } = setUp(async () => new Map());
    const record = await run('ann');
    expect(record.reason).toBe('You are in the queue.');
    expect(record.players).toEqual([{ playerId: 'ann', mu: 25, sigma: 8 }]);
  });

  it('holds roles and map wishes, without duplicates', async () => {
    const { enqueue, request, store } = setUp(async () => new Map());
    const record = await enqueue.run({
      ...request('siege', 'ann', 'bob'),
      canPlay: new Map([
        ['ann', ['tank', 'healer', 'tank']],
        ['bob', []],
      ]),
      maps: ['mine', 'castle', 'mine'],
    });
    expect(record.players).toEqual([
      { playerId: 'ann', mu: 25, sigma: 8, canPlay: ['healer', 'tank'] },
      { playerId: 'bob', mu: 25, sigma: 8 },
    ]);
    expect(record.maps).toEqual(['castle', 'mine']);
    expect(await store.find('tkt_1')).toEqual(record);
  });

  it.each([
    ['siege', 'healr', [], 'siege demands no role "healr", which bob can play; there is healer, tank.'],
    [
      '5v5',
      'healer',
      [],
      '5v5 demands no roles, so nobody can be counted on for "healer"; leave canPlay out.',
    ],
    ['siege', 'tank', ['castle', 'moon'], 'siege does not play "moon"; there is castle, mine.'],
    ['5v5', null, ['moon'], '5v5 names no maps, so none can be wished for; leave maps out.'],
  ])(
    'is refused in %s for a role %s or maps %s that its rules do not define',
    async (queue, role, maps, why) => {
      const { enqueue, request, store } = setUp(async () => new Map());
      const canPlay = new Map(role === null ? [] : [['bob', [role]]]);
      await expect(enqueue.run({ ...request(queue, 'ann', 'bob'), canPlay, maps })).rejects.toThrow(why);
      expect(await store.ticketOf('ann')).toBeNull();
    },
  );

  it('is refused while calibration cannot be read', async () => {
    const { store, run } = setUp(async () => Promise.reject(new Error('Connection terminated')));
    await expect(run('ann')).rejects.toThrow('Connection terminated');
    expect(await store.ticketOf('ann')).toBeNull();
  });
});

describe('avoid-lists and penalties', () => {
  const nobodyNew = async () => new Map<string, Probe>();

  it('are in the ticket: players to keep away, and the behaviour score', async () => {
    const standing = { avoid: [{ playerId: 'eve', scope: 'team' as const }], behaviour: 0.4 };
    const { store, run } = setUp(nobodyNew, standing);
    expect(await run('ann')).toMatchObject(standing);
    expect(await store.find('tkt_1')).toMatchObject(standing);
  });

  it('refuse a ticket before any player is held, and name the player', async () => {
    const { store, enqueue, request } = setUp(nobodyNew);
    const asked = request('ranked', 'ann', 'bob');
    const claims = new Map([['ann', { verified: true }]]);
    await expect(enqueue.run({ ...asked, claims })).rejects.toMatchObject({
      code: 'entry-refused',
      facts: { missing: [{ playerId: 'bob', requirement: 'verified', needed: null }] },
    });
    expect(await store.ticketOf('ann')).toBeNull();
    await enqueue.run({ ...asked, claims: claims.set('bob', { verified: true }) });
    expect(await store.ticketOf('bob')).toBe('tkt_1');
  });
});

describe('a queue that another replica created a moment ago', () => {
  const nobodyNew = async () => new Map<string, Probe>();
  const inForce = (rules: QueueRules, version: number): RulesVersion => ({
    queue: rules.name,
    version,
    rules,
    why: '',
    appliesTo: 'new',
    createdAt: now,
  });

  it('accepts tickets at once: rules are read again before an unknown queue is reported', async () => {
    const { enqueue, request, elsewhere } = setUp(nobodyNew);
    await expect(enqueue.run(request('fresh', 'ann'))).rejects.toThrow('There is no queue "fresh"');
    elsewhere.push(inForce({ ...fives, name: 'fresh' }, 1));
    expect(await enqueue.run(request('fresh', 'ann'))).toMatchObject({ queue: 'fresh', rulesVersion: 1 });
  });

  it('refuses roles, maps and parties by its newest rules', async () => {
    const wider = { ...siege, roles: { bard: 1 }, maps: { names: ['moon'], agreeSeconds: null } };
    const { enqueue, request, elsewhere } = setUp(nobodyNew);
    const asked = { ...request('siege', 'ann'), canPlay: new Map([['ann', ['bard']]]), maps: ['moon'] };
    await expect(enqueue.run(asked)).rejects.toMatchObject({ code: 'role-unknown' });
    elsewhere.push(inForce(wider, 2));
    expect(await enqueue.run(asked)).toMatchObject({ rulesVersion: 2, maps: ['moon'] });

    const crowd = { ...request('ranked', 'bob', 'cid', 'dan'), idempotencyKey: 'crowd' };
    elsewhere.push(inForce({ ...ranked, entry: { minMatches: 4 } }, 2));
    await expect(enqueue.run({ ...crowd, claims: new Map() })).rejects.toMatchObject({
      facts: { missing: [{ playerId: 'bob', requirement: 'minMatches' }, {}, {}] },
    });
    elsewhere.push(inForce({ ...fives, name: 'ranked' }, 3));
    expect(await enqueue.run(crowd)).toMatchObject({ rulesVersion: 3 });
  });
});

describe('a slow rating service', () => {
  it('has new tickets refused once many wait; those are answered, and then new ones are taken', async () => {
    let answer = (): void => undefined;
    const ratingsRead = new Promise<void>((resolve) => (answer = resolve));
    const { run, enqueue, request } = setUp(async () => new Map(), {}, null, ratingsRead);
    const keyed = (playerId: string) =>
      enqueue.run({ ...request(fives.name, playerId), idempotencyKey: playerId });
    const first = Array.from({ length: mostAtOnce }, (_, i) => keyed(`p${i}`));
    await expect(run('cid')).rejects.toMatchObject({ code: 'too-busy' });
    answer();
    for (const each of await Promise.all(first)) expect(each.state).toBe('waiting');
    expect((await run('cid')).state).toBe('waiting');
  });
});
