import {
  BoosterRefused,
  type ClientFacts,
  type PlayerRating,
  type QueueRules,
  type RulesVersion,
  type UsableBooster,
} from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { MemoryTicketStore } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import type { Probe } from '../calibration/calibrate.js';
import { Enqueue, type EnqueueRequest } from './enqueue.js';
import { FollowRules } from '../rules/follow-rules.js';
import { KnownBuilds, type BuildReader } from './known-builds.js';
import { Queues } from '../rules/queues.js';
import type { Standing } from '../standing/standing.js';

const [fives] = defaultQueues as [QueueRules, ...QueueRules[]];
const now = 1_000_000;
const siege: QueueRules = {
  ...fives,
  name: 'siege',
  roles: { healer: 1, tank: 1 },
  maps: { names: ['castle', 'mine'], agreeSeconds: null },
};

const ranked: QueueRules = { ...fives, name: 'ranked', entry: { verified: true, minMatches: 3 } };

function setUp(
  probes: () => Promise<ReadonlyMap<string, Probe>>,
  standing: Awaited<ReturnType<Standing['ofTicket']>> = {},
  builds: BuildReader | null = null,
  ratingsRead: Promise<void> = Promise.resolve(),
) {
  const store = new MemoryTicketStore();
  const coolingDown = new Set<string>();
  const boosters = new Map<string, UsableBooster>();
  const queues = new Queues([...defaultQueues, siege, ranked]);
  const elsewhere: RulesVersion[] = [];
  const follow = new FollowRules(
    queues,
    {
      after: async (known) => elsewhere.filter(({ queue, version }) => version > (known.get(queue) ?? 0)),
      seed: async () => [],
      change: async () => ({ outcome: 'stale', newest: 0 }),
    },
    { now: () => now },
  );
  let seconds = now;
  const enqueue = new Enqueue(
    queues,
    {
      async ratingsOf(_pool, playerIds) {
        await ratingsRead;
        return playerIds.map((playerId): PlayerRating => ({ playerId, mu: 25, sigma: 8, matches: 3 }));
      },
    },
    { probes },
    store,
    { now: () => now },
    {
      make: (prefix) => `${prefix}_1`,
      derive: (prefix, text) => `${prefix}_${text}`,
      fingerprint: (value) => JSON.stringify(value),
    },
    { ofTicket: async () => standing },
    {
      check: async (playerIds) => {
        if (playerIds.some((playerId) => coolingDown.has(playerId))) throw new Error('cooling down');
        return [];
      },
    },
    follow,
    // A second passes between two tickets, so cached answers are stale.
    new KnownBuilds(builds, { now: () => (seconds += 1_000) }, () => undefined),
    {
      async usable(_pool, playerId) {
        const booster = boosters.get(playerId);
        if (!booster) throw new BoosterRefused(`${playerId} has no booster.`);
        return booster;
      },
    },
    2,
  );
  const request = (queue: string, ...playerIds: string[]): EnqueueRequest => ({
    queue,
    build: 'b',
    latencyMs: {},
    playerIds,
    canPlay: new Map(),
    clients: new Map(),
    claims: new Map(),
    maps: [],
    idempotencyKey: undefined,
  });
  const run = (...playerIds: string[]) => enqueue.run(request(fives.name, ...playerIds));
  return { store, run, enqueue, request, coolingDown, elsewhere, boosters };
}

const probe = (level: number, match: number): Probe => ({ level, calibration: { match, of: 10 } });

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

