import type { Problem, TicketView } from '@muster/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, jsonOf, type Answer, type Ask } from '../support/http.js';
import type { Stack } from '../support/stack.js';
import { ownReplica, type OwnReplica } from './own-replica.js';
import { sharedStack } from './shared-stack.js';

/** Small limits, of all addresses. */
const limits = {
  tickets: { player: { burst: 5, perMinute: 6 }, address: { burst: 20, perMinute: 6 } },
  reads: { player: { burst: 40, perMinute: 600 } },
  attempts: { address: { burst: 10, perMinute: 6 } },
  exempt: [],
};
const trusting = { RATE_LIMITS: JSON.stringify(limits), TRUSTED_PROXIES: 'loopback', REALM: 'limits' };

let stack: Stack;
let replicas: readonly OwnReplica[];
beforeAll(async () => {
  stack = await sharedStack();
  replicas = await Promise.all([
    ownReplica('queue', trusting),
    ownReplica('queue', trusting),
    // Its callers are not proxies.
    ownReplica('queue', { ...trusting, TRUSTED_PROXIES: '10.0.0.0/8', REALM: 'limits-apart' }),
  ]);
});
afterAll(async () => {
  for (const { child } of replicas) child.kill('SIGTERM');
  await Promise.all(replicas.map(({ exit }) => exit));
});

/** A call to one of the replicas, from an address. */
const call = (at: 0 | 1 | 2, path: string, from: string, what: Ask = {}): Promise<Answer> =>
  ask(replicas[at]?.url ?? '', path, { ...what, headers: { 'x-forwarded-for': from } });

/** A player's ticket that is cancelled at once. @returns the status of its creation */
async function queueAndLeave(at: 0 | 1 | 2, playerId: string, from: string): Promise<Answer> {
  const token = await stack.token(playerId);
  const body = { queue: '1v1', build: 'limits' };
  const answer = await call(at, '/v1/tickets', from, { token, body });
  if (answer.status === 201) {
    const { ticketId } = jsonOf<TicketView>(answer, 201);
    await call(at, `/v1/tickets/${ticketId}`, from, { token, method: 'DELETE' });
  }
  return answer;
}

const typeOf = ({ text }: Answer): string => (JSON.parse(text) as Problem).type;
const tooMany = 'urn:muster:problem:too-many-requests';

describe('a player who queues too often', () => {
  it('is refused with the time to wait, on the other replica within a second, and nobody else is', async () => {
    const answers: Answer[] = [];
    for (let i = 0; i < 8; i++) answers.push(await queueAndLeave(0, 'limits-hasty', '203.0.113.1'));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
    expect(answers[0]?.headers).toMatchObject({
      'ratelimit-policy': '"tickets-by-player";q=5;w=50',
      ratelimit: '"tickets-by-player";r=4;t=40',
    });
    const [refused] = answers.slice(-1);
    expect(refused && JSON.parse(refused.text)).toMatchObject({
      type: tooMany,
      status: 429,
      'violated-policies': ['tickets-by-player'],
    });
    const seconds = Number(refused?.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(10);
    expect(refused?.headers['ratelimit']).toBe(`"tickets-by-player";r=0;t=${seconds}`);

    await delay(1_000);
    expect((await queueAndLeave(1, 'limits-hasty', '203.0.113.2')).status).toBe(429);
    expect((await queueAndLeave(1, 'limits-calm', '203.0.113.1')).status).toBe(201);
  });

  it('owes what two replicas gave before they knew of each other, and not more', async () => {
    const at = (i: number): 0 | 1 => (i % 2 === 0 ? 0 : 1);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => queueAndLeave(at(i), 'limits-quick', '203.0.113.3')),
    );
    const made = answers.filter(({ status }) => status !== 429).length;
    expect(made).toBeGreaterThanOrEqual(5);
    expect(made).toBeLessThanOrEqual(10);
    await delay(1_000);
    const later = await Promise.all([0, 1].map((i) => queueAndLeave(at(i), 'limits-quick', '203.0.113.3')));
    expect(later.map(({ status }) => status)).toEqual([429, 429]);
  });
});

describe('invented players of one address', () => {
  it('are limited together, whatever address they claim before that of the proxy', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        queueAndLeave(0, `limits-made-${i}`, `198.51.100.${i}, 203.0.113.4`),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const [refused] = answers.filter(({ status }) => status === 429);
    expect(refused && JSON.parse(refused.text)).toMatchObject({
      'violated-policies': ['tickets-by-address'],
    });
    expect((await queueAndLeave(0, 'limits-elsewhere', '203.0.113.5')).status).toBe(201);
  });

  it('are not helped by a header that no proxy wrote', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => queueAndLeave(2, `limits-forged-${i}`, `198.51.100.${i}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  });
});

describe('an address that guesses keys', () => {
  it('gets no answer for a while, also with the right key; players behind it are served', async () => {
    const guess = (token: string): Promise<Answer> => call(0, '/v1/jobs', '203.0.113.6', { token });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => guess(`guess-${i}`)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429).map(typeOf)).toEqual(Array(10).fill(tooMany));
    expect((await guess(stack.run.operatorKey)).status).toBe(429);
    const elsewhere = await call(0, '/v1/jobs', '203.0.113.7', { token: stack.run.operatorKey });
    expect(elsewhere.status).toBe(200);
    await delay(1_000);
    expect((await call(1, '/v1/jobs', '203.0.113.6', { token: stack.run.operatorKey })).status).toBe(429);
    const token = await stack.token('limits-neighbour');
    expect((await call(0, '/v1/me/party', '203.0.113.6', { token })).status).toBe(200);
  });
});

describe('reads', () => {
  it('are limited by each process alone', async () => {
    const token = await stack.token('limits-reader');
    const read = (at: 0 | 1): Promise<Answer> => call(at, '/v1/me/party', '203.0.113.8', { token });
    const answers = await Promise.all(Array.from({ length: 60 }, () => read(0)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(10);
    await delay(600);
    expect((await read(1)).headers['ratelimit']).toMatch(/^"reads-by-player";r=39;/);
  });
});
