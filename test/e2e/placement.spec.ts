import type { AssignmentView, CommandList, ServerView } from '@muster/contracts';
import { MusterProblem } from '@muster/sdk';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GameServer, register, type ServerTraits } from '../support/game-server.js';
import { Happenings } from '../support/happenings.js';
import { ask, jsonOf, problemOf } from '../support/http.js';
import { duel, queueUp, type Queued } from '../support/party.js';
import { until } from '../support/gate.js';
import { Stack } from '../support/stack.js';
import { stall } from '../support/stalls.js';

/** Short enough to wait for, long enough for a machine that has much to do. */
const patience = { ANSWER_MS: '1500', SILENCE_MS: '3000', MASS_SILENCE_MS: '20000', AVOID_MS: '3000' };

let stack: Stack;
const servers: GameServer[] = [];

beforeAll(async () => {
  stack = await Stack.start(['--single'], { env: patience });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await stack?.stop();
});

/** A server that is told goodbye when the tests are over. Each test has a build of its own, so they do not meet. */
async function serve(traits: ServerTraits, decide?: GameServer['decide']): Promise<GameServer> {
  const server = await GameServer.start(stack, traits, decide);
  servers.push(server);
  return server;
}

async function viewOf(serverId: string): Promise<z.infer<typeof ServerView> | undefined> {
  const { servers: all } = await stack.operator.servers();
  return all.find((server) => server.serverId === serverId);
}

/** A match of two, assigned. */
async function place(
  build: string,
  name: string,
  queue = '1v1',
): Promise<{ tickets: [Queued, Queued]; serverId: string; sessionId: string; matchId: string }> {
  const tickets = await duel(stack, build, [`${name}-one`, `${name}-two`], queue);
  const [one, two] = await Promise.all(tickets.map((ticket) => ticket.assigned()));
  expect(one?.sessionId).toBe(two?.sessionId);
  return {
    tickets,
    serverId: one?.serverId ?? '',
    sessionId: one?.sessionId ?? '',
    matchId: one?.matchId ?? '',
  };
}

