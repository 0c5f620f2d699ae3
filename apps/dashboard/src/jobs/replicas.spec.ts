import { describe, expect, it } from 'vitest';
import { readHealth, replicasIn, troubleOf } from './replicas.js';

const only = (says: string) => {
  const [health] = readHealth({ status: 'ok', checks: { queue: says } }) ?? [];
  if (!health) throw new Error('nothing was read');
  return health;
};

describe('what the edge says of the replicas of a service', () => {
  it('is their number by state', () => {
    const health = only('ok (2 ready, 1 away)');
    expect(replicasIn(health)).toBe(3);
    expect(health.replicas.ready).toBe(2);
    expect(troubleOf(health)).toBe('1 refuses connections');
  });

  it('is what one process lacks', () => {
    const health = only('1 unready, clock: behind by 3 s, postgres: timed out');
    expect(health.lacks).toBe('clock: behind by 3 s, postgres: timed out');
    expect(troubleOf(health)).toContain('postgres: timed out');
  });

  it('is nothing where all is well, or nobody runs', () => {
    expect(troubleOf(only('ok (2 ready)'))).toBe('');
    expect(replicasIn(only('no replicas'))).toBe(0);
  });

  it('is not there behind another load balancer', () => {
    expect(readHealth({ status: 'ok' })).toBeNull();
    expect(readHealth('<html>')).toBeNull();
  });
});
