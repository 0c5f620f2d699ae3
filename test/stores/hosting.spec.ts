import { type AllocationState, type FleetScaler, type ServerProvider } from '@muster/domain';
import { conformanceRequest } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { PostgresAllocationStore } from '../../apps/allocator/src/hosting/hosting.store.js';
import { StaticFleet } from '../../apps/allocator/src/hosting/static-fleet.js';
import { as } from '../support/database.js';
import { Coordinator, needFor, scripted, type CoordinatorOptions } from './coordinator.js';
import { databaseForEach, noon, range } from './fixtures.js';

const data = databaseForEach();
const need = needFor(1);

const coordinator = (provider: ServerProvider, options?: CoordinatorOptions, count?: number): Coordinator =>
  new Coordinator(data(), provider, options, count);

const counted = (states: readonly string[]): Partial<Record<AllocationState, number>> =>
  Object.fromEntries(
    [...new Set(states)].map((state) => [state, states.filter((each) => each === state).length]),
  );

describe('C18 C26 an allocation', () => {
  it('is asked for, claimed by the server that names it, and released when the server leaves', async () => {
    const provider = scripted();
    const c = coordinator(provider);
    await c.hosting.ask(need);
    const { id, state } = await c.only();
    expect(state).toBe('allocated');
    await c.register('game-1', id);
    expect(await c.only()).toMatchObject({ state: 'claimed', serverId: 'game-1', nextAt: null });
    // The same server may register again.
    await c.register('game-1', id);
    await c.pass(600_000);
    expect(provider.asked).toEqual(['ask 1']);
    await c.allocator.fleet.leave('game-1', c.now);
    await c.pass(5_000);
    expect(provider.asked).toEqual(['ask 1', 'release 1']);
    expect((await c.only()).state).toBe('released');
  });

  it('is written before it is sent, and sent again with its id by another replica when the first dies', async () => {
    let reached = (): void => undefined;
    const sent = new Promise<void>((resolve) => (reached = resolve));
    const ids: string[] = [];
    const dying = scripted({
      ask: ({ id }) => {
        ids.push(id);
        reached();
        return new Promise(() => undefined);
      },
    });
    const first = coordinator(dying);
    void first.hosting.ask(need);
    await sent;
    const second = coordinator(
      scripted({
        ask: async ({ id }) => {
          ids.push(id);
          return { state: 'allocated', serverId: null, host: 'h', port: 1 };
        },
      }),
    );
    await second.pass(5_000);
    expect(ids).toHaveLength(1);
    await second.pass(1_500);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect((await second.only()).state).toBe('allocated');
  });

  it('is one for each waiting match, whichever replica counts, and no more than maxPending', async () => {
    const c = coordinator(scripted(), { maxPending: 6 }, 4);
    await Promise.all(c.replicas.map((each) => each.ask(needFor(4))));
    expect(await c.states()).toHaveLength(4);
    await Promise.all(c.replicas.map((each) => each.ask(needFor(9))));
    expect(await c.states()).toHaveLength(6);
    // Another need finds no room.
    await expect(c.hosting.ask({ ...need, build: '1.4.3' })).rejects.toThrow('maxPending');
    expect(await data().deadlocks()).toBe(0);
  });

  it('counts the slots of a server', async () => {
    const c = coordinator(scripted(), { slots: 4 });
    await c.hosting.ask(needFor(9));
    expect(await c.states()).toHaveLength(3);
  });

  it('is taken for a step by one replica', async () => {
    const provider = scripted();
    const c = coordinator(provider, { maxPending: 40, concurrency: 100 }, 4);
    const failing = scripted({
      ask: async () => ({ state: 'unavailable', error: 'later', retryAfterMs: null }),
    });
    await coordinator(failing, { maxPending: 40, concurrency: 100 })
      .hosting.ask(needFor(40))
      .catch(() => undefined);
    await c.pass(10_000);
    expect(provider.asked).toHaveLength(40);
    expect(new Set(await c.states())).toEqual(new Set(['allocated']));
  });

  it('is sent with no more others at once than the provider takes, whoever asks', async () => {
    let [working, most] = [0, 0];
    const provider = scripted({
      ask: async () => {
        most = Math.max(most, ++working);
        await new Promise((resolve) => setTimeout(resolve, 20));
        working--;
        return { state: 'allocated', serverId: null, host: 'h', port: 1 };
      },
    });
    const c = coordinator(provider, { maxPending: 40, concurrency: 2 });
    await Promise.all(range(6).map((i) => c.hosting.ask({ ...needFor(4), build: `1.4.${i}` })));
    while ((await c.states()).includes('asked')) await c.pass(0);
    expect(most).toBe(2);
    expect(await c.states()).toHaveLength(24);
  });

  it('is given up when no server claims it in time, and refused to the one that comes later', async () => {
    const provider = scripted();
    const c = coordinator(provider);
    await c.hosting.ask(need);
    const { id } = await c.only();
    await c.pass(119_000);
    expect((await c.only()).state).toBe('allocated');
    await c.pass(1_000);
    await expect(c.register('late', id)).rejects.toMatchObject({ code: 'allocation-over' });
    await c.pass(1_000);
    expect((await c.only()).state).toBe('released');
    expect(provider.asked).toEqual(['ask 1', 'release 1']);
    await expect(c.register('late', id)).rejects.toMatchObject({ code: 'allocation-over' });
    // A refused server is not registered.
    expect(await data().db.server.count()).toBe(0);
  });

  it('has one server: a second one is refused, and an unknown allocation too', async () => {
    const c = coordinator(scripted());
    await c.hosting.ask(need);
    const { id } = await c.only();
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((name) => c.register(name, id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'allocation-taken' });
    expect(await data().db.server.count()).toBe(1);
    await expect(c.register('d', conformanceRequest().id)).rejects.toMatchObject({ code: 'allocation-over' });
  });

  it('is claimed by a server whose reply was lost, and its late reply changes nothing', async () => {
    let reply = (): void => undefined;
    let reached = (): void => undefined;
    const sent = new Promise<void>((resolve) => (reached = resolve));
    const c = coordinator(
      scripted({
        ask: () =>
          new Promise((resolve) => {
            reply = () => resolve({ state: 'allocated', serverId: null, host: 'h', port: 1 });
            reached();
          }),
      }),
    );
    const asking = c.hosting.ask(need);
    await sent;
    await c.register('game-1', (await c.only()).id);
    reply();
    await asking;
    expect(await c.only()).toMatchObject({ state: 'claimed', serverId: 'game-1', host: 'h' });
  });

  it('is released once more when a reply names a server after it was given up', async () => {
    let reply = (): void => undefined;
    let reached = (): void => undefined;
    const sent = new Promise<void>((resolve) => (reached = resolve));
    const slow = coordinator(
      scripted({
        ask: () =>
          new Promise((resolve) => {
            reply = () => resolve({ state: 'allocated', serverId: null, host: 'h', port: 1 });
            reached();
          }),
      }),
    );
    const asking = slow.hosting.ask(need).catch(() => undefined);
    await sent;
    const provider = scripted();
    const c = coordinator(provider);
    await c.pass(200_000);
    await c.pass(1_000);
    expect((await c.only()).state).toBe('released');
    reply();
    await asking;
    expect((await c.only()).state).toBe('releasing');
    await c.pass(1_000);
    expect((await c.only()).state).toBe('released');
    expect(provider.asked).toEqual(['release 1', 'release 1']);
  });

  it('ends without a release if it was never sent', async () => {
    const provider = scripted();
    const c = coordinator(provider, { concurrency: 1 });
    await c.store.openAllocations(
      { ...need, choices: [{ provider: 'p', region: 'eu', slots: 1, maxPending: 5, claimMs: 1_000 }] },
      () => conformanceRequest().id,
      noon,
    );
    await c.pass(1_000);
    expect(await c.only()).toMatchObject({ state: 'failed', lastError: 'the request was not sent in time' });
    expect(provider.asked).toEqual([]);
  });

  it('waits for a pending server, and fails with the reason of the provider', async () => {
    const answers = [
      { state: 'pending', retryAfterMs: 4_000 },
      { state: 'failed', error: 'all machines are in use' },
    ] as const;
    let next = 0;
    const answer = async (): Promise<(typeof answers)[number]> => answers[next++] ?? answers[1];
    const c = coordinator(scripted({ ask: answer, poll: answer }));
    await c.hosting.ask(need);
    expect((await c.only()).state).toBe('pending');
    await c.pass(3_999);
    expect(next).toBe(1);
    await c.pass(1);
    expect(await c.only()).toMatchObject({ state: 'failed', lastError: 'all machines are in use' });
    await expect(c.hosting.ask(need)).rejects.toThrow('all machines are in use');
  });

  it('leaves a provider alone for as long as it asks', async () => {
    let busy = true;
    const provider = scripted();
    const asked: number[] = [];
    const c = coordinator(
      scripted({
        ask: async (request) => {
          asked.push(c.now);
          return busy
            ? { state: 'unavailable', error: 'slow down', retryAfterMs: 60_000 }
            : provider.ask(request);
        },
      }),
      { concurrency: 1 },
      3,
    );
    // The others are not sent after the first was refused.
    await c.hosting.ask(needFor(5));
    for (let i = 0; i < 59; i++) await c.pass(1_000);
    // Another replica does not send what it adds meanwhile.
    await c.replicas[2]?.ask({ ...need, build: '1.4.3' });
    expect(asked).toEqual([noon]);
    busy = false;
    for (let i = 0; i < 5; i++) await c.pass(1_000);
    expect(counted(await c.states())).toEqual({ allocated: 6 });
  });

  it('is asked for in the next region while the first fails', async () => {
    const failing = scripted({
      ask: async () => ({ state: 'unavailable', error: 'down', retryAfterMs: null }),
    });
    const us = scripted();
    const other = {
      name: 'us',
      provider: us,
      slots: 1,
      maxPending: 5,
      claimMs: 60_000,
      timeoutMs: 1_000,
      concurrency: 4,
    };
    const c = coordinator(failing, {
      rules: [
        { regions: ['eu'], provider: 'p' },
        { regions: ['us'], provider: 'us' },
      ],
      others: [other],
    });
    const both = { ...need, regions: ['eu', 'us'] };
    await expect(c.hosting.ask(both)).rejects.toThrow('down');
    await c.hosting.ask(both);
    await c.hosting.ask(both);
    expect(us.asked).toEqual(['ask 2']);
    expect(counted(await c.states())).toEqual({ asked: 1, allocated: 1 });
  });

  it('is asked for in the next region when the first refuses, which is asked again after a while', async () => {
    const asked: string[] = [];
    const full = new Set(['p']);
    const region = (name: string): ServerProvider =>
      scripted({
        ask: async () => {
          asked.push(name);
          return full.has(name)
            ? { state: 'failed', error: `${name} is full` }
            : { state: 'allocated', serverId: null, host: 'h', port: 1 };
        },
      });
    const limits = { slots: 1, maxPending: 10, claimMs: 600_000, timeoutMs: 1_000, concurrency: 8 };
    const c = coordinator(region('p'), {
      rules: [
        { regions: ['eu'], provider: 'p' },
        { regions: ['us'], provider: 'us' },
      ],
      others: [{ ...limits, name: 'us', provider: region('us') }],
    });
    const both = { ...needFor(2), regions: ['eu', 'us'] };
    await expect(c.hosting.ask(both)).rejects.toThrow('p is full');
    for (let i = 0; i < 3; i++) {
      c.now += 5_000;
      await c.hosting.ask(both);
    }
    expect(asked).toEqual(['p', 'p', 'us', 'us']);

    // Both refuse another need: nothing is asked any more, and the reason is still told.
    full.add('us');
    const other = { ...both, build: '1.4.3' };
    for (let i = 0; i < 4; i++) await expect(c.hosting.ask(other)).rejects.toThrow('is full');
    expect(asked.slice(4)).toEqual(['p', 'p', 'us', 'us']);
    expect(counted(await c.states())).toEqual({ failed: 6, allocated: 2 });
    full.clear();
    c.now += 60_000;
    await c.hosting.ask(other);
    expect(asked.slice(8)).toEqual(['p', 'p']);
  });

  it('is not made where servers register by themselves; what no rule covers goes to the hook', async () => {
    const asked: string[] = [];
    const hook: FleetScaler = {
      ask: async ({ build }) => {
        asked.push(build);
      },
    };
    const c = coordinator(scripted(), {
      rules: [
        { builds: ['1.4.2'], provider: 'direct' },
        { builds: ['1.4.3'], provider: 'p' },
      ],
      otherwise: hook,
    });
    await expect(c.hosting.ask(need)).rejects.toThrow(
      'servers of build 1.4.2 in eu register by themselves, as HOSTING_FILE says; none is asked for',
    );
    await c.hosting.ask({ ...need, build: '1.4.3' });
    await c.hosting.ask({ ...need, build: '2.0.0' });
    expect(asked).toEqual(['2.0.0']);
    expect(await c.states()).toEqual(['allocated']);
    const alone = coordinator(scripted(), { rules: [{ builds: ['1.4.3'], provider: 'p' }] });
    await expect(alone.hosting.ask({ ...need, regions: [] })).rejects.toThrow(
      'no rule of HOSTING_FILE names a provider for build 1.4.2 in any region',
    );
  });
});