describe('which server gets a match', () => {
  it('is the least loaded by the share of slots in use', async () => {
    const build = 'least';
    await serve({ serverId: 'least-big', build, slots: 4 });
    const first = await place(build, 'least-1');
    await serve({ serverId: 'least-small', build, slots: 2 });
    const second = await place(build, 'least-2'); // 1 of 4 against 0 of 2
    const third = await place(build, 'least-3'); // 1 of 4 against 1 of 2
    const fourth = await place(build, 'least-4'); // 2 of 4 against 1 of 2: a tie, which the name decides

    expect([first, second, third, fourth].map((match) => match.serverId)).toEqual([
      'least-big',
      'least-small',
      'least-big',
      'least-big',
    ]);
    expect(await viewOf('least-big')).toMatchObject({ slotsInUse: 3, slots: 4, state: 'ready' });
    expect(await viewOf('least-small')).toMatchObject({ slotsInUse: 1, slots: 2, state: 'ready' });

    // The list comes in pages.
    const page = await stack.operator.servers({ cursor: 'least-', limit: 1 });
    expect([page.servers.map((server) => server.serverId), page.next]).toEqual([['least-big'], 'least-big']);
    const last = await stack.operator.servers({ cursor: 'least-big' });
    expect([last.servers.map((server) => server.serverId), last.next]).toEqual([['least-small'], null]);
  });

  it('is the next best when the best refuses', async () => {
    const build = 'refusal';
    const best = await serve({ serverId: 'refusal-a', build }, () => 'refuse');
    const next = await serve({ serverId: 'refusal-b', build });
    const { serverId, matchId, tickets } = await place(build, 'refusal');

    expect(serverId).toBe('refusal-b');
    expect(best.asked.all).toHaveLength(1);
    expect(next.asked.all).toHaveLength(1);
    expect((await stack.operator.match(matchId)).placements).toBe(2);
    await tickets[0].until(
      (news) => news.state === 'placing' && /refused the match \(the test wants it so\)/.test(news.reason),
    );
    expect(await viewOf('refusal-a')).toMatchObject({ slotsInUse: 0 });
  });

  it('is none that drains, and none of another build', async () => {
    const build = 'drain';
    const draining = await serve({ serverId: 'drain-a', build });
    const running = await place(build, 'drain-1');
    await draining.drain();
    await serve({ serverId: 'drain-b', build, slots: 2 });
    const idle = await serve({ serverId: 'drain-other-build', build: 'drain-2', slots: 100 });
    const [second, third] = [await place(build, 'drain-2'), await place(build, 'drain-3')];

    expect([second, third].map((match) => match.serverId)).toEqual(['drain-b', 'drain-b']);
    const [waiting] = await duel(stack, build, ['drain-4-one', 'drain-4-two']);
    await waiting.until((news) => /no server of build drain in any region has a free slot/.test(news.reason));
    expect(idle.asked.all).toEqual([]);
    expect(draining.asked.all).toHaveLength(1);
    // What it hosts goes on to its end.
    expect(await viewOf('drain-a')).toMatchObject({ state: 'draining', slotsInUse: 1 });
    expect(await draining.report(running.sessionId, { winner: 0 })).toMatchObject({ counted: true });
    expect(await running.tickets[0].closed()).toMatchObject({ matchState: 'rated' });
    expect(await viewOf('drain-a')).toMatchObject({ state: 'draining', slotsInUse: 0 });

    await draining.undrain();
    expect((await waiting.assigned()).serverId).toBe('drain-a');
    await draining.undrain();
    expect(await viewOf('drain-a')).toMatchObject({ state: 'ready' });
  });

  it('is in a region that all of its players can bear', async () => {
    const build = 'regions';
    await serve({ serverId: 'regions-far', build, region: 'far', slots: 100 });
    await serve({ serverId: 'regions-near', build, region: 'near', slots: 1 });
    const one = await queueUp(stack, ['regions-1'], {
      queue: '1v1',
      build,
      latencyMs: { near: 30, far: 20 },
    });
    await queueUp(stack, ['regions-2'], { queue: '1v1', build, latencyMs: { near: 40, far: 300 } });

    expect(await one.assigned()).toMatchObject({ serverId: 'regions-near', region: 'near' });
  });
});

describe('when no slot is free', () => {
  it('the ticket says so, and is assigned once a server registers', async () => {
    const build = 'none';
    const [one, two] = await duel(stack, build, ['none-1', 'none-2']);
    await one.until(
      (news) => news.state === 'placing' && /no server of build none in any region/.test(news.reason),
    );
    expect(await one.read()).toMatchObject({ state: 'placing', matchState: 'formed', closed: false });
    await serve({ serverId: 'none-server', build });

    expect(await one.assigned()).toMatchObject({ serverId: 'none-server' });
    expect(await two.assigned()).toMatchObject({ serverId: 'none-server' });
  });

  it('three slots hold three of six matches at once, and the others follow as sessions end', async () => {
    const build = 'crowd';
    const tickets = await Promise.all(
      Array.from({ length: 12 }, (_, i) => queueUp(stack, [`crowd-${i}`], { queue: '1v1', build })),
    );
    await Promise.all(tickets.map((ticket) => ticket.until((news) => news.state === 'placing')));
    const fleet: GameServer[] = [];
    let most = 0;
    const decide = (): 'accept' => {
      most = Math.max(most, 1 + fleet.reduce((sum, server) => sum + server.live.size, 0));
      return 'accept';
    };
    fleet.push(await serve({ serverId: 'crowd-a', build, slots: 2 }, decide));
    fleet.push(await serve({ serverId: 'crowd-b', build, slots: 1 }, decide));
    const assigned = new Happenings<AssignmentView>();
    for (const ticket of tickets) void ticket.assigned().then((assignment) => assigned.push(assignment));

    for (let over = 0; over < 6; over++) {
      // Nobody ends a session before every slot is taken: one too many would show.
      const so = await assigned.many(2 * Math.min(6, over + 3));
      const [a, b] = [await viewOf('crowd-a'), await viewOf('crowd-b')];
      expect(a?.slotsInUse).toBeLessThanOrEqual(2);
      expect(b?.slotsInUse).toBeLessThanOrEqual(1);
      const sessions = new Map(so.map(({ sessionId, serverId }) => [sessionId, serverId]));
      const [sessionId, serverId] = [...sessions][over] ?? ['', ''];
      await fleet[serverId === 'crowd-a' ? 0 : 1]?.report(sessionId, { winner: 0 });
    }
    for (const ticket of tickets) expect(await ticket.closed()).toMatchObject({ matchState: 'rated' });
    expect(most).toBe(3);
    expect(fleet.flatMap((server) => server.asked.all)).toHaveLength(6);
  });
});

