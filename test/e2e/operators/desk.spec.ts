import type { BanOfPlayer, TicketPage, TicketView } from '@muster/contracts';
import type { PlayerOverview } from '@muster/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { GameServer } from '../../support/game-server.js';
import { muster, type Ended } from '../../support/muster.js';
import { openQueue } from '../../support/open-queue.js';
import { duel, queueUp } from '../../support/party.js';
import type { Stack } from '../../support/stack.js';
import { sharedStack } from '../shared-stack.js';

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
    expect((await command('ticket', 'show', ticketId)).stdout).toMatch(/why +1 of 2 players/);
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

describe('muster matches void', () => {
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

describe('muster ban', () => {
  it('ends a waiting ticket, refuses new ones with the reason, and is lifted', async () => {
    const request = { queue: '1v1', build: 'desk-ban' };
    const ticket = await queueUp(stack, ['ban-ann'], request);
    const args = ['ban', 'set', 'ban-ann', '--until', '1h', '--reason', 'insults in chat'];
    const { ban } = await answer<BanOfPlayer>(...args);
    expect(await ticket.closed()).toMatchObject({
      state: 'cancelled',
      reason: 'An operator took you out of the queue: insults in chat',
    });
    const ann = await stack.player('ban-ann');
    await expect(ann.enqueue(request)).rejects.toMatchObject({
      code: 'banned',
      message: expect.stringContaining('insults in chat'),
      problem: { until: ban?.until },
    });
    expect((await stack.operator.penalties('ban-ann')).ban).toEqual(ban);
    expect((await stack.operator.bans()).bans.map(({ playerId }) => playerId)).toContain('ban-ann');
    expect(await answer('ban', 'lift', 'ban-ann')).toEqual({ playerId: 'ban-ann', ban: null });
    expect((await ann.enqueue(request)).state).toBe('waiting');
  });
});

describe('muster servers drain', () => {
  it('drains the servers of a build, and ends that', async () => {
    const build = 'desk-drain';
    const servers = await Promise.all(
      [1, 2].map((n) => GameServer.start(stack, { serverId: `${build}-${n}`, build })),
    );
    const states = async () =>
      (await stack.operator.servers()).servers.flatMap((server) =>
        server.build === build ? [server.state] : [],
      );
    try {
      expect(await answer('server', 'drain', '--build', build)).toEqual({ changed: 2 });
      expect(await answer('server', 'drain', '--build', build)).toEqual({ changed: 0 });
      expect(await states()).toEqual(['draining', 'draining']);
      expect(await answer('server', 'undrain', '--build', build, '--region', 'local')).toEqual({
        changed: 2,
      });
      expect(await states()).toEqual(['ready', 'ready']);
      expect((await command('server', 'drain')).stderr).toContain('Name a server');
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  });
});

describe('muster players show', () => {
  it('tells of the ticket, matches, penalties and party of a player', async () => {
    const { ticketId } = await queueUp(stack, ['show-ann'], { queue: '1v1', build: 'desk-show' });
    const shown = await answer<PlayerOverview>('player', 'show', 'show-ann');
    expect(shown).toMatchObject({
      playerId: 'show-ann',
      ticket: { ticketId },
      party: null,
      matches: [],
      cases: [],
    });
    const none = await answer<PlayerOverview>('player', 'show', 'show-nobody');
    expect(none.ticket).toBeNull();
    const text = await command('player', 'show', 'show-ann');
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(new RegExp(`ticket +${ticketId}\\n +queue +1v1\\n`));
  });
});

describe('muster penalties forgive', () => {
  it('forgives the penalties of a range and queue with a reason that players read', async () => {
    const coolDown = { coolDownSeconds: [600], forgiveAfterSeconds: 6_000 };
    const queue = await openQueue(stack, 'desk-forgive', { readyCheck: { seconds: 60, ...coolDown } });
    const from = Date.now();
    const [one] = await duel(stack, 'desk-forgive', ['forgive-a', 'forgive-b'], queue);
    await one.until(({ state }) => state === 'accepting');
    await one.leader.decline(one.ticketId);
    const request = { queue, build: 'desk-forgive' };
    await expect(one.leader.enqueue(request)).rejects.toMatchObject({ code: 'cooling-down' });
    const range = ['--from', String(from - 60_000), '--to', String(from + 600_000), '--queue', queue];
    const args = ['penalty', 'forgive', ...range, '--reason', 'an outage'];
    expect(await answer(...args, '--region', 'nowhere')).toEqual({ forgiven: 0 });
    expect(await answer(...args)).toEqual({ forgiven: 1 });
    expect(await answer(...args)).toEqual({ forgiven: 0 });
    const { penalties } = await stack.operator.penalties('forgive-a');
    expect(penalties).toMatchObject([{ liftedReason: 'An operator forgave it: an outage' }]);
    expect((await command('penalty', 'list', 'forgive-a')).stdout).toContain('an outage');
    expect((await one.leader.enqueue(request)).state).toBe('waiting');
  });
});

describe('muster conflict', () => {
  it('keeps the result that counted, or voids the match for good', async () => {
    const build = 'desk-conflict';
    const queue = await openQueue(stack, build, {});
    const server = await GameServer.start(stack, { serverId: build, build });
    try {
      const [one] = await duel(stack, build, ['conflict-a', 'conflict-b'], queue);
      const { sessionId, matchId } = await one.assigned();
      await server.report(sessionId, { winner: 0 });
      await one.closed();
      await expect(server.report(sessionId, { winner: 1 })).rejects.toMatchObject({
        code: 'result-contradicts',
      });
      const decide = (as: 'kept' | 'void') =>
        answer('conflict', 'decide', matchId, '--as', as, '--reason', `it is ${as}`);
      expect(await decide('kept')).toEqual({ matchId, decision: 'kept', countsAs: null });
      const decisionOf = async () =>
        (await stack.operator.conflicts()).conflicts.find((each) => each.matchId === matchId)?.decision;
      expect(await decisionOf()).toMatchObject({ as: 'kept', by: 'operator', reason: 'it is kept' });
      expect(await decide('void')).toEqual({ matchId, decision: 'void', countsAs: null });
      expect(await decide('kept')).toEqual({ matchId, decision: 'void', countsAs: null });
      expect(await decisionOf()).toMatchObject({ as: 'void', reason: 'it is void' });
      expect(await stack.operator.match(matchId)).toMatchObject({ state: 'void' });
      expect((await command('conflict', 'list')).stdout).toContain('reason=it is void');
      await expect(
        stack.operator.decideConflict('mat_00000000', { as: 'kept', reason: 'none' }),
      ).rejects.toMatchObject({ code: 'conflict-not-found' });
    } finally {
      await server.stop();
    }
  });
});
