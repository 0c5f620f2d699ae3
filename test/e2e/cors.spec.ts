import { beforeAll, describe, expect, it } from 'vitest';
import type { Stack } from '../support/stack.js';
import { followTicket } from '../../docs/examples/follow-with-fetch.js';
import { sharedStack } from './shared-stack.js';

// The shared system is started with CORS_ORIGINS=https://play.example.
const ours = 'https://play.example';

let stack: Stack;
let origins: [string, string][];
beforeAll(async () => {
  stack = await sharedStack();
  origins = [
    ['edge', stack.url],
    ...stack.run.replicas.map(
      ({ service, httpPort }) => [service, `http://127.0.0.1:${httpPort}`] as [string, string],
    ),
  ];
});

const preflight = (url: string, origin: string, method = 'POST'): Promise<Response> =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });

const path: Record<string, string> = {
  edge: '/v1/tickets',
  queue: '/v1/tickets',
  assignment: '/v1/matches',
  allocator: '/v1/servers',
  rating: '/v1/pools',
};

describe('a page of an allowed origin', () => {
  it('passes its preflight at every service and the edge', async () => {
    for (const [service, url] of origins) {
      const answer = await preflight(`${url}${path[service]}`, ours);
      expect([service, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        service,
        204,
        ours,
      ]);
      expect(answer.headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key/);
      expect(answer.headers.get('access-control-allow-methods')).toMatch(/PUT/);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('access-control-max-age')).toBe('7200');
      expect(answer.headers.get('vary')).toMatch(/Origin/i);
    }
  });

  it('may read answers, refusals and streams', async () => {
    const token = await stack.token('cors-player');
    const headers = { origin: ours, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (const [service, url] of origins) {
      const refused = await fetch(`${url}${path[service]}`, { method: 'GET', headers: { origin: ours } });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect([service, refused.headers.get('access-control-allow-origin')]).toEqual([service, ours]);
      expect(refused.headers.get('access-control-expose-headers')).toBe(
        'Retry-After, Allow, RateLimit, RateLimit-Policy',
      );
      // A cache must not give one origin's answer to another.
      expect(refused.headers.get('vary')).toMatch(/Origin/i);
    }
    const body = JSON.stringify({ queue: '1v1', build: 'cors' });
    const queued = await fetch(`${stack.url}/v1/tickets`, { method: 'POST', headers, body });
    const { ticketId } = (await queued.json()) as { ticketId: string };
    expect(queued.headers.get('access-control-allow-origin')).toBe(ours);
    expect(queued.headers.get('ratelimit')).toMatch(/^"tickets-by-player";r=\d+;t=\d+$/);
    const followed: string[] = [];
    const following = followTicket(stack.url, token, ticketId, ({ state }) => followed.push(state));
    await expect.poll(() => followed).toEqual(['waiting']);
    await fetch(`${stack.url}/v1/tickets/${ticketId}`, { method: 'DELETE', headers });
    await following;
    expect(followed).toEqual(['waiting', 'cancelled']);
    const stream = await fetch(`${stack.url}/v1/tickets/${ticketId}/events`, { headers });
    expect(stream.headers.get('access-control-allow-origin')).toBe(ours);
    expect(await stream.text()).toContain('cancelled');
  });
});

describe('a page of another origin', () => {
  it('is not allowed', async () => {
    for (const [service, url] of origins) {
      const asked = await preflight(`${url}${path[service]}`, 'https://evil.example');
      expect([service, asked.headers.get('access-control-allow-origin')]).toEqual([service, null]);
      expect(asked.headers.get('vary')).toMatch(/Origin/i);
    }
  });
});