// At once, for each waits until the coordinator's patience is over.
describe.concurrent('a server that says nothing', () => {
  it('is passed over when it does not answer, and its late answer is refused', async () => {
    const build = 'silence';
    const best = await serve({ serverId: 'silence-a', build }, () => 'silent');
    const next = await serve({ serverId: 'silence-b', build });
    const { serverId, sessionId, tickets } = await place(build, 'silence');

    expect(serverId).toBe('silence-b');
    expect(next.asked.all.map((asked) => asked.sessionId)).toEqual([sessionId]);
    await tickets[0].until((news) => /A server did not answer in time/.test(news.reason));
    const [asked] = await best.asked.many(1);
    best.answerLate(asked?.sessionId ?? '');
    const refused = await best.troubles.first((error) => error instanceof MusterProblem);
    expect(refused).toMatchObject({ status: 409, code: 'session-withdrawn' });
    // It had created the session all the same: now it knows better.
    await best.ended.first((ended) => ended.sessionId === asked?.sessionId);
    expect(best.live.size).toBe(0);
    const { assignment } = await tickets[0].read();
    expect(assignment).toMatchObject({ sessionId, serverId: 'silence-b' });
  });

  it('loses a session that its heartbeats do not name any more', async () => {
    const { token, tickets } = await hosted('forgetful');
    let over = false;
    const beating = (async () => {
      while (!over) {
        const body = { sessions: [] };
        jsonOf(await ask(stack.url, '/v1/servers/forgetful-server/heartbeat', { token, body }));
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    })();

    const back = await tickets[0].until(({ seq, state }) => seq > 1 && state === 'waiting');
    over = true;
    await beating;
    expect(back.reason).toMatch(/does not know the session/);
    expect(await viewOf('forgetful-server')).toMatchObject({ state: 'ready' });
  });

  it('is lost, its match is abandoned, and its players are free again where rules put none back', async () => {
    const build = 'lost';
    const server = await serve({ serverId: 'lost-server', build });
    const { rules } = (await stack.operator.rules('1v1')).versions[0] ?? {};
    if (!rules) throw new Error('there is no queue 1v1');
    const own = { ...rules, name: 'none-return', resumeSeconds: 0, crashRequeueSeconds: 0 };
    await stack.operator.applyRules('none-return', { rules: own });
    const { tickets, matchId, sessionId } = await place(build, 'lost', 'none-return');
    server.crash();

    for (const ticket of tickets) {
      const last = await ticket.closed();
      expect(last).toMatchObject({ state: 'failed', matchState: 'abandoned' });
      expect(last.reason).toMatch(/its server fell silent/);
    }
    expect(await viewOf('lost-server')).toMatchObject({ state: 'lost', slotsInUse: 0 });
    const match = await stack.operator.match(matchId);
    expect(match).toMatchObject({ state: 'abandoned', closeReason: expect.stringContaining('fell silent') });
    expect(match.players.map((player) => player.after)).toEqual([null, null]);

    // It comes back with its result, late: nobody of it was rated since, so it counts all the same.
    const { serverToken, resumed } = await register(stack, { serverId: 'lost-server', build }, [sessionId]);
    expect(resumed).toEqual([]);
    const report = (winner: number): ReturnType<typeof ask> =>
      ask(stack.url, `/v1/sessions/${sessionId}/result`, { token: serverToken, body: { winner } });
    expect(jsonOf(await report(0))).toMatchObject({ counted: true });
    await until(async () => (await stack.operator.match(matchId)).state === 'rated');
    expect(problemOf(await report(1))).toMatchObject({ status: 409, code: 'result-contradicts' });
    await serve({ serverId: 'lost-heir', build });
    expect(await place(build, 'lost')).toMatchObject({ serverId: 'lost-heir' });
  });
});

describe('a database that stops answering', () => {
  it('loses no server and no live match, however long it takes, and their results count', async () => {
    const build = 'stopped-store';
    const hosts = await Promise.all(
      ['a', 'b', 'c'].map((name) => serve({ serverId: `${build}-${name}`, build, slots: 1 })),
    );
    const matches = [await place(build, `${build}-1`), await place(build, `${build}-2`)];
    const { postgres = 0 } = await stack.pids();
    await stall([postgres], 3 * Number(patience.SILENCE_MS));

    // Twice that silence is what a wrong judgement would need after its return.
    await new Promise((resolve) => setTimeout(resolve, 2 * Number(patience.SILENCE_MS)));
    for (const { matchId, sessionId, serverId, tickets } of matches) {
      expect((await stack.operator.match(matchId)).state).toBe('placed');
      const host = hosts.find((_, i) => serverId === `${build}-${['a', 'b', 'c'][i]}`);
      expect(await host?.report(sessionId, { winner: 0 })).toMatchObject({ counted: true });
      expect(await tickets[0].closed()).toMatchObject({ matchState: 'rated' });
    }
  });
});

describe('a server that leaves', () => {
  it('sends a match on for which it had only been asked', async () => {
    const build = 'gone';
    const server = await serve({ serverId: 'gone-a', build, slots: 1 }, () => 'silent');
    const [one] = await duel(stack, build, ['gone-1', 'gone-2']);
    const [asked] = await server.asked.many(1);
    await serve({ serverId: 'gone-b', build, slots: 1 });
    await server.stop();

    expect(await one.assigned()).toMatchObject({ serverId: 'gone-b' });
    expect(await viewOf('gone-a')).toMatchObject({ state: 'left', slotsInUse: 0 });
    expect((await one.assigned()).sessionId).not.toBe(asked?.sessionId);
  });
});

describe('a server that registers anew', () => {
  it('keeps the sessions that it resumes, and its former self speaks no more', async () => {
    const { token, sessionId, tickets } = await hosted('resume');
    const traits = { serverId: 'resume-server', build: 'resume' };
    const second = await register(stack, traits, [sessionId, 'ses_never-heard-of-it']);
    expect(second.resumed).toEqual([sessionId]);
    const beat = await ask(stack.url, '/v1/servers/resume-server/heartbeat', {
      token,
      body: {},
    });
    expect(problemOf(beat)).toMatchObject({ status: 409, code: 'server-superseded' });
    const path = `/v1/sessions/${sessionId}/result`;
    const former = await ask(stack.url, path, { token, body: { winner: 0 } });
    expect(problemOf(former)).toMatchObject({ status: 409, code: 'server-superseded' });

    const counted = jsonOf<{ counted: boolean }>(
      await ask(stack.url, path, { token: second.serverToken, body: { winner: 1 } }),
    );
    expect(counted.counted).toBe(true);
    for (const ticket of tickets) expect(await ticket.closed()).toMatchObject({ matchState: 'rated' });
  });

  it('does so by itself when it finds itself superseded, and its result counts', async () => {
    const build = 'usurped';
    const server = await serve({ serverId: 'usurped-server', build });
    const { sessionId, tickets } = await place(build, 'usurped');
    await register(stack, { serverId: 'usurped-server', build }, [sessionId]);

    expect(await server.report(sessionId, { winner: 0 })).toMatchObject({ counted: true });
    expect(await tickets[0].closed()).toMatchObject({ matchState: 'rated' });
    expect(await place(build, 'usurped-next')).toMatchObject({ serverId: 'usurped-server' });
  });

  it('loses the sessions that it does not resume: their players wait at their old place, and play the next match', async () => {
    const build = 'restart';
    const { sessionId, tickets } = await hosted(build);
    const [ann, bob] = tickets;
    const { enqueuedAt, matchId = '' } = await ann.read();
    const anew = await register(stack, { serverId: 'restart-server', build });

    for (const ticket of tickets) {
      const { reason, assignment } = await ticket.until(({ seq, state }) => seq > 1 && state === 'waiting');
      expect(reason).toBe(
        'The match was lost: its server was started anew without this session. You are back at your old place in the queue.',
      );
      expect(assignment).toBeUndefined();
    }
    expect(await stack.operator.match(matchId)).toMatchObject({
      state: 'abandoned',
      closeReason: 'its server was started anew without this session; its players returned to the queue',
    });
    const heir = await serve({ serverId: 'restart-heir', build });
    const token = anew.serverToken;
    jsonOf(await ask(stack.url, '/v1/servers/restart-server', { token, method: 'DELETE' }));
    const next = await ann.until((news) => news.assignment?.serverId === 'restart-heir');
    await bob.until((news) => news.assignment?.serverId === 'restart-heir');
    expect(await ann.read()).toMatchObject({ state: 'assigned', enqueuedAt });
    expect((await ann.leader.current())?.ticketId).toBe(ann.ticketId);
    // The server that was lost has finished the match meanwhile: its players are in the next one.
    const path = `/v1/sessions/${sessionId}/result`;
    const back = await register(stack, { serverId: 'restart-server', build }, [sessionId]);
    const late = await ask(stack.url, path, { token: back.serverToken, body: { winner: 0 } });
    expect(problemOf(late)).toMatchObject({
      status: 409,
      code: 'session-withdrawn',
      detail: expect.stringContaining('players of the match are in another one by now'),
    });
    await heir.report(next.assignment?.sessionId ?? '', { winner: 0 });
    for (const ticket of tickets)
      expect(await ticket.until(({ closed }) => closed)).toMatchObject({
        matchState: 'rated',
        matchId: next.matchId,
      });
  });
});

/** A match on a server that the SDK knows nothing of, so that the test may forget, restart and repeat as it likes. */
async function hosted(
  build: string,
): Promise<{ token: string; sessionId: string; tickets: [Queued, Queued] }> {
  const { serverId, serverToken: token } = await register(stack, { serverId: `${build}-server`, build });
  // However long the match takes to form, the server is not silent meanwhile.
  const beats = setInterval(() => {
    ask(stack.url, `/v1/servers/${serverId}/heartbeat`, { token, body: {} }).catch(() => undefined);
  }, 500);
  const tickets = await duel(stack, build, [`${build}-1`, `${build}-2`]);
  const asked = await ask(stack.url, `/v1/servers/${serverId}/commands?waitSeconds=20`, { token });
  clearInterval(beats);
  const { commands } = jsonOf<z.infer<typeof CommandList>>(asked);
  const [command] = commands;
  const path = `/v1/servers/${serverId}/commands/${command?.seq}`;
  jsonOf(await ask(stack.url, path, { token, body: { status: 'done' } }));
  await tickets[0].assigned();
  return { token, sessionId: command?.sessionId ?? '', tickets };
}
