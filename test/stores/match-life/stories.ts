import { message, type ServerRegistration } from '@muster/domain';
import { describe, expect } from 'vitest';
import { testTime } from '@muster/testing';
import { aFormedMatch, aResult, aServer, ticketOf } from './fixtures.js';
import type { CreateMatchLife } from '../match-life-stores.js';
import { matchLimitMs, placementTimeouts } from './view.js';
import { describeBackfills } from './backfill-stories.js';
import { describeEnds, describeGrounds, describeOperators, describeRating, describeResults } from './ends.js';
import { storyTest, type Kept, type TellStory } from './story.js';

const { answerMs, silenceMs, avoidMs } = placementTimeouts;
const later = testTime + 60_000;
/** Of the rules of the matches. */
const resumeMs = 15_000;

/** The behaviour of the stores of a match's life, as scenarios. */
export function describeMatchLife(create: CreateMatchLife): void {
  describe('the life of a match', () => {
    const tell = storyTest(create);
    describeForming(tell);
    describePlacing(tell);
    describeAnswers(tell);
    describeSilence(tell);
    describeResults(tell);
    describeEnds(tell);
    describeGrounds(tell);
    describeOperators(tell);
    describeRating(tell);
    describeBackfills(tell);
  });
}

function describeForming(tell: TellStory): void {
  tell('forms a match once, and holds its players', async (story) => {
    expect(await story.stores.form(aFormedMatch('m1'))).toEqual({ outcome: 'formed' });
    expect(await story.stores.form(aFormedMatch('m1'))).toEqual({ outcome: 'decided', verdict: 'formed' });
    expect(await story.stores.form(aFormedMatch('m2', ['zoe', 'm1-b']))).toEqual({
      outcome: 'busy',
      playerIds: ['m1-b'],
    });
    expect(await story.held()).toEqual(['m1-a', 'm1-b']);
    expect(await story.jobs('m1')).toEqual(['place', 'formed']);
    expect(await story.matchState('m2')).toBeUndefined();
  });
}

