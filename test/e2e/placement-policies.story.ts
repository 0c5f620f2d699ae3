import type { CapacityView } from '@muster/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GameServer, register } from '../support/game-server.js';
import { until } from '../support/gate.js';
import { ask, jsonOf } from '../support/http.js';
import { openQueue } from '../support/open-queue.js';
import { duel, queueUp } from '../support/party.js';
import { Hook } from '../support/scale-out-hook.js';
import type { Stack } from '../support/stack.js';
import { storiesHookPort, storiesStack } from './stories-stack.js';

let stack: Stack;
let hook: Hook;
const servers: GameServer[] = [];

beforeAll(async () => {
  stack = await storiesStack();
  hook = await Hook.start(storiesHookPort());
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  hook?.stop();
});

async function serve(serverId: string, build: string, slots: number): Promise<GameServer> {
  const server = await GameServer.start(stack, { serverId, build, slots });
  servers.push(server);
  return server;
}

/** The capacity of a build as operators read it. An answer may be two seconds old. */
async function capacityOf(build: string): Promise<CapacityView['places'][number] | undefined> {
  const { places } = await stack.operator.capacity();
  return places.find((place) => place.build === build);
}

describe('C13 a server above a limit of load', () => {
  it('gets no match; the tickets say so, and another server gets it', async () => {
    const build = 'hot-build';
    const { serverToken } = await register(stack, { serverId: 'hot', build, slots: 4 });
    const beat = async (tick: unknown): Promise<number> =>
      (
        await ask(stack.url, '/v1/servers/hot/heartbeat', {
          token: serverToken,
          body: { cpuLoad: 0.2, ...(tick === undefined ? {} : { tick }) },
        })
      ).status;
    for (const wrong of [
      { rate: 0, p95Ms: 1 },
      { rate: 60 },
      { rate: 60, p95Ms: -1 },
      16,
      { rate: 60, p95Ms: 1, worst: 2 },
    ])
      expect(await beat(wrong)).toBe(400);
    // Servers that report no ticks go on as before.
    expect(await beat(undefined)).toBe(200);
    expect(await beat({ rate: 60, p95Ms: 25 })).toBe(200);

    const [one, two] = await duel(stack, build, ['hot-1', 'hot-2']);
    const hot =
      /1 server of build hot-build in any region has free slots but is overloaded, and no other has/;
    await one.until((news) => news.state === 'placing' && hot.test(news.reason));
    const { servers: all } = await stack.operator.servers({ cursor: 'hos', limit: 1 });
    expect(all).toMatchObject([{ serverId: 'hot', tickLoad: 1.5, overloaded: true, slotsInUse: 0 }]);
    await until(async () => (await capacityOf(build))?.overloadedSlots === 4);
    expect(await capacityOf(build)).toMatchObject({ free: 0, slots: 4, overloadedServers: 1 });

    await serve('cool', build, 1);
    expect((await two.assigned()).serverId).toBe('cool');
  });
});

describe('C13 a queue whose matches are packed', () => {
  it('fills one server before the next, and each match says why', async () => {
    const build = 'packed-build';
    for (const serverId of ['packed-1', 'packed-2', 'packed-3']) await serve(serverId, build, 2);
    const queue = await openQueue(stack, 'packed', { placement: 'pack' });
    const placed: string[] = [];
    const why: (string | null)[] = [];
    for (const i of [1, 2, 3]) {
      const one = await queueUp(stack, [`packed-${i}-one`], { queue, build });
      await queueUp(stack, [`packed-${i}-two`], { queue, build });
      const { serverId, matchId } = await one.assigned();
      placed.push(serverId);
      why.push((await stack.operator.match(matchId)).serverWhy);
    }
    expect(placed).toEqual(['packed-3', 'packed-3', 'packed-2']);
    const says = (used: number) =>
      `Policy pack: the server in local was the fullest one with a free slot (${used} of 2 slots in use, load 0 %).`;
    expect(why).toEqual([says(0), says(1), says(0)]);

    const body = { rules: { ...(await rulesOf(queue)), placement: 'packed' } };
    const refused = await ask(stack.url, `/v1/queues/${queue}/rules`, {
      method: 'PUT',
      token: stack.run.operatorKey,
      body,
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('must be spread, pack or latency-first');
  });

  async function rulesOf(name: string): Promise<object> {
    const { queues } = await stack.operator.queues();
    const { version: _, ...rules } = queues.find((queue) => queue.name === name) ?? { version: 0 };
    return rules;
  }
});

describe('C26 spare slots', () => {
  it('are requested once, before anybody waits, and come with a server', async () => {
    const build = 'spare-build';
    await serve('spare-1', build, 4);
    for (const i of [1, 2]) {
      const [one] = await duel(stack, build, [`spare-${i}-one`, `spare-${i}-two`]);
      expect((await one.assigned()).serverId).toBe('spare-1');
    }
    const { body } = await hook.calls.first(() => true);
    expect(body).toMatchObject({ build, regions: ['local'], waitingMatches: 0, slots: 1, servers: 1 });
    await until(async () => (await capacityOf(build))?.slotsOnTheirWay === 1);
    expect(await capacityOf(build)).toMatchObject({ used: 2, free: 2, spareSlots: 3, wantedSlots: 0 });

    await serve('spare-2', build, 4);
    await until(async () => (await capacityOf(build))?.slotsOnTheirWay === 0);
    expect(await capacityOf(build)).toMatchObject({
      servers: 2,
      free: 6,
      emptyServers: 1,
      surplusServers: 0,
    });
    expect(hook.calls.all).toHaveLength(1);
  });

  it('are for operators alone to see', async () => {
    const player = await ask(stack.url, '/v1/capacity', { token: await stack.token('spare-player') });
    expect(player.status).toBe(403);
    expect((await ask(stack.url, '/v1/capacity')).status).toBe(401);
    const answer = await ask(stack.url, '/v1/capacity', { token: stack.run.operatorKey });
    expect(jsonOf<CapacityView>(answer).places.map(({ build }) => build)).toContain('spare-build');
  });
});
