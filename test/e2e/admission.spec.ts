import type { Problem, TicketView } from '@muster/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, jsonOf, type Answer } from '../support/http.js';
import type { Stack } from '../support/stack.js';
import { ownReplica, type OwnReplica } from './own-replica.js';
import { sharedStack } from './shared-stack.js';

let stack: Stack;
let queue: OwnReplica;

beforeAll(async () => {
  stack = await sharedStack();
  // Every ticket takes longer.
  queue = await ownReplica('queue', { REALM: 'admission', ADMISSION_DELAY_MS: '1' });
});
afterAll(async () => {
  queue.child.kill('SIGKILL');
  await queue.exit;
});

const body = { queue: '5v5', build: 'admission' };
/** Players who queue at the same time. */
const together = 20;
const mostRounds = 60;

interface Queued {
  readonly token: string;
  readonly answer: Answer;
}

async function queueTogether(round: number): Promise<Queued[]> {
  const tokens = await Promise.all(
    Array.from({ length: together }, (_, i) => stack.token(`admission-${round}-${i}`)),
  );
  return Promise.all(
    tokens.map(async (token) => ({ token, answer: await ask(queue.url, '/v1/tickets', { token, body }) })),
  );
}

it('a slow service takes fewer new tickets at once, says when to return, and serves those that it took', async () => {
  const taken: Queued[] = [];
  let refused: Answer[] = [];
  for (let round = 1; refused.length === 0 && round <= mostRounds; round++) {
    const queued = await queueTogether(round);
    taken.push(...queued.filter(({ answer }) => answer.status === 201));
    refused = queued.map(({ answer }) => answer).filter(({ status }) => status !== 201);
  }
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    const { retryAfterSeconds, ...problem } = jsonOf<Problem & { retryAfterSeconds: number }>(answer, 503);
    expect(problem).toMatchObject({ type: 'urn:muster:problem:too-busy', instance: '/v1/tickets' });
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(answer.headers).toMatchObject({
      'retry-after': String(retryAfterSeconds),
      'cache-control': 'no-store',
    });
  }
  // More at once than there are places for new tickets.
  const reads = taken.slice(-5 * together).map(({ token, answer }) => {
    const { ticketId } = jsonOf<TicketView>(answer, 201);
    return ask(queue.url, `/v1/tickets/${ticketId}`, { token });
  });
  expect((await Promise.all(reads)).filter(({ status }) => status !== 200)).toEqual([]);
});
