import type { PlacementTimeouts } from '@muster/domain';
import { PostgresPlacementStore } from '../../apps/allocator/src/placement/placement.store.js';
import { describe, expect, it } from 'vitest';
import { Fleet } from '../../apps/allocator/src/fleet/fleet.js';
import { carriedMs, Hearing } from '../../apps/allocator/src/fleet/hearing.js';
import { DueWork } from '../../apps/allocator/src/placement/due.js';
import { Placing } from '../../apps/allocator/src/placement/placing.js';
import { databaseForEach, noon } from './fixtures.js';
import { House } from './house.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const timeouts: PlacementTimeouts = { answerMs: 5_000, silenceMs: 10_000, avoidMs: 15_000 };
const limits = { toleranceMs: 3_000, goneMs: 60_000, carriedMs: carriedMs(timeouts.silenceMs) };
const notifier = { wake: () => undefined, wait: () => Promise.resolve() };
const beatMs = 2_500;
const stepMs = 500;

/** The component that stalls. A paused machine's monotonic clock stands still. */
type Stalled = 'store' | 'one' | 'both' | 'machine';

/** Real time, and the readings of the allocators' machine. */
class Time {
  now = noon;
  monotonic = 0;
  /** The offset of the machine's clock. */
  wrong = 0;

  pass(ms: number, paused = false): void {
    this.now += ms;
    if (!paused) this.monotonic += ms;
  }
}

/** An allocator as its process would run it while it is not stopped. */
class Allocator {
  readonly hearing: Hearing;
  private readonly placing: Placing;
  readonly fleet: Fleet;

  constructor(id: string, time: Time) {
    const store = new PostgresPlacementStore(as('allocator', data().db));
    const clock = { now: () => time.now + time.wrong };
    const read = () => ({ monotonicMs: time.monotonic, wallMs: clock.now() });
    this.hearing = new Hearing(store, id, limits, clock, read);
    this.placing = new Placing(
      store,
      notifier,
      clock,
      timeouts,
      3_600_000,
      this.hearing,
      new DueWork(store, clock),
    );
    this.fleet = new Fleet(
      store,
      notifier,
      clock,
      timeouts,
      () => undefined,
      this.hearing,
      () => undefined,
    );
  }

  async turn(): Promise<void> {
    await this.hearing.renew();
    await this.placing.sweep();
  }

  beat(serverId: string): Promise<unknown> {
    return this.fleet.heartbeat({ serverId, incarnation: 1 }, { cpuLoad: 0 });
  }
}

/** The time-out of a server's call, longer than the silence limit. */
const callMs = 30_000;

/** Two allocators, and servers that call them alternately: a call to a stopped one hangs and is lost. */
class Region {
  readonly time = new Time();
  readonly allocators = [new Allocator('a', this.time), new Allocator('b', this.time)];
  private readonly hangsUntil = new Map<string, number>();
  private turns = 0;
  /** Whether calls go only to the second allocator, as after a detected failure of the first. */
  turned = false;

  constructor(readonly servers: string[]) {}

  async go(ms: number, away: Stalled | null = null): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.time.pass(stepMs, away === 'machine');
      const up = this.allocators.filter((_, i) => away === null || (away === 'one' && i === 1));
      for (const allocator of up) await allocator.turn();
      if (++this.turns % (beatMs / stepMs) !== 0) continue;
      const called = this.allocators[this.turned ? 1 : (this.turns / (beatMs / stepMs)) % 2];
      for (const serverId of this.servers) {
        if ((this.hangsUntil.get(serverId) ?? 0) > this.time.now) continue;
        if (called && up.includes(called)) await called.beat(serverId);
        else this.hangsUntil.set(serverId, this.time.now + callMs);
      }
    }
    this.hangsUntil.clear();
  }
}

async function region(): Promise<{ h: House; r: Region }> {
  const h = new House(data().db);
  for (const serverId of ['s1', 's2', 's3']) await h.server(serverId);
  for (const matchId of ['m1', 'm2', 'm3']) await h.live(matchId);
  const r = new Region(['s1', 's2', 's3']);
  await r.go(2 * timeouts.silenceMs + stepMs);
  return { h, r };
}

const states = async (h: House): Promise<string[]> =>
  (await h.db.match.findMany({ orderBy: { id: 'asc' } })).map(({ state }) => state);