describe('C1 builds and platforms of a party', () => {
  const nobodyNew = async () => new Map<string, Probe>();
  const apart: QueueRules = {
    ...fives,
    name: '5v5',
    crossPlay: { groups: [['pc', 'mac'], ['xbox']] },
  };
  /** Under these rules, as another replica put them in force. */
  function under(rules: QueueRules | null) {
    const { elsewhere, ...rest } = setUp(nobodyNew);
    const inForce = { queue: '5v5', version: 2, why: '', appliesTo: 'new' as const, createdAt: now };
    if (rules) elsewhere.push({ ...inForce, rules });
    return rest;
  }
  const clientsOf = (clients: Record<string, ClientFacts>) => ({ clients: new Map(Object.entries(clients)) });

  it("are refused when members have different builds, with each player's build", async () => {
    const { enqueue, request, store } = under(null);
    const asked = request('5v5', 'ann', 'bob', 'cid', 'dan');
    const clients = clientsOf({ bob: { build: 'b' }, cid: { build: 'c' } });
    await expect(enqueue.run({ ...asked, ...clients })).rejects.toMatchObject({
      code: 'mixed-builds',
      message:
        'Only equal builds meet, and the party has several: ann has b, bob has b, cid has c. Update to one build.',
      facts: {
        builds: [
          { playerId: 'ann', build: 'b' },
          { playerId: 'bob', build: 'b' },
          { playerId: 'cid', build: 'c' },
        ],
      },
    });
    expect(await store.ticketOf('ann')).toBeNull();
    // A client too old to send a build for members counts as having the leader's.
    expect(await enqueue.run({ ...asked, ...clientsOf({ bob: { build: 'b' } }) })).toMatchObject({
      build: 'b',
    });
  });

  it('are in the ticket as each player sent them', async () => {
    const { enqueue, request, store } = under(null);
    const clients = clientsOf({ ann: { platform: 'pc' }, bob: { platform: 'xbox' } });
    const record = await enqueue.run({ ...request('5v5', 'ann', 'bob', 'cid'), ...clients });
    expect(record.players.map(({ platform }) => platform)).toEqual(['pc', 'xbox', undefined]);
    expect(record).not.toHaveProperty('crossPlay');
    expect(await store.find('tkt_1')).toEqual(record);
    const alone = clientsOf({ dan: { platform: 'toString', crossPlay: false } });
    expect(await enqueue.run({ ...request('1v1', 'dan'), ...alone, idempotencyKey: 'k' })).toMatchObject({
      players: [{ playerId: 'dan', platform: 'toString' }],
      crossPlay: false,
    });
  });

  it.each<[string, Record<string, ClientFacts>, string, string]>([
    [
      'of several groups',
      { ann: { platform: 'pc' }, bob: { platform: 'xbox' } },
      'cross-play-refused',
      '5v5 keeps platforms apart (pc, mac | xbox), also within a party: ann is on pc, bob is on xbox.',
    ],
    [
      'that the queue does not take',
      { ann: { platform: 'pc' }, bob: { platform: 'constructor' } },
      'platform-unknown',
      '5v5 does not take the platform "constructor" (bob). It takes pc, mac, xbox.',
    ],
    [
      'that nobody named',
      { ann: { platform: 'pc' } },
      'platform-unknown',
      '5v5 keeps platforms apart, so every player must name theirs; one is missing (bob). It takes pc, mac, xbox.',
    ],
    [
      'of which one player refuses the others',
      { ann: { platform: 'pc' }, bob: { platform: 'mac', crossPlay: false } },
      'cross-play-refused',
      'bob plays without cross-play, so all of the party must be on mac: ann is on pc, bob is on mac.',
    ],
    [
      'of which one player refuses the others, and the leader’s is missing',
      { bob: { platform: 'mac', crossPlay: false } },
      'platform-unknown',
      'Without cross-play (bob) every player must name a platform; one is missing (ann).',
    ],
  ])('are refused for platforms %s', async (_, clients, code, message) => {
    const { enqueue, request, store } = under(apart);
    // Version 2 is read when the first version refuses a player.
    await expect(enqueue.run({ ...request('5v5', 'eve'), maps: ['moon'] })).rejects.toThrow('5v5');
    const asked = { ...request('5v5', 'ann', 'bob'), ...clientsOf(clients) };
    await expect(enqueue.run(asked)).rejects.toMatchObject({ code, message });
    expect(await store.ticketOf('ann')).toBeNull();
  });

  it('are accepted where a party opens cross-play', async () => {
    const { enqueue, request } = under({
      ...apart,
      crossPlay: { groups: [['pc'], ['xbox']], partiesOpenCrossPlay: true },
    });
    await expect(enqueue.run({ ...request('5v5', 'eve'), maps: ['moon'] })).rejects.toThrow('5v5');
    const clients = clientsOf({ ann: { platform: 'xbox' }, bob: { platform: 'pc' } });
    expect(await enqueue.run({ ...request('5v5', 'ann', 'bob'), ...clients })).toMatchObject({
      rulesVersion: 2,
      players: [{ platform: 'xbox' }, { platform: 'pc' }],
    });
  });
});