describe('C18 servers and allocations', () => {
  it('part when a server is lost for a while, but not when it comes back soon', async () => {
    const c = coordinator(scripted());
    const timeouts = { answerMs: 5_000, silenceMs: 10_000, massSilenceMs: 10_000, avoidMs: 15_000 };
    await c.hosting.ask(need);
    const { id } = await c.only();
    await c.register('game-1', id);
    c.now += 30_000;
    await c.allocator.silence.loseSilent(timeouts, c.now, 10);
    await c.pass(20_000);
    await c.register('game-1', id);
    expect((await c.only()).state).toBe('claimed');
    c.now += 30_000;
    await c.allocator.silence.loseSilent(timeouts, c.now, 10);
    await c.pass(61_000);
    expect((await c.only()).state).toBe('released');
    await expect(c.register('game-1', id)).rejects.toMatchObject({ code: 'allocation-over' });
  });

  it('are compared, so that none stays claimed by a server that an older release let go', async () => {
    const c = coordinator(scripted());
    await c.hosting.ask(needFor(3));
    const rows = await data().db.allocation.findMany({ orderBy: { id: 'asc' } });
    for (const [i, { id }] of rows.entries()) await c.register(`game-${i}`, id);
    await data().db.$executeRaw`UPDATE server SET state = 'left' WHERE id = 'game-0'`;
    await data().db.$executeRaw`DELETE FROM server WHERE id = 'game-1'`;
    await c.hosting.reconcile();
    await c.pass(1_000);
    expect(await c.states()).toEqual(['released', 'released', 'claimed']);
  });

  it('are those of a fleet file by its ids: each is expected once, and claims by registering', async () => {
    const servers = range(3).map((i) => ({
      serverId: `rack-${i}`,
      host: '203.0.113.8',
      port: 7_000 + i,
      build: '1.4.2',
      region: 'eu',
      slots: 1,
    }));
    const store = new PostgresAllocationStore(as('allocator', data().db));
    const c = coordinator(new StaticFleet(servers, (ids) => store.takenServers(ids)), {}, 3);
    await c.register('rack-1');
    await Promise.all(c.replicas.map((each) => each.ask(needFor(3)).catch(() => undefined)));
    for (let i = 0; i < 5; i++) await c.pass(1_000);
    const rows = await data().db.allocation.findMany({ where: { state: 'allocated' } });
    expect(rows.map(({ serverId }) => serverId).toSorted()).toEqual(['rack-0', 'rack-2']);
    expect(c.troubles.join()).toContain(
      'each of the 3 listed servers of build 1.4.2 in eu is registered or expected',
    );
    await c.register('rack-0');
    expect(counted(await c.states())).toMatchObject({ claimed: 1, allocated: 1 });
  });

  it('are deleted with the retention of servers, unless they are in progress', async () => {
    const c = coordinator(scripted());
    await c.hosting.ask(needFor(2));
    const [first] = await data().db.allocation.findMany({ orderBy: { id: 'asc' } });
    await c.register('game-1', first?.id);
    await c.pass(200_000);
    await c.pass(1_000);
    expect(counted(await c.states())).toEqual({ claimed: 1, released: 1 });
    await c.allocator.retention.forget({ servers: c.now + 1, sessions: noon }, 10);
    expect(await c.states()).toEqual(['claimed']);
  });
});
