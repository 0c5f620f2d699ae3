import { describe, expect, it } from 'vitest';
import { judgeLoad, type LoadLimits, noLoadLimits, type ServerLoad, tickLoadOf } from './server-load.js';

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
