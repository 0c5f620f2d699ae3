import { noLoadLimits, type PlacementTimeouts } from '@muster/domain';
import { allocatorStores } from './allocator-stores.js';
import { describe, expect, it } from 'vitest';
import { Fleet } from '../../apps/allocator/src/fleet/fleet.js';
import { carriedMs, Hearing } from '../../apps/allocator/src/watch/hearing.js';
import { PostgresHearing } from '../../apps/allocator/src/watch/hearing.store.js';
import { DueWork } from '../../apps/allocator/src/watch/due.js';
import { dueTimes } from '../../apps/allocator/src/watch/due.store.js';
import { Placing } from '../../apps/allocator/src/placement/placing.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { House } from './house.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const timeouts: PlacementTimeouts = {
  answerMs: 5_000,
  silenceMs: 10_000,
  massSilenceMs: 100_000,
  avoidMs: 15_000,
};
const { silenceMs } = timeouts;
const limits = { toleranceMs: 3_000, goneMs: 60_000, carriedMs: carriedMs(silenceMs), silenceMs };
const notifier = { wake: () => undefined, wait: () => Promise.resolve() };
const beatMs = 2_500;
const stepMs = 500;

/** The component that stalls. A paused machine's monotonic clock stands still. `edge`: no call reaches an allocator. */
type Stalled = 'store' | 'one' | 'both' | 'machine' | 'edge';

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

  constructor(id: string, time: Time, of: PlacementTimeouts = timeouts) {
    const db = as('allocator', data().db);
    const { fleet: servers, silence, sessions, placement } = allocatorStores(db, id);
    const clock = { now: () => time.now + time.wrong };
    const read = () => ({ monotonicMs: time.monotonic, wallMs: clock.now() });
    this.hearing = new Hearing(new PostgresHearing(db), id, limits, clock, read);
    this.placing = new Placing(
      placement,
      sessions,
      silence,
      notifier,
      clock,
      { ...of, matchLimitMs: 3_600_000 },
      this.hearing,
      new DueWork(() => dueTimes(db), clock),
    );
    this.fleet = new Fleet(servers, notifier, clock, of, () => undefined, this.hearing, noLoadLimits, {
      report: () => undefined,
    });
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

/**
 * Two allocators, and servers that call them alternately, each at another moment: a call to a stopped one hangs and is lost.
 */
class Fleets {
  readonly time = new Time();
  readonly allocators = [new Allocator('a', this.time), new Allocator('b', this.time)];
  private readonly hangsUntil = new Map<string, number>();
  private turns = 0;
  /** Servers that are stopped: they make no call. */
  readonly frozen = new Set<string>();
  /** Whether an edge that is away is that of a server. */
  cut = (_serverId: string): boolean => true;
  /** Whether calls go only to the second allocator, as after a detected failure of the first. */
  turned = false;

  constructor(readonly servers: string[]) {}

  async go(ms: number, away: Stalled | null = null): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.time.pass(stepMs, away === 'machine');
      const up = this.allocators.filter(
        (_, i) => away === null || away === 'edge' || (away === 'one' && i === 1),
      );
      for (const allocator of up) await allocator.turn();
      this.turns += 1;
      for (const [nth, serverId] of this.servers.entries()) {
        const beats = (this.turns + nth) / (beatMs / stepMs);
        if (!Number.isInteger(beats) || this.frozen.has(serverId)) continue;
        if ((this.hangsUntil.get(serverId) ?? 0) > this.time.now) continue;
        const called = this.allocators[this.turned ? 1 : beats % 2];
        const isCut = away === 'edge' && this.cut(serverId);
        if (called && up.includes(called) && !isCut) await called.beat(serverId);
        else this.hangsUntil.set(serverId, this.time.now + callMs);
      }
    }
    if (away !== 'edge') this.hangsUntil.clear();
  }
}

async function fleet(servers: Readonly<Record<string, string>>): Promise<{ h: House; r: Fleets }> {
  const h = new House(data().db);
  for (const [serverId, region] of Object.entries(servers)) {
    await h.server(serverId, { region });
    await h.live(`m-${serverId}`, { regions: [region], rules: { mode: 'duel' } });
  }
  const r = new Fleets(Object.keys(servers));
  await r.go(2 * silenceMs + stepMs);
  return { h, r };
}

const region = () => fleet({ s1: 'eu', s2: 'eu', s3: 'eu' });
/** After this time a server that fell silent alone is lost, with a live match by default rules. */
const resumeMs = 30_000 + silenceMs;

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
    await r.go(2 * silenceMs);
    expect(await states(h)).toEqual(['placed', 'placed', 'placed']);
    expect(await h.db.server.count({ where: { state: 'ready' } })).toBe(3);
  });

  it.each([300_000, -300_000])('abandons no live match: the clock is set by %i ms', async (wrong) => {
    const { h, r } = await region();
    r.time.wrong = wrong;
    await r.go(3 * silenceMs);
    expect(await states(h)).toEqual(['placed', 'placed', 'placed']);
  });

  it('ends: a server that fell silent meanwhile is then lost, and no other', async () => {
    const { h, r } = await region();
    r.frozen.add('s1');
    await r.go(15_000, 'store');
    await r.go(30_000);
    expect(await states(h)).toEqual(['placed', 'placed', 'placed']);
    await r.go(silenceMs);
    expect(await states(h)).toEqual(['abandoned', 'placed', 'placed']);
  });

  it('ends if a replica never returns, and at its clean stop', async () => {
    const { h, r } = await region();
    r.frozen.add('s1');
    await r.go(limits.goneMs, 'one');
    expect(await states(h)).toEqual(['placed', 'placed', 'placed']);
    r.turned = true;
    await r.go(resumeMs + 1_000, 'one');
    expect(await states(h)).toEqual(['abandoned', 'placed', 'placed']);

    await r.allocators[0]?.hearing.stop();
    r.frozen.add('s2');
    await r.go(resumeMs, 'one');
    expect(await states(h)).toEqual(['abandoned', 'abandoned', 'placed']);
  });
});