describe('a gap in which heartbeats could not be received', () => {
  it.each<[Stalled, string, number]>([
    ['store', 'a store that does not answer', 5],
    ['store', 'a store that does not answer', 15],
    ['store', 'a store that does not answer', 45],
    ['one', 'one allocator of two is stopped', 15],
    ['one', 'one allocator of two is stopped', 45],
    ['both', 'both allocators are stopped', 45],
    ['machine', 'the machine is paused', 45],
  ])('abandons no live match (%s): %s for %i s', async (away, _, seconds) => {
    const { h, r } = await region();
    await r.go(seconds * 1000, away);
    await r.go(2 * timeouts.silenceMs);
    expect(await states(h)).toEqual(['placed', 'placed', 'placed']);
    expect(await h.db.server.count({ where: { state: 'ready' } })).toBe(3);
  });

  it.each([300_000, -300_000])('abandons no live match: the clock is set by %i ms', async (wrong) => {
    const { h, r } = await region();
    r.time.wrong = wrong;
    await r.go(3 * timeouts.silenceMs);
    expect(await states(h)).toEqual(['placed', 'placed', 'placed']);
  });

  it('ends: a server that fell silent meanwhile is then lost, and no other', async () => {
    const { h, r } = await region();
    r.servers.splice(0, 1);
    await r.go(15_000, 'store');
    await r.go(2 * timeouts.silenceMs - stepMs);
    expect(await states(h)).toEqual(['placed', 'placed', 'placed']);
    await r.go(3_000);
    expect(await states(h)).toEqual(['abandoned', 'placed', 'placed']);
  });

  it('ends if a replica never returns, and at its clean stop', async () => {
    const { h, r } = await region();
    r.servers.splice(0, 1);
    await r.go(limits.goneMs, 'one');
    expect(await states(h)).toEqual(['placed', 'placed', 'placed']);
    r.turned = true;
    await r.go(2 * timeouts.silenceMs + 1_000, 'one');
    expect(await states(h)).toEqual(['abandoned', 'placed', 'placed']);

    await r.allocators[0]?.hearing.stop();
    r.servers.splice(0, 1);
    await r.go(timeouts.silenceMs + 3_000, 'one');
    expect(await states(h)).toEqual(['abandoned', 'abandoned', 'placed']);
  });
});

describe('a heartbeat that was received and could not be written', () => {
  it('counts from the time of its reception', async () => {
    const h = new House(data().db);
    await h.server('s1');
    const time = new Time();
    const { hearing } = new Allocator('a', time);
    await hearing.renew();
    time.pass(1_000);
    hearing.received({ serverId: 's1', incarnation: 1 });
    hearing.received({ serverId: 'unknown', incarnation: 1 });
    time.pass(1_500);
    await hearing.renew();
    const { heartbeatAt } = await h.db.server.findUniqueOrThrow({ where: { id: 's1' } });
    expect(heartbeatAt.getTime() - noon).toBe(1_000);
  });
});

describe('a heartbeat that repeats what was recorded a moment ago', () => {
  async function one() {
    const h = new House(data().db);
    await h.server('s1', { slots: 2 });
    const time = new Time();
    const allocator = new Allocator('a', time);
    const run = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += stepMs) {
        time.pass(stepMs);
        await allocator.turn();
      }
    };
    const heardAt = async (): Promise<number> =>
      (await h.db.server.findUniqueOrThrow({ where: { id: 's1' } })).heartbeatAt.getTime() - noon;
    await allocator.turn();
    await allocator.beat('s1');
    return { h, allocator, run, heardAt };
  }

  it('is answered without being recorded, and its time is written before silence can be judged', async () => {
    const { allocator, run, heardAt } = await one();
    await run(beatMs);
    expect(await allocator.beat('s1')).toEqual({ state: 'ready', slotsInUse: 0 });
    await run(2_000);
    expect(await heardAt()).toBe(0);
    await run(1_500);
    expect(await heardAt()).toBe(beatMs);
  });

  it('is written when its replica stops', async () => {
    const { allocator, run, heardAt } = await one();
    await run(beatMs);
    await allocator.beat('s1');
    await allocator.hearing.stop();
    expect(await heardAt()).toBe(beatMs);
  });

  it('counts like any other: its server is lost when the silence after it is too long', async () => {
    const { h, allocator, run } = await one();
    const state = async (): Promise<string> =>
      (await h.db.server.findUniqueOrThrow({ where: { id: 's1' } })).state;
    for (let beats = 0; beats < 9; beats++) {
      await run(beatMs);
      await allocator.beat('s1');
    }
    await run(timeouts.silenceMs);
    expect(await state()).toBe('ready');
    await run(1_500);
    expect(await state()).toBe('lost');
  });

  it.each([500, 2_500, 3_500, 4_500, 9_500])('never makes silence of a pause of %i ms', async (pauseMs) => {
    const { h, allocator, run } = await one();
    for (let passed = 0; passed < 6 * timeouts.silenceMs; passed += pauseMs) {
      await run(pauseMs);
      await allocator.beat('s1');
    }
    expect(await h.db.server.count({ where: { state: 'ready' } })).toBe(1);
  });

  it('is recorded if the standing of the server changed in this process', async () => {
    const { allocator, run } = await one();
    await run(stepMs);
    await allocator.fleet.drain('s1');
    expect(await allocator.beat('s1')).toMatchObject({ state: 'draining' });
    await allocator.fleet.leave('s1');
    await expect(allocator.beat('s1')).rejects.toThrow('Register again');
  });
});
