import { expect, it } from 'vitest';
import { createLog } from '../core/logging.js';
import { longestTurnMs, loopsThatStandStill, loopTimes, repeat } from './loop.js';
import { liveness } from '../service/readiness.js';

const log = createLog('test', 'silent');

it('a loop whose turn does not end makes the process not live, and one that goes on does not', async () => {
  let end = (): void => undefined;
  const stuck = repeat('stuck', 1, () => new Promise((resolve) => (end = resolve)), log);
  const going = repeat('going', 3_600_000, async () => false, log);
  const patient = repeat('patient', 1, () => new Promise(() => undefined), log, Infinity);
  await new Promise((resolve) => setImmediate(resolve));
  const later = performance.now() + longestTurnMs + 1_000;

  expect(loopsThatStandStill()).toEqual([]);
  expect(liveness()).toEqual({ isAlive: true, status: 'ok' });
  expect(loopsThatStandStill(later)).toEqual(['stuck']);
  expect(liveness(later)).toEqual({
    isAlive: false,
    status: 'stuck',
    flaws: ['the loop "stuck" stands still'],
  });

  const stopped = [stuck.stop(), going.stop()];
  end();
  await Promise.all(stopped);
  expect(loopsThatStandStill(later)).toEqual([]);
  void patient;
});

it('a loop whose turns fail or do not end is idle for longer than its turns are due', async () => {
  const since = performance.now();
  const fails = repeat('fails', 1_000, () => Promise.reject(new Error('no')), log);
  const hangs = repeat('hangs', 0, () => new Promise(() => undefined), log, Infinity);
  const done = repeat('done', 1_000, async () => false, log);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const now = performance.now();
  const { fails: failed, hangs: hung, done: well } = Object.fromEntries(loopTimes(now));
  expect([failed?.dueMs, hung?.dueMs, well?.dueMs]).toEqual([303_000, 3_600_000, 303_000]);
  expect(failed?.idleMs).toBeGreaterThan(15);
  expect(hung?.idleMs).toBeGreaterThan(15);
  expect(well?.idleMs).toBeLessThanOrEqual(now - since);
  await Promise.all([fails.stop(), done.stop()]);
  expect([...loopTimes().keys()]).not.toContain('fails');
  void hangs;
});