function describePlacing(tell: TellStory): void {
  tell('places a match on the least-loaded server, once', async (story) => {
    await story.server('full');
    await story.server('wide', 4);
    await story.server('narrow', 2);
    await story.reserved('m0');
    for (const matchId of ['m1', 'm2', 'm3', 'm4']) await story.wants(matchId);
    const chosen: unknown[] = [];
    for (const matchId of ['m1', 'm2', 'm3', 'm4']) chosen.push(await story.place(matchId));
    // m0 is on `full`, the first by name; then by the share of slots in use.
    expect(chosen).toMatchObject(
      ['narrow', 'wide', 'wide', 'narrow'].map((serverId) => ({ outcome: 'reserved', serverId })),
    );
    expect(await story.place('m1')).toEqual({ outcome: 'settled' });
    const open = (await story.view()).sessions.map(({ serverId, ordinal }) => `${serverId} ${ordinal}`);
    expect(new Set(open).size).toBe(5);
  });

  tell('skips servers that drain, are silent, or have another build', async (story) => {
    await story.server('drains');
    await story.allocator.fleet.drain('drains');
    await story.allocator.fleet.register(aServer('other', { build: 'b2' }), testTime);
    await story.server('silent', 1, testTime - silenceMs);
    await story.wants('m1');
    expect(await story.place('m1')).toEqual({ outcome: 'none-free', nextAttemptAt: testTime + 250 });
    expect(await story.place('m1')).toEqual({ outcome: 'none-free', nextAttemptAt: testTime + 500 });
    // Its tickets are notified once.
    expect(await story.jobs('m1')).toEqual(['place', 'formed', 'placing']);
    expect(await story.lastJob('ticket-news')).toMatchObject({
      reason:
        'Your teams are made, but no server of build b1 in any region has a free slot now; it is tried again and again.',
    });
  });

  tell(
    'an operator’s drain outlives a restart of the server, and a drain of its own does not',
    async (story) => {
      const { allocator } = story;
      const restarted = async (serverId: string): Promise<string | undefined> => {
        await story.server(serverId);
        return (await story.view()).servers.get(serverId)?.state;
      };
      for (const serverId of ['own', 'operators', 'lost']) await story.server(serverId);
      await allocator.fleet.drain('own');
      await allocator.fleet.drain('operators');
      await allocator.fleet.drain('operators', 'operator');
      expect([await restarted('own'), await restarted('operators')]).toEqual(['ready', 'draining']);
      await allocator.fleet.undrain('operators');
      expect(await restarted('operators')).toBe('ready');
      await allocator.fleet.leave('lost', testTime);
      expect(await allocator.fleet.drain('lost', 'operator')).toMatchObject({ state: 'left' });
      expect(await restarted('lost')).toBe('draining');
      await allocator.fleet.leave('lost', testTime);
      expect(await allocator.fleet.undrain('lost')).toMatchObject({ state: 'left' });
      expect(await restarted('lost')).toBe('ready');
    },
  );

  tell('gives a match up when it found no server in time, but not while one is asked', async (story) => {
    await story.wants('m1');
    const kept = await story.server('s').then(() => story.reserved('m2'));
    expect(await story.allocator.placement.giveUp(testTime + 59_999, 10)).toEqual([]);
    expect(await story.allocator.placement.giveUp(later, 10)).toEqual(['m1']);
    expect(await story.matchState('m1')).toBe('abandoned');
    expect(await story.matchState(kept.matchId)).toBe('formed');
    expect(await story.held()).toEqual(['m2-a', 'm2-b']);
    expect(await story.jobs('m1')).toEqual(['place', 'formed', 'abandoned']);
  });

  tell('lets a player leave a match without a server, and remakes it of the others', async (story) => {
    const rules = { mode: 'duel', placementTimeoutSeconds: 60, leaveWithoutServerSeconds: 10 };
    const leave = (player: string, now: number) =>
      story.allocator.placement.leaveUnplaced('m1', ticketOf(player), placementTimeouts, now);
    expect(await leave('m1-a', testTime)).toEqual({ outcome: 'unknown' });
    await story.wants('m1', { rules });
    expect(await leave('m1-a', later)).toEqual({ outcome: 'too-soon', waitMs: null });
    await story.place('m1');
    expect(await leave('m1-a', testTime + 4_000)).toEqual({ outcome: 'too-soon', waitMs: 6_000 });
    expect(await leave('zoe', later)).toEqual({ outcome: 'unknown' });
    const left = {
      outcome: 'left',
      ticketIds: [ticketOf('m1-a'), ticketOf('m1-b')],
      reason: [message('match.left-without-server')],
    };
    expect(await leave('m1-a', testTime + 10_000)).toEqual(left);
    expect(await leave('m1-a', later)).toEqual(left);
    expect(await leave('m1-b', later)).toEqual({ outcome: 'over' });
    expect(await story.held()).toEqual([]);
    expect(await story.lastJob('ticket-news')).toMatchObject({
      kind: 'remade',
      failedTicketIds: [ticketOf('m1-a')],
      leftTicketIds: [ticketOf('m1-a')],
    });
  });

  tell('lets nobody leave a match that has a server, or one that was asked', async (story) => {
    await story.server('s');
    const kept = await story.reserved('m1');
    const leave = (now: number) =>
      story.allocator.placement.leaveUnplaced('m1', ticketOf('m1-a'), placementTimeouts, now);
    expect(await leave(later)).toEqual({ outcome: 'has-server' });
    await story.create(kept);
    expect(await leave(testTime + silenceMs)).toEqual({ outcome: 'has-server' });
    expect(await story.matchState('m1')).toBe('placed');
  });

  tell('lets a player leave a match whose server is silent; it goes on without them', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    const leave = (now: number) =>
      story.allocator.placement.leaveUnplaced('m1', ticketOf('m1-a'), placementTimeouts, now);
    const silent = testTime + silenceMs + 1;
    const left = {
      outcome: 'left',
      ticketIds: [ticketOf('m1-a')],
      reason: [message('match.left-silent-server')],
    };
    expect(await leave(silent)).toEqual(left);
    expect(await story.held()).toEqual(['m1-b']);
    const news = await story.lastJob('ticket-news');
    expect(news).toMatchObject({ kind: 'abandoned', matchState: 'placed', ticketIds: [ticketOf('m1-a')] });
    expect(news).not.toHaveProperty('blame');
    await story.allocator.fleet.heartbeat(kept.server, { cpuLoad: 0 }, testTime, silent);
    expect(await leave(silent)).toEqual(left);
    expect(await story.report(kept)).toMatchObject({ outcome: 'counted' });
    expect(await leave(silent)).toEqual({ outcome: 'over' });
  });

  tell(
    'a player who left a silent match is no leaver, whatever its server says afterwards',
    async (story) => {
      const matches: Kept[] = [];
      for (const matchId of ['m1', 'm2', 'm3']) {
        await story.server(`s-${matchId}`);
        matches.push(await story.live(matchId));
      }
      for (const { matchId, server } of matches) {
        const ticketId = ticketOf(`${matchId}-a`);
        const silent = testTime + silenceMs + 1;
        const left = await story.allocator.placement.leaveUnplaced(
          matchId,
          ticketId,
          placementTimeouts,
          silent,
        );
        expect(left).toMatchObject({ outcome: 'left' });
        await story.allocator.fleet.heartbeat(server, { cpuLoad: 0 }, testTime, later);
      }
      const [first, second, third] = matches;
      if (!first || !second || !third) throw new Error('three matches are played');
      expect(await story.report(first, aResult([2, 1], ['m1-a']))).toMatchObject({ outcome: 'counted' });
      const { sessionId, server } = second;
      const wanted = { backfillId: 'b', fingerprint: 'f', team: 0, seats: 1, leavers: ['m2-a'] };
      expect(await story.stores.allocator.backfills.request(sessionId, server, wanted, later)).toMatchObject({
        outcome: 'open',
      });
      expect(await story.report(second, aResult([2, 1], ['m2-a']))).toMatchObject({ outcome: 'counted' });
      await story.callOff(third, ['m3-a'], true);
      expect(await story.lastJob('conduct')).toBeUndefined();
      const news = await story.lastJob('ticket-news');
      expect(news).toMatchObject({ kind: 'remade', outPlayerIds: ['m3-a'] });
      expect(news).not.toHaveProperty('blame');
    },
  );

  tell(
    'tells each ticket that leaves a silent match, also when the updates follow closely',
    async (story) => {
      await story.server('s');
      await story.live('m1');
      for (const player of ['m1-a', 'm1-b'])
        await story.allocator.placement.leaveUnplaced('m1', ticketOf(player), placementTimeouts, later);
      await story.allocator.sessions.endMatch(
        'm1',
        { by: 'olga', reason: 'nobody is there', as: 'void', penalties: 'keep' },
        later,
      );
      const ends = (await story.view()).jobs.filter(({ jobId }) => /^abandoned-.*m1$/.test(jobId));
      expect(new Set(ends.map(({ jobId }) => jobId)).size).toBe(3);
      expect(ends.at(-1)?.payload).toMatchObject({ matchState: 'void' });
    },
  );
}

