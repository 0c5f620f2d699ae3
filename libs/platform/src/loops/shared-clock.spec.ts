import { describe, expect, it } from 'vitest';
import { SharedClock, type TimeSource } from './shared-clock.js';

const noon = Date.UTC(2026, 0, 15, 12);

/** A machine and two stores, each with its own clock. */
class World {
  time = noon;
  monotonic = 1_000;
  ahead = { machine: 0, redis: 0, postgres: 0 };
  /** The response time of the stores; undefined: they do not answer. */
  takes: number | undefined = 2;
  readonly clock: SharedClock;

  constructor(machineAhead = 0) {
    this.ahead.machine = machineAhead;
    const source = (name: 'redis' | 'postgres'): TimeSource => ({
      name,
      read: async () => {
        if (this.takes === undefined) throw new Error('nobody there');
        const told = this.time + this.ahead[name] + this.takes / 2;
        this.pass(this.takes);
        return told;
      },
    });
    this.clock = new SharedClock([source('redis'), source('postgres')], 10_000, () => ({
      monotonicMs: this.monotonic,
      wallMs: this.time + this.ahead.machine,
    }));
  }

  pass(ms: number): void {
    this.time += ms;
    this.monotonic += ms;
  }
}

describe('the shared time', () => {
  it.each([300_000, -300_000, 0])(
    'is the store’s, also if the machine’s clock is off by %i ms',
    async (ahead) => {
      const world = new World(ahead);
      await world.clock.measure();
      world.pass(60_000);
      expect(Math.abs(world.clock.now() - world.time)).toBeLessThan(10);
    },
  );

  it('does not jump when the machine’s clock is set', async () => {
    const world = new World();
    await world.clock.measure();
    world.ahead.machine = 300_000;
    expect(Math.abs(world.clock.now() - world.time)).toBeLessThan(10);
  });

  it.each([5_000, undefined])('advances while the store is unavailable or slow: %s ms', async (takes) => {
    const world = new World();
    await world.clock.measure();
    world.takes = takes;
    await world.clock.measure();
    world.pass(45_000);
    expect(Math.abs(world.clock.now() - world.time)).toBeLessThan(10);
  });
});

describe('a clock that is wrong', () => {
  it.each([
    ['the machine’s', { machine: 300_000, redis: 0, postgres: 0 }, false],
    ['the machine’s, behind', { machine: -300_000, redis: 0, postgres: 0 }, false],
    ['one store’s only', { machine: 0, redis: 300_000, postgres: 0 }, true],
    ['the other store’s', { machine: 0, redis: 0, postgres: -300_000 }, true],
    ['nobody’s', { machine: 200, redis: 0, postgres: -300 }, true],
  ])('is %s', async (_, ahead, sound) => {
    const world = new World();
    world.ahead = ahead;
    await world.clock.measure();
    expect(world.clock.sound).toBe(sound);
  });

  it('is reported once when it becomes wrong and once when it is correct again, with its offset', async () => {
    const world = new World();
    const told: string[] = [];
    world.clock.onChange(() => told.push(world.clock.sound ? 'right' : world.clock.problem));
    for (const ahead of [0, 300_000, 300_000, 0, 0]) {
      world.ahead.machine = ahead;
      await world.clock.measure();
    }
    expect(told).toEqual([
      'the clock of this machine is 300.0 s ahead of redis and postgres; set it by NTP',
      'right',
    ]);
  });
});
