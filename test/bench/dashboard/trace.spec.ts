import { describe, expect, it } from 'vitest';
import { smoothnessOf } from './trace.js';

const main = { pid: 7, tid: 1 };
const thread = { name: 'thread_name', ph: 'M', ts: 0, ...main, args: { name: 'CrRendererMain' } };
const task = (ms: number, of = main) => ({ name: 'RunTask', ph: 'X', ts: 0, dur: 1_000 * ms, ...of });
const frame = (ms: number) => ({ name: 'DrawFrame', ph: 'I', ts: 1_000 * ms, ...main });

describe('the smoothness of a page', () => {
  it('counts long tasks of main threads of pages', () => {
    const other = { pid: 7, tid: 2 };
    const found = smoothnessOf({ traceEvents: [thread, task(10), task(60), task(80), task(500, other)] });
    expect(found).toMatchObject({ longTasks: 2, longestTaskMs: 80 });
  });

  it('counts frames, in whatever order they are written', () => {
    const found = smoothnessOf({ traceEvents: [thread, frame(20), frame(0), frame(10), frame(40)] });
    expect(found).toMatchObject({ framesPerSecond: 75, frameMsP95: 20 });
  });

  it('is nothing without frames', () => {
    const none = { longTasks: 0, longestTaskMs: 0, framesPerSecond: 0, frameMsP95: 0 };
    expect(smoothnessOf({ traceEvents: [] })).toEqual(none);
  });
});