function describeAnswers(tell: TellStory): void {
  tell('moves session and match on together when the server has created the session', async (story) => {
    await story.server('s');
    const kept = await story.reserved('m1');
    expect(await story.create(kept)).toEqual({ outcome: 'accepted', matchId: 'm1' });
    expect(await story.create(kept)).toEqual({ outcome: 'again', matchId: null });
    expect(await story.refuse(kept)).toEqual({ outcome: 'withdrawn' });
    expect(await story.matchState('m1')).toBe('placed');
    expect(await story.sessionOf(kept)).toMatchObject({ state: 'live' });
    expect((await story.view()).waiting).toEqual([]);
    expect(await story.lastJob('ticket-news')).toMatchObject({
      kind: 'placed',
      serverId: 's',
      host: 's.example',
      port: 7_777,
      teams: [
        { ticketId: ticketOf('m1-a'), team: 0 },
        { ticketId: ticketOf('m1-b'), team: 1 },
      ],
    });
    expect(await story.allocator.commands.answer(kept.server, 99, { status: 'done' }, testTime)).toEqual({
      outcome: 'unknown',
    });
  });

  tell('goes to the next server after a refusal, and returns once the others were asked', async (story) => {
    await story.server('s1');
    await story.server('s2');
    const first = await story.reserved('m1');
    expect(first.server.serverId).toBe('s1');
    expect(await story.refuse(first)).toEqual({ outcome: 'accepted', matchId: 'm1' });
    expect(await story.refuse(first)).toEqual({ outcome: 'again', matchId: null });
    expect(await story.create(first)).toEqual({ outcome: 'withdrawn' });
    expect(await story.matchState('m1')).toBe('formed');
    const second = await story.keep('m1');
    expect(second.server.serverId).toBe('s2');
    await story.refuse(second);
    expect(await story.place('m1')).toMatchObject({ outcome: 'none-free' });
    for (const server of [first, second])
      await story.allocator.fleet.heartbeat(server.server, { cpuLoad: 0 }, testTime, testTime + avoidMs);
    expect(await story.place('m1', testTime + avoidMs)).toMatchObject({ outcome: 'reserved' });
    expect((await story.jobs('m1')).filter((kind) => kind === 'placing').length).toBe(3);
  });
}

