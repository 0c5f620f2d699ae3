import type { TicketPage, TicketView } from '@muster/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { muster, type Ended } from '../support/muster.js';
import { openQueue } from '../support/open-queue.js';
import { duel, queueUp } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await sharedStack();
});

const command = (...args: string[]): Promise<Ended> => muster([...args, '--data-dir', stack.dataDir]);

/** The JSON that a command prints. */
async function answer<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await command(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

describe('muster ticket', () => {
  it('finds a waiting ticket by its player, queue and age, and says why it waits', async () => {
    const { ticketId } = await queueUp(stack, ['desk-ann'], { queue: '1v1', build: 'desk-1' });

    const { tickets } = await answer<TicketPage>('ticket', 'list', '--player', 'desk-ann');
    expect(tickets).toMatchObject([{ ticketId, state: 'waiting', players: ['desk-ann'] }]);
    const waiting = await answer<TicketPage>(
      'ticket',
      'list',
      '--queue',
      '1v1',
      '--state',
      'waiting',
      '--limit',
      '1000',
    );
    expect(waiting.tickets.map((ticket) => ticket.ticketId)).toContain(ticketId);
    const old = await answer<TicketPage>('ticket', 'list', '--player', 'desk-ann', '--older-than', '1h');
    expect(old.tickets).toEqual([]);

    const { stdout } = await command('ticket', 'list', '--player', 'desk-ann');
    expect(stdout).toMatch(new RegExp(`${ticketId} +1v1 +waiting .*desk-ann +You are in the queue`));
    expect((await command('ticket', 'show', ticketId)).stdout).toMatch(/waits +.*player/);
    expect(await stack.operator.ticketOf('desk-ann')).toMatchObject({ ticketId });
    await expect(stack.operator.ticketOf('desk-nobody')).rejects.toMatchObject({ code: 'ticket-not-found' });
  });

  it('is cancelled by an operator with a reason that its player reads, once', async () => {
    const ticket = await queueUp(stack, ['desk-out'], { queue: '1v1', build: 'desk-out' });
    const args = ['ticket', 'cancel', ticket.ticketId, '--reason', 'the tournament begins'];
    const answers = await Promise.all([answer<TicketView>(...args), answer<TicketView>(...args)]);
    expect(answers).toMatchObject([{ state: 'cancelled' }, { state: 'cancelled' }]);
    const story = await ticket.story();
    expect(story.map(({ state }) => state)).toEqual(['waiting', 'cancelled']);
    expect(story.at(-1)?.reason).toBe('An operator took you out of the queue: the tournament begins');
  });

  it('is cancelled while it is asked to accept: the others return, and nobody is penalised', async () => {
    const queue = await openQueue(stack, 'desk-check', {
      readyCheck: { seconds: 60, coolDownSeconds: [60], forgiveAfterSeconds: 600 },
    });
    const [one, other] = await duel(stack, 'desk-check', ['desk-one', 'desk-other'], queue);
    await one.until(({ state }) => state === 'accepting');
    await stack.operator.cancelTicket(one.ticketId, { reason: 'a banned account' });
    expect((await one.closed()).state).toBe('cancelled');
    const back = await other.until(({ reason }) => reason.includes('An operator took a ticket of the match'));
    expect(back.state).toBe('waiting');
    expect((await stack.operator.penalties('desk-one')).penalties).toEqual([]);
  });

  it('lists every open ticket in pages', async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        queueUp(stack, [`desk-page-${i}`], { queue: '5v5', build: `desk-${i}` }),
      ),
    );
    const found: TicketView[] = [];
    let cursor: string | undefined;
    do {
      const { tickets, next } = await stack.operator.tickets({ queue: '5v5', limit: 2, cursor });
      found.push(...tickets);
      cursor = next ?? undefined;
    } while (cursor !== undefined);
    expect(found.map(({ ticketId }) => ticketId)).toEqual(
      expect.arrayContaining(made.map(({ ticketId }) => ticketId)),
    );
    expect(found.every(({ queue, closed }) => queue === '5v5' && !closed)).toBe(true);
  });
});

describe('muster match void', () => {
  it('voids a match in any state, and says what follows for its players', async () => {
    const build = 'desk-void';
    const queue = await openQueue(stack, 'desk-void', { placementTimeoutSeconds: 300 });
    const [one] = await duel(stack, build, ['void-a', 'void-b'], queue);
    const { matchId = '' } = await one.until(({ state }) => state === 'placing');
    await expect(stack.operator.cancelTicket(one.ticketId, { reason: 'no' })).rejects.toMatchObject({
      code: 'ticket-already-matched',
      problem: { matchId },
    });
    const args = ['match', 'void', matchId, '--reason', 'the map is broken'];
    expect(await answer(...args)).toEqual({ matchId, voided: true, rebuild: null });
    expect(await answer(...args)).toMatchObject({ matchId, voided: false });
    const end = await one.closed();
    expect(end).toMatchObject({ state: 'failed', matchState: 'void' });
    expect(end.reason).toContain('the map is broken');

    const server = await GameServer.start(stack, { serverId: build, build });
    try {
      const [running] = await duel(stack, build, ['void-a', 'void-b'], queue);
      const { matchId: played } = await running.assigned();
      // A match that was abandoned is settled as void.
      await stack.operator.endMatch(played, { reason: 'it hangs' });
      expect(await stack.operator.cancelMatch(played, { reason: 'it hangs' })).toMatchObject({
        voided: true,
      });
      expect(await stack.operator.match(played)).toMatchObject({ state: 'void' });
    } finally {
      await server.stop();
    }
  });
});
