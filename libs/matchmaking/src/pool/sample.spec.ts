import type { Ticket } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { defaultQueues } from '../default-rules.js';
import { WaitingPool } from './waiting-pool.js';

const [rules] = defaultQueues;
if (!rules) throw new Error('there are default queues');

const aTicket = (n: number): Ticket => ({
  ticketId: `t${n}`,
  fingerprint: '',
  queue: rules.name,
  build: 'b',
  players: [{ playerId: `p${n}`, mu: 25, sigma: 8 }],
  latencyMs: {},
  enqueuedAt: n,
  expiresAt: n + 1e9,
});

describe('a sample of the pool', () => {
  it('has at most as many tickets as asked, from all of it, and only waiting ones', () => {
    const pool = new WaitingPool(rules);
    expect(pool.sample(10)).toEqual([]);
    for (let n = 0; n < 5_000; n++) pool.add(aTicket(n));
    for (let n = 0; n < 1_000; n++) pool.remove(`t${n}`);
    const numbers = pool.sample(10).map((id) => Number(id.slice(1)));
    expect(new Set(numbers).size).toBe(10);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...numbers)).toBeGreaterThan(4_000);
    for (let n = 1_003; n < 5_000; n++) pool.remove(`t${n}`);
    expect(pool.sample(5_000)).toHaveLength(3);
  });
});