describe('a ticket that names no build', () => {
  const nobodyNew = async () => new Map<string, Probe>();
  /** The builds of servers, and the number of reads. */
  function among(...names: string[]) {
    const asked: number[] = [];
    const reader: BuildReader = {
      builds: async (limit) => {
        asked.push(limit);
        return names.slice(0, limit);
      },
    };
    const { request, ...rest } = setUp(nobodyNew, {}, reader);
    const unnamed = (...players: string[]) => ({ ...request('1v1', ...players), build: undefined });
    return { ...rest, request, unnamed, names, asked };
  }

  it('is refused where servers have several builds, for it would wait for ever', async () => {
    const { enqueue, request, unnamed, store, asked } = among('1.4.1', '1.4.2');
    await expect(enqueue.run(unnamed('ann'))).rejects.toMatchObject({
      code: 'build-missing',
      message:
        'Servers of several builds are registered (1.4.1, 1.4.2), and only equal builds meet. The client must send its own `build`.',
      facts: { builds: ['1.4.1', '1.4.2'] },
    });
    expect(await store.ticketOf('ann')).toBeNull();
    expect(await enqueue.run(request('1v1', 'ann'))).toMatchObject({ build: 'b' });
    expect(asked).toHaveLength(1);
  });

  it('is refused with at most ten builds', async () => {
    const { enqueue, unnamed } = among(...Array.from({ length: 500 }, (_, i) => `b${i}`));
    await expect(enqueue.run(unnamed('ann'))).rejects.toMatchObject({
      message: expect.stringContaining('(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9 and more)'),
      facts: { builds: expect.objectContaining({ length: 10 }) },
    });
  });

  it('gets the build of the servers where all have the same, as does its party', async () => {
    const { enqueue, request, unnamed } = among('1.4.2');
    expect(await enqueue.run(unnamed('ann'))).toMatchObject({ build: '1.4.2' });
    const party = { ...request('5v5', 'bob', 'cid'), build: undefined, idempotencyKey: 'party' };
    const clients = (build: string) => ({ clients: new Map([['cid', { build }]]) });
    await expect(enqueue.run({ ...party, ...clients('1.4.1') })).rejects.toMatchObject({
      code: 'mixed-builds',
    });
    expect(await enqueue.run({ ...party, ...clients('1.4.2') })).toMatchObject({ build: '1.4.2' });
  });

  it('gets the build "dev" without registered servers, or when builds cannot be read', async () => {
    const { enqueue, unnamed } = among();
    expect(await enqueue.run(unnamed('ann'))).toMatchObject({ build: 'dev' });
    const away: BuildReader = { builds: async () => Promise.reject(new Error('no answer in 500 ms')) };
    for (const reader of [away, null]) {
      const without = setUp(nobodyNew, {}, reader);
      const asked = { ...without.request('1v1', 'ann'), build: undefined };
      expect(await without.enqueue.run(asked)).toMatchObject({ build: 'dev' });
    }
  });

  it('is returned again for a repeated request, whatever servers have registered since', async () => {
    const { enqueue, unnamed, names } = among('1.4.1');
    const asked = { ...unnamed('ann'), idempotencyKey: 'once' };
    const first = await enqueue.run(asked);
    names.push('1.4.2');
    expect((await enqueue.run(asked)).ticketId).toBe(first.ticketId);
  });
});

describe('a slow rating service', () => {
  it('has new tickets refused once many wait; those are answered, and then new ones are taken', async () => {
    let answer = (): void => undefined;
    const ratingsRead = new Promise<void>((resolve) => (answer = resolve));
    const { run, enqueue, request } = setUp(async () => new Map(), {}, null, ratingsRead);
    const keyed = (playerId: string) =>
      enqueue.run({ ...request(fives.name, playerId), idempotencyKey: playerId });
    const first = [keyed('ann'), keyed('bob')];
    await expect(run('cid')).rejects.toMatchObject({ code: 'too-busy' });
    answer();
    for (const each of await Promise.all(first)) expect(each.state).toBe('waiting');
    expect((await run('cid')).state).toBe('waiting');
  });
});