describe('an edge that no call passes', () => {
  it.each([14, 60, 90])('abandons no live match and loses no server in %i s', async (seconds) => {
    const { h, r } = await region();
    await r.go(seconds * 1000, 'edge');
    await r.go(callMs + resumeMs);
    expect(await states(h)).toEqual(['placed', 'placed', 'placed']);
    expect(await h.db.server.count({ where: { state: 'ready' } })).toBe(3);
  });

  it.each([1, 2])('abandons no live match of a fleet of %i in 60 s', async (count) => {
    const { h, r } = await fleet(Object.fromEntries(range(count).map((i) => [`s${i}`, 'eu'])));
    await r.go(60_000, 'edge');
    await r.go(callMs + resumeMs);
    expect(new Set(await states(h))).toEqual(new Set(['placed']));
  });

  it('of one region keeps its matches, and a server of another region is lost meanwhile', async () => {
    const { h, r } = await fleet({ e1: 'eu', e2: 'eu', u1: 'us', u2: 'us', u3: 'us' });
    r.cut = (serverId) => serverId.startsWith('e');
    r.frozen.add('u1');
    await r.go(60_000, 'edge');
    await r.go(callMs + resumeMs);
    expect(await states(h)).toEqual(['placed', 'placed', 'abandoned', 'placed', 'placed']);
  });

  it('of one allocator keeps the matches of the servers that called it', async () => {
    const { h, r } = await fleet(Object.fromEntries(range(6).map((i) => [`s${i}`, `r${i}`])));
    // The first allocator hears nobody any more, and two servers go on calling it.
    r.turned = true;
    for (const id of ['s0', 's1']) r.frozen.add(id);
    await r.go(silenceMs);
    await h.db.$executeRaw`UPDATE server SET heard_by = 'a' WHERE id < 's2'`;
    await r.go(60_000);
    expect(new Set(await states(h))).toEqual(new Set(['placed']));
    r.frozen.clear();
    await r.go(resumeMs);
    expect(new Set(await states(h))).toEqual(new Set(['placed']));
  });

  it('does not hide for ever that the only server, or most, are dead', async () => {
    const { h, r } = await region();
    for (const id of ['s1', 's2']) r.frozen.add(id);
    await r.go(timeouts.massSilenceMs - silenceMs);
    expect(await states(h)).toEqual(['placed', 'placed', 'placed']);
    await r.go(2 * silenceMs);
    expect(await states(h)).toEqual(['abandoned', 'abandoned', 'placed']);
    r.frozen.add('s3');
    await r.go(timeouts.massSilenceMs + silenceMs);
    expect(await states(h)).toEqual(['abandoned', 'abandoned', 'abandoned']);
  });
});

describe('a game server that is stopped', () => {
  it.each([12, 29])('for %i s keeps its match, its registration and its slot', async (seconds) => {
    const { h, r } = await region();
    r.frozen.add('s1');
    await r.go(seconds * 1000);
    await h.wants('m-new');
    expect(await h.placedOn('m-new', r.time.now)).toBe('none-free');
    r.frozen.clear();
    await r.go(silenceMs);
    expect(await states(h)).toEqual(['formed', 'placed', 'placed', 'placed']);
    expect(await h.db.server.count({ where: { state: 'ready', incarnation: 1 } })).toBe(3);
  });

  it('for longer than the rules of one of its matches loses that one alone, and is told to end it', async () => {
    const { h, r } = await region();
    await h.server('s4', { region: 'us', slots: 2 });
    r.servers.push('s4');
    const brief = await h.live('m-brief', { regions: ['us'], rules: { mode: 'duel', resumeSeconds: 15 } });
    await h.live('m-long', { regions: ['us'], rules: { mode: 'duel', resumeSeconds: 120 } });
    r.frozen.add('s4');
    await r.go(60_000);
    expect(await h.stateOf('m-brief')).toBe('abandoned');
    expect(await h.stateOf('m-long')).toBe('placed');
    const orders = await h.db.command.findMany({ where: { serverId: 's4', state: 'pending' } });
    expect(orders).toMatchObject([{ kind: 'end-session', sessionId: brief.sessionId }]);
    await r.go(120_000);
    expect(await h.stateOf('m-long')).toBe('abandoned');
    expect(await h.db.server.findUnique({ where: { id: 's4' } })).toMatchObject({ state: 'lost' });
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
    // The only server: it is judged as soon as it may be.
    const allocator = new Allocator('a', time, { ...timeouts, massSilenceMs: silenceMs });
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
    await run(silenceMs);
    expect(await state()).toBe('ready');
    await run(1_500);
    expect(await state()).toBe('lost');
  });

  it.each([500, 2_500, 3_500, 4_500, 9_500])('never makes silence of a pause of %i ms', async (pauseMs) => {
    const { h, allocator, run } = await one();
    for (let passed = 0; passed < 6 * silenceMs; passed += pauseMs) {
      await run(pauseMs);
      await allocator.beat('s1');
    }
    expect(await h.db.server.count({ where: { state: 'ready' } })).toBe(1);
  });

  it('is recorded if the standing of the server changed in this process', async () => {
    const { allocator, run } = await one();
    await run(stepMs);
    await allocator.fleet.drain('s1', 'operator');
    expect(await allocator.beat('s1')).toMatchObject({ state: 'draining' });
    await allocator.fleet.leave('s1');
    await expect(allocator.beat('s1')).rejects.toThrow('Register again');
  });
});
