import { connectRedis, scriptRunner, type RedisConnection, type ScriptRunner } from '@muster/redis';
import { startTestRedis, type TestRedis } from '@muster/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultRates, type Rates } from '../../libs/platform/src/limits/limit-settings.js';
import { RateLimits } from '../../libs/platform/src/limits/rate-limits.js';
import { SharedBuckets } from '../../libs/platform/src/limits/shared-buckets.js';

const rates: Rates = { ...defaultRates, tickets: { player: { burst: 5, perMinute: 6 } } };

let server: TestRedis;
let redis: RedisConnection;
let isAway = false;
/** Each test has keys of its own. */
let root = '';
let run: ScriptRunner;
let tests = 0;

beforeAll(async () => {
  server = await startTestRedis();
  redis = connectRedis(server.url, { name: 'limits-test', onError: () => undefined });
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => {
  isAway = false;
  root = `muster:{limits-${tests++}}`;
  const real = scriptRunner(redis, root);
  run = (script, args) => (isAway ? Promise.reject(new Error('away')) : real(script, args));
});

/** A process: `take` says whether a call of a player goes on. */
function aProcess() {
  const clock = { now: 0 };
  const failures: unknown[] = [];
  const shared = new SharedBuckets(
    run,
    (error) => failures.push(error),
    () => clock.now,
  );
  const limits = new RateLimits(rates, shared, () => clock.now);
  const take = (id: string): boolean => limits.take('tickets', { kind: 'player', id }, null)?.waitMs === 0;
  const share = (): Promise<boolean> => {
    clock.now += 500;
    return shared.share();
  };
  return { clock, failures, take, share };
}

const taken = (take: () => boolean, times: number): number =>
  Array.from({ length: times }, take).filter(Boolean).length;

describe('buckets of several processes', () => {
  it('are spent together: another process knows before it is asked', async () => {
    const [one, other] = [aProcess(), aProcess()];
    expect(taken(() => one.take('ann'), 9)).toBe(5);
    await one.share();
    await other.share();
    expect(other.take('ann')).toBe(false);
    expect(other.take('bob')).toBe(true);
  });

  it('owe what processes let through before they knew of each other, up to another burst', async () => {
    const processes = [aProcess(), aProcess(), aProcess(), aProcess()];
    for (const { take } of processes) expect(taken(() => take('ann'), 9)).toBe(5);
    for (const { share } of [...processes, ...processes]) await share();
    // 6 a minute: two bursts, of which one is owed, are back after 100 s.
    for (const { clock } of processes) clock.now += 40_000;
    expect(processes.map(({ take }) => take('ann'))).toEqual([false, false, false, false]);
  });

  it('are of each process alone while Redis is away, and together again afterwards', async () => {
    const [one, other] = [aProcess(), aProcess()];
    isAway = true;
    expect(taken(() => one.take('ann'), 9)).toBe(5);
    await one.share();
    expect(taken(() => one.take('ann'), 9)).toBe(0);
    expect(one.failures).toHaveLength(1);
    isAway = false;
    await one.share();
    await other.share();
    expect(other.take('ann')).toBe(false);
  });

  it('owe nothing of what came back while Redis was away', async () => {
    const [one, other] = [aProcess(), aProcess()];
    isAway = true;
    expect(taken(() => one.take('ann'), 9)).toBe(5);
    await one.share();
    isAway = false;
    one.clock.now += 60_000;
    await one.share();
    await other.share();
    expect(taken(() => other.take('ann'), 9)).toBe(5);
  });

  it('leave no key behind once they are full', async () => {
    const { take, share } = aProcess();
    take('ann');
    await share();
    const ms = await redis.pttl(`${root}:limit:tickets-by-player:ann`);
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(10_000);
  });
});
