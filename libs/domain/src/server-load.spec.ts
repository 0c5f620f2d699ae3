import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isOverloaded,
  judgeLoad,
  type LoadLimits,
  noLoadLimits,
  relievedShare,
  type ServerLoad,
  tickLoadOf,
} from './server-load.js';

const limits: LoadLimits = { cpu: 0.9, tick: 1 };
const tick = (p95Ms: number) => ({ rate: 50, p95Ms });

describe('the load of a server', () => {
  it.each<[string, ServerLoad, string]>([
    ['idle', { cpuLoad: 0 }, 'under'],
    ['at the margin', { cpuLoad: 0.81 }, 'under'],
    ['above the margin', { cpuLoad: 0.82 }, 'between'],
    ['at the limit', { cpuLoad: 0.9 }, 'between'],
    ['above the limit', { cpuLoad: 0.91 }, 'over'],
    ['with ticks in time', { cpuLoad: 0, tick: tick(18) }, 'under'],
    ['with ticks that take nearly all their time', { cpuLoad: 0, tick: tick(20) }, 'between'],
    ['with late ticks', { cpuLoad: 0, tick: tick(20.1) }, 'over'],
    ['with late ticks and a processor between', { cpuLoad: 0.85, tick: tick(40) }, 'over'],
    ['with ticks in time and a processor between', { cpuLoad: 0.85, tick: tick(1) }, 'between'],
  ])('%s', (_, load, expected) => {
    expect(judgeLoad(load, limits)).toBe(expected);
  });

  it('is never above limits that are not set', () => {
    expect(judgeLoad({ cpuLoad: 1, tick: tick(60_000) }, noLoadLimits)).toBe('under');
    expect(judgeLoad({ cpuLoad: 1 }, { ...limits, cpu: 1 })).not.toBe('over');
  });

  it('of its ticks is the share of their time', () => {
    expect([
      tickLoadOf({ cpuLoad: 0 }),
      tickLoadOf({ cpuLoad: 0, tick: { rate: 64, p95Ms: 7.8125 } }),
    ]).toEqual([null, 0.5]);
  });
});

describe('an overloaded server', () => {
  const loads = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });
  const after = (before: boolean, cpuLoads: readonly number[]): boolean[] => {
    let overloaded = before;
    return cpuLoads.map((cpuLoad) => (overloaded = isOverloaded(overloaded, judgeLoad({ cpuLoad }, limits))));
  };
  const changes = (states: readonly boolean[]): number =>
    states.filter((state, i) => i > 0 && state !== states[i - 1]).length;

  it('is so above the limit, and is not at the margin and below, whatever was before', () => {
    fc.assert(
      fc.property(fc.boolean(), loads, (before, cpuLoads) => {
        for (const [i, overloaded] of after(before, cpuLoads).entries()) {
          const cpuLoad = cpuLoads[i] ?? 0;
          const stays = cpuLoad > limits.cpu * relievedShare && cpuLoad <= limits.cpu;
          expect(stays || overloaded === cpuLoad > limits.cpu).toBe(true);
        }
      }),
    );
  });

  it('stays as it is while the load is about the limit', () => {
    const about = fc.array(fc.double({ min: 0.82, max: 0.9, noNaN: true }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.boolean(), about, (before, cpuLoads) => {
        expect(new Set(after(before, cpuLoads)).size).toBeLessThanOrEqual(1);
        expect(after(before, cpuLoads).every((state) => state === before)).toBe(true);
      }),
    );
  });

  it('changes only as often as the load crosses the whole margin', () => {
    fc.assert(
      fc.property(loads, (cpuLoads) => {
        const verdicts = cpuLoads
          .map((cpuLoad) => judgeLoad({ cpuLoad }, limits))
          .filter((verdict) => verdict !== 'between');
        const crossings = verdicts.filter((verdict, i) => i > 0 && verdict !== verdicts[i - 1]).length;
        expect(changes(after(false, [0, ...cpuLoads]))).toBeLessThanOrEqual(crossings + 1);
      }),
    );
  });
});
