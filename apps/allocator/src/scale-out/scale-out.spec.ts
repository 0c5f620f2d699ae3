import { noSpares, type ScaleOutLimits, type ServerShortage } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { CapacityReports } from './capacity.js';
import { ScaleOut } from './scale-out.js';
import type { PostgresShortageStore } from './shortages.store.js';

const limits: ScaleOutLimits = { everyMs: 30_000, startMs: 90_000, spares: noSpares };
const kept: ScaleOutLimits = { ...limits, spares: { byRegion: new Map(), elsewhere: 1 } };
const aShortage: ServerShortage = { build: '1', regions: [], waitingMatches: 1, slots: 1, servers: 1, at: 0 };

function scaleOut(of: ScaleOutLimits) {
  const clock = { at: 1_000_000, now: () => clock.at };
  const state = {
    waits: false,
    looks: 0,
    counts: 0,
    settled: [] as unknown[],
    failure: null as Error | null,
  };
  const store: Pick<PostgresShortageStore, keyof PostgresShortageStore> = {
    hasShortages: () => Promise.resolve((state.looks += 1) > 0 && state.waits),
    claimShortages: () => Promise.resolve((state.counts += 1) > 0 && state.waits ? [aShortage] : []),
    settleShortage: (_, outcome, startMs) => Promise.resolve(void state.settled.push([outcome, startMs])),
    countCapacity: () => {
      state.counts += 1;
      return state.failure
        ? Promise.reject(state.failure)
        : Promise.resolve({ places: [], waiting: [], requests: [] });
    },
  };
  const scaler = { ask: () => (state.failure ? Promise.reject(state.failure) : Promise.resolve()) };
  const run = new ScaleOut(store, scaler, clock, () => undefined, of);
  return { clock, state, run: () => run.run(), reports: new CapacityReports(store, clock, of) };
}

describe('requests for servers', () => {
  it('count nothing while nobody waits and no spares are wanted', async () => {
    const { run, state } = scaleOut(limits);
    await run();
    expect(state).toMatchObject({ looks: 1, counts: 0 });
  });

  it('are made at once for those that wait, and counted at most every two seconds', async () => {
    const { run, state, clock } = scaleOut(limits);
    state.waits = true;
    expect(await run()).toEqual([{ shortage: aShortage, error: null }]);
    expect(state.settled).toEqual([['starting', 90_000]]);
    clock.at += 1_999;
    expect(await run()).toEqual([]);
    clock.at += 1;
    expect(await run()).toHaveLength(1);
    expect(state.counts).toBe(2);
    // A clock that was set back.
    clock.at -= 500_000;
    expect(await run()).toHaveLength(1);
  });

  it('look for missing spares every five seconds, though nobody waits', async () => {
    const { run, state, clock } = scaleOut(kept);
    for (let second = 0; second <= 10; second += 1) {
      await run();
      clock.at += 1_000;
    }
    expect(state.counts).toBe(3);
  });

  it('that fail are settled as failed', async () => {
    const { run, state } = scaleOut(limits);
    state.waits = true;
    state.failure = new Error('no');
    expect(await run()).toEqual([{ shortage: aShortage, error: state.failure }]);
    expect(state.settled).toEqual([['failed', 90_000]]);
  });
});

describe('capacity for operators', () => {
  it('is counted once for calls that come together or soon after another', async () => {
    const { reports, state, clock } = scaleOut(limits);
    const [one, two] = await Promise.all([reports.read(), reports.read()]);
    expect(one).toEqual({ at: 1_000_000, places: [] });
    expect(two).toBe(one);
    clock.at += 1_999;
    expect(await reports.read()).toBe(one);
    clock.at += 1;
    expect((await reports.read()).at).toBe(1_002_000);
    expect(state.counts).toBe(2);
  });

  it('is counted again after a failure', async () => {
    const { reports, state } = scaleOut(limits);
    state.failure = new Error('down');
    await expect(reports.read()).rejects.toThrow('down');
    state.failure = null;
    expect((await reports.read()).places).toEqual([]);
  });
});