function describeSilence(tell: TellStory): void {
  tell('withdraws a session that is not answered in time; a late answer changes nothing', async (story) => {
    await story.server('s');
    const kept = await story.reserved('m1');
    expect(await story.allocator.sessions.withdrawUnanswered(testTime + answerMs - 1, 10)).toEqual([]);
    expect(await story.allocator.sessions.withdrawUnanswered(testTime + answerMs, 10)).toEqual(['m1']);
    expect(await story.create(kept, testTime + answerMs)).toEqual({ outcome: 'withdrawn' });
    expect(await story.sessionOf(kept)).toMatchObject({ state: 'unanswered' });
    expect(await story.matchState('m1')).toBe('formed');
    const { commands, waiting } = await story.view();
    // It may still have created the session.
    expect(commands.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'create-session withdrawn',
      'end-session pending',
    ]);
    expect(waiting).toEqual(['m1']);
  });

  tell('a silent server loses its sessions: a played match ends, another is placed again', async (story) => {
    await story.server('s', 2);
    const live = await story.live('m1');
    const reserved = await story.reserved('m2');
    const silent = (now: number) => story.allocator.silence.loseSilent(placementTimeouts, now, 10);
    expect(await silent(testTime + resumeMs)).toEqual([]);
    expect(await silent(testTime + resumeMs + 1)).toEqual(['s']);
    expect(await silent(testTime + resumeMs + 1)).toEqual([]);
    expect(await story.matchState('m1')).toBe('abandoned');
    expect(await story.matchState('m2')).toBe('formed');
    for (const kept of [live, reserved]) expect(await story.sessionOf(kept)).toMatchObject({ state: 'lost' });
    expect(await story.held()).toEqual(['m2-a', 'm2-b']);
    expect(await story.jobs('m1')).toEqual(['place', 'formed', 'placed', 'remade']);
    expect(await story.create(reserved, later)).toEqual({ outcome: 'withdrawn' });
    expect(await story.allocator.fleet.heartbeat(live.server, { cpuLoad: 0 }, testTime, later)).toBeNull();
  });

  tell('a server without a live match is lost as soon as it is silent', async (story) => {
    await story.server('s');
    const reserved = await story.reserved('m1');
    const silent = (now: number) => story.allocator.silence.loseSilent(placementTimeouts, now, 10);
    expect(await silent(testTime + silenceMs)).toEqual([]);
    expect(await silent(testTime + silenceMs + 1)).toEqual(['s']);
    expect(await story.sessionOf(reserved)).toMatchObject({ state: 'lost' });
    expect(await story.matchState('m1')).toBe('formed');
  });

  tell('silence of most servers at once is not counted until they are heard again', async (story) => {
    const timeouts = { ...placementTimeouts, massSilenceMs: 300_000 };
    const silent = (now: number) => story.allocator.silence.loseSilent(timeouts, now, 10);
    const beat = (kept: Kept, now: number) =>
      story.allocator.fleet.heartbeat(kept.server, { cpuLoad: 0 }, now - silenceMs, now);
    const played: Kept[] = [];
    for (const name of ['a', 'b', 'c']) {
      await story.server(name);
      played.push(await story.live(`m${name}`));
    }
    const [a, b, c] = played;
    if (!a || !b || !c) throw new Error('three matches are played');
    await beat(a, testTime + 2_000);
    expect(await silent(testTime + 60_000)).toEqual([]);
    // The third comes back last, or never: its silence counts from when the second was heard.
    const back = testTime + 70_000;
    const beatBoth = async (now: number): Promise<void> => {
      for (const kept of [a, b]) await beat(kept, now);
    };
    for (const ms of [0, 9_000, resumeMs]) {
      await beatBoth(back + ms);
      expect(await silent(back + ms)).toEqual([]);
    }
    await beatBoth(back + resumeMs + 1);
    expect(await silent(back + resumeMs + 1)).toEqual(['c']);
    expect(await story.matchState('mc')).toBe('abandoned');
    expect(await story.matchState('ma')).toBe('placed');
    // Dead all the same: both are judged after the longer time.
    expect(await silent(back + resumeMs + 1 + timeouts.massSilenceMs)).toEqual([]);
    expect(await silent(back + resumeMs + 2 + timeouts.massSilenceMs)).toEqual(['a', 'b']);
  });

  tell(
    'an id that another address holds and is heard is refused; a restart and a successor are not',
    async (story) => {
      const { server: first } = await story.server('s').then(() => story.live('m1'));
      const register = (server: ServerRegistration, [now, heardAfter]: readonly [number, number]) =>
        story.allocator.fleet.register(server, now, heardAfter);
      const other = aServer('s', { host: 'other.example' });
      const at = (ms: number) => [testTime + ms, testTime + ms - silenceMs] as const;
      for (const taken of [other, aServer('s', { port: 7_778 })])
        await expect(register(taken, at(4_000))).rejects.toMatchObject({
          code: 'server-id-taken',
          facts: { serverId: 's', host: 's.example', port: 7_777, retryAfterSeconds: 6 },
        });
      expect(await story.matchState('m1')).toBe('placed');
      await story.allocator.fleet.heartbeat(first, { cpuLoad: 0 }, testTime, testTime + 5_000);
      await expect(register(other, at(14_999))).rejects.toMatchObject({ code: 'server-id-taken' });
      // The same server, at once, and another one after its silence, or after it left.
      expect(await register(aServer('s'), at(5_001))).toMatchObject({
        incarnation: first.incarnation + 1,
      });
      expect(await register(other, at(15_001))).toMatchObject({ incarnation: first.incarnation + 2 });
      await story.allocator.fleet.leave('s', testTime + 15_002);
      expect(await register(aServer('s'), at(15_003))).toMatchObject({ resumed: [] });
    },
  );

  tell('a restarted server resumes the sessions it names and loses the rest', async (story) => {
    await story.server('s', 3);
    const named = await story.live('m1');
    const forgotten = await story.live('m2');
    const reserved = await story.reserved('m3');
    const resume = [named.sessionId, reserved.sessionId];
    expect(await story.allocator.fleet.register(aServer('s', { slots: 3, resume }), later)).toEqual({
      incarnation: 2,
      resumed: [named.sessionId],
    });
    expect(await story.sessionOf(named)).toMatchObject({ state: 'live' });
    expect(await story.sessionOf(forgotten)).toMatchObject({ state: 'lost' });
    expect(await story.sessionOf(reserved)).toMatchObject({ state: 'lost' });
    expect(await story.report(named)).toEqual({ outcome: 'superseded' });
    expect(await story.report({ ...named, server: { serverId: 's', incarnation: 2 } })).toMatchObject({
      outcome: 'counted',
    });
  });

  tell('a live session that heartbeats omit is lost with the second of them', async (story) => {
    await story.server('s');
    const { server, ...kept } = await story.live('m1');
    const beat = (sessions: string[], now: number) =>
      story.allocator.fleet.heartbeat(server, { cpuLoad: 0, sessions }, now - silenceMs, now);
    const after = (ms: number): number => testTime + ms;
    await beat([], after(1_000));
    await beat([], after(silenceMs + 1));
    await beat([kept.sessionId], after(silenceMs + 2));
    await beat([], after(2 * silenceMs + 2));
    expect(await story.matchState('m1')).toBe('placed');
    await beat([], after(2 * silenceMs + 3));
    expect(await story.matchState('m1')).toBe('placed');
    await beat([], after(3 * silenceMs + 3));
    expect(await story.matchState('m1')).toBe('abandoned');
    expect(await story.held()).toEqual([]);
  });

  tell('a match that exceeds its time limit is abandoned, and its server told to end it', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    const overdue = (now: number) => story.allocator.sessions.loseOverdue(now - matchLimitMs, now, 10);
    expect(await overdue(testTime + matchLimitMs)).toEqual([]);
    expect(await overdue(testTime + matchLimitMs + 1)).toEqual([kept.sessionId]);
    expect(await story.matchState('m1')).toBe('abandoned');
    expect((await story.view()).commands.at(-1)).toMatchObject({ kind: 'end-session', state: 'pending' });
  });
}
