import { describe, expect, it } from 'vitest';
import { Dependencies, Draining, HealthController, type Readiness } from './readiness.js';

const there: Readiness = { name: 'redis', check: async () => 'PONG' };
const away: Readiness = { name: 'rating', check: () => Promise.reject(new Error('nobody there')) };

async function ready(
  needed: readonly Readiness[],
  helpful: readonly Readiness[],
  draining = new Draining(),
): Promise<{ status: number; body: unknown }> {
  const sent = { status: 0, body: null as unknown };
  const reply = {
    status: (status: number) => {
      sent.status = status;
      return { send: async (body: unknown) => void (sent.body = body) };
    },
  };
  const dependencies = new Dependencies();
  for (const each of needed) dependencies.add('needed', each);
  for (const each of helpful) dependencies.add('helpful', each);
  await new HealthController(dependencies, draining).ready(reply as never);
  return sent;
}

describe('/health/ready', () => {
  it('is 200 and degraded while a dependency is unavailable that all replicas share', async () => {
    expect(await ready([there], [away])).toEqual({
      status: 200,
      body: {
        status: 'degraded',
        version: 'dev',
        checks: { redis: 'ok' },
        others: { rating: 'nobody there' },
      },
    });
    expect(await ready([there], [])).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('is 503 without a needed dependency, and while draining', async () => {
    expect(await ready([away], [there])).toMatchObject({ status: 503, body: { status: 'not ready' } });
    const draining = new Draining();
    draining.started = true;
    expect(await ready([there], [there], draining)).toMatchObject({
      status: 503,
      body: { status: 'draining' },
    });
  });
});
