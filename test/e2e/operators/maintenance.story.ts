import type { AnswerOf, MaintenanceView, PausedQueue } from '@muster/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, jsonOf, problemOf } from '../../support/http.js';
import { muster } from '../../support/muster.js';
import { openQueue } from '../../support/open-queue.js';
import { duel, queueUp } from '../../support/party.js';
import type { Stack } from '../../support/stack.js';
import { storiesStack } from '../stories-stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await storiesStack();
});
afterAll(() => stack.operator.endMaintenance());

/** The JSON that a command prints. */
async function answer<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await muster([...args, '--json', '--data-dir', stack.dataDir]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}
const enqueue = async (playerId: string, queue: string) =>
  ask(stack.url, '/v1/tickets', { token: await stack.token(playerId), body: { queue, build: 'pause' } });

describe('muster queues pause', () => {
  it('keeps those who wait, refuses others with the message, and forms matches once it is resumed', async () => {
    const queue = await openQueue(stack, 'paused', {});
    const early = await queueUp(stack, ['pause-early'], { queue, build: 'pause' });
    const args = ['queue', 'pause', queue, '--message', 'Back at noon.', '--until', '1h'];
    const { paused } = await answer<PausedQueue>(...args);
    expect(paused).toMatchObject({ message: 'Back at noon.', waiting: 'kept' });

    const refused = await enqueue('pause-late', queue);
    expect(problemOf(refused)).toMatchObject({ status: 503, code: 'queue-paused' });
    expect(JSON.parse(refused.text)).toMatchObject({ message: 'Back at noon.', until: paused?.until });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
    // The client of a game tells its player at once.
    const late = await stack.player('pause-late');
    await expect(late.enqueue({ queue, build: 'pause' })).rejects.toMatchObject({ code: 'queue-paused' });
    expect(await early.read()).toMatchObject({ state: 'waiting', paused: { message: 'Back at noon.' } });
    const listed = jsonOf<AnswerOf<'listQueues'>>(await ask(stack.url, '/v1/queues', {}));
    expect(listed.queues.find(({ name }) => name === queue)).toMatchObject({ paused });

    expect(await answer('queue', 'resume', queue)).toEqual({ queue, paused: null });
    expect(await answer('queue', 'resume', queue)).toEqual({ queue, paused: null });
    await queueUp(stack, ['pause-late'], { queue, build: 'pause' });
    await early.until(({ state }) => state === 'proposed');
  });

  it('returns those who wait with the message, if asked to', async () => {
    const queue = await openQueue(stack, 'returning', {});
    const ticket = await queueUp(stack, ['pause-returned'], { queue, build: 'pause' });
    await answer('queue', 'pause', queue, '--message', 'Come back tomorrow.', '--return-waiting');
    expect(await ticket.closed()).toMatchObject({
      state: 'cancelled',
      reason: 'The queue is paused, so you are out of it: Come back tomorrow.',
    });
  });
});

describe('muster maintenance', () => {
  it('is announced, pauses every queue, and ends', async () => {
    const queue = await openQueue(stack, 'maintained', {});
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const args = ['maintenance', 'begin', '--message', 'New servers.'];
    expect(await answer<MaintenanceView>(...args, '--at', soon)).toMatchObject({ inForce: false });
    const announced = jsonOf<MaintenanceView>(await ask(stack.url, '/v1/maintenance', {}));
    expect(announced).toMatchObject({ inForce: false, maintenance: { startsAt: Date.parse(soon) } });
    await duel(stack, 'maintained', ['maintained-a', 'maintained-b'], queue);

    expect(await answer<MaintenanceView>(...args)).toMatchObject({ inForce: true });
    const refused = await enqueue('maintained-c', queue);
    expect(problemOf(refused)).toMatchObject({ status: 503, code: 'maintenance' });
    expect(await answer<MaintenanceView>('maintenance')).toMatchObject({ inForce: true });
    expect(await answer<MaintenanceView>('maintenance', 'end')).toEqual({
      maintenance: null,
      inForce: false,
    });
    expect((await enqueue('maintained-c', queue)).status).toBe(201);
  });
});
