import type { PlacementTimeouts } from '@muster/domain';
import { PostgresPlacementStore } from '../../apps/allocator/src/placement/placement.store.js';
import { describe, expect, it } from 'vitest';
import { Fleet } from '../../apps/allocator/src/fleet/fleet.js';
import { Hearing } from '../../apps/allocator/src/fleet/hearing.js';
import { Placing } from '../../apps/allocator/src/placement/placing.js';
import { databaseForEach, noon } from './fixtures.js';
import { House } from './house.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const timeouts: PlacementTimeouts = { answerMs: 5_000, silenceMs: 10_000, avoidMs: 15_000 };
const limits = { toleranceMs: 3_000, goneMs: 60_000 };
const notifier = { wake: () => undefined, wait: () => Promise.resolve() };
const beatMs = 2_500;
const stepMs = 500;

/** What may be away. A machine that is paused has a monotonic clock that stands still. */
type Away = 'store' | 'one' | 'both' | 'machine';

/** The world's time, and how the allocators' machine reads it. */
class Time {
  now = noon;
  monotonic = 0;
  /** How far the machine's clock is set wrong. */
  wrong = 0;

  pass(ms: number, paused = false): void {
    this.now += ms;
    if (!paused) this.monotonic += ms;
  }
}

/** An allocator as its process would run it, as long as nobody stops it. */
class Allocator {
  readonly hearing: Hearing;
  private readonly placing: Placing;
  private readonly fleet: Fleet;

  constructor(id: string, time: Time) {
    const store = new PostgresPlacementStore(as('allocator', data().db));
    const clock = { now: () => time.now + time.wrong };
    const read = () => ({ monotonicMs: time.monotonic, wallMs: clock.now() });
    this.hearing = new Hearing(store, id, limits, clock, read);
    this.placing = new Placing(store, notifier, clock, timeouts, 3_600_000, this.hearing);
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

/** A server's timeouts with one call, longer than its silence may be. */
const callMs = 30_000;

/** Two allocators, and servers that call them in turn: a call to one that is away hangs, and is lost. */
class Region {
  readonly time = new Time();
  readonly allocators = [new Allocator('a', this.time), new Allocator('b', this.time)];
  private readonly hangsUntil = new Map<string, number>();
  private turns = 0;
  /** Whether calls go to the second alone, as those do that have found the first gone. */
  turned = false;

  constructor(readonly servers: string[]) {}

  async go(ms: number, away: Away | null = null): Promise<void> {
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

describe('a break in which servers could not be heard', () => {
  it.each<[Away, string, number]>([
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

  it('is over in a while: a server that fell silent meanwhile is lost then, and no other', async () => {
    const { h, r } = await region();
    r.servers.splice(0, 1);
    await r.go(15_000, 'store');
    await r.go(2 * timeouts.silenceMs - stepMs);
    expect(await states(h)).toEqual(['placed', 'placed', 'placed']);
    await r.go(3_000);
    expect(await states(h)).toEqual(['abandoned', 'placed', 'placed']);
  });

  it('does not last for ever when a replica never comes back, nor when it says goodbye', async () => {
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

describe('a heartbeat that was heard and could not be written', () => {
  it('counts as of when it was heard', async () => {
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
