import type { ClientFacts, QueueRules } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { fives, now, setUp } from '../../test-support/enqueue-set-up.js';
import type { Probe } from '../calibration/calibrate.js';
import type { AllocatorClient } from '../services/allocator.client.js';

type BuildReader = Pick<AllocatorClient, 'builds'>;

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
        return { builds: names.slice(0, limit), startsNone: false };
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
