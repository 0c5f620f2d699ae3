import { setTimeout as delay } from 'node:timers/promises';
import { isProblemCode, problems, type CommandList, type Problem, type TicketView } from '@muster/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { badRequests } from '../support/bad-requests/table.js';
import { badTokens, type Actors, type BadRequest } from '../support/bad-requests/actors.js';
import { register } from '../support/game-server.js';
import { ask, jsonOf, type Answer } from '../support/http.js';
import { duel, queueUp } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';

/** Default messages of the schema library. */
const libraryWords = /Invalid (input|string|option|key)|Unrecognized key|Too (small|big)|, received/;
/** A stack trace, also within JSON. */
const stackTrace = /(\n|\\n)\s+at |\.[cm]?[jt]s:\d+|node_modules|file:\/\//;

let stack: Stack;
let actors: Actors;

beforeAll(async () => {
  stack = await storiesStack();
  const build = 'bad-fleet';
  const { serverToken } = await register(stack, { serverId: 'bad-server', build });
  const nextCommand = async (after: number): Promise<{ seq: number; sessionId: string }> => {
    const path = `/v1/servers/bad-server/commands?after=${after}&waitSeconds=30`;
    const { commands } = jsonOf<z.infer<typeof CommandList>>(
      await ask(stack.url, path, { token: serverToken }),
    );
    const [command] = commands;
    if (!command) throw new Error('no command came');
    return command;
  };
  await duel(stack, build, ['bad-live-1', 'bad-live-2']);
  const live = await nextCommand(0);
  const answer = `/v1/servers/bad-server/commands/${live.seq}`;
  jsonOf(await ask(stack.url, answer, { token: serverToken, body: { status: 'done' } }));
  await duel(stack, build, ['bad-pending-1', 'bad-pending-2']);
  const pending = await nextCommand(live.seq);
  const queued = await queueUp(stack, ['bad-queued'], { queue: '1v1', build: 'bad-alone' });
  actors = {
    player: await stack.token('bad-player'),
    queued: await stack.token('bad-queued'),
    ticketId: queued.ticketId,
    operator: stack.run.operatorKey,
    fleet: stack.run.serverKey,
    server: serverToken,
    sessionId: live.sessionId,
    pendingSeq: pending.seq,
    pass: await (await stack.player('bad-friend')).partyPass('bad-player'),
    tokens: await badTokens(stack),
  };
});

/** Sends a bad request; a service that is too busy for it says so with 503, and is asked again, as a client does. */
const send = async ({ path, ask: make }: BadRequest, url: string): Promise<Answer> => {
  const at = path
    .replace(':ticket', actors.ticketId)
    .replace(':session', actors.sessionId)
    .replace(':seq', String(actors.pendingSeq));
  for (let times = 1; ; times++) {
    const answer = await ask(url, at, make(actors));
    if (answer.status !== 503 || times === 5) return answer;
    await delay(1_000);
  }
};

/** Checks that a problem document leaks nothing, and has the fields of its status and code. */
function problemIn(answer: Answer): Problem {
  if (!answer.headers['content-type']?.startsWith('application/problem+json')) {
    throw new Error(`no problem document, but ${answer.status} ${answer.text}`);
  }
  const problem = JSON.parse(answer.text) as Problem;
  const code = problem.type.replace('urn:muster:problem:', '');
  if (!isProblemCode(code)) throw new Error(`${code} is no code of ours`);
  expect(problem).toMatchObject({ title: problems[code].title, status: problems[code].status });
  expect(answer.status).toBe(problem.status);
  expect(answer.text).not.toMatch(stackTrace);
  expect(answer.text).not.toMatch(libraryWords);
  expect(answer.headers).not.toHaveProperty('x-evil');
  return problem;
}

describe('a bad request is answered with its error', () => {
  it.each(badRequests)('$status $code: $title', async (bad) => {
    const { status, code, names } = bad;
    const answer = await send(bad, stack.url);

    expect(problemIn(answer)).toMatchObject({
      type: `urn:muster:problem:${code}`,
      status,
      detail: expect.stringMatching(names),
    });
    if (status === 405) expect(answer.headers.allow).toMatch(/^(GET|POST|DELETE)(, (GET|POST|DELETE))*$/);
  });

  // An ingress calls the services directly.
  it.each(['queue', 'assignment', 'allocator', 'rating'])(
    'by %s without the edge as well',
    async (service) => {
      const port = stack.run.replicas.find((replica) => replica.service === service)?.httpPort;
      const served: string[] = [];
      for (const bad of badRequests) {
        const { status, detail } = problemIn(await send(bad, `http://127.0.0.1:${port}`));
        if (status < 400 || status >= 500) served.push(`${bad.title}: ${status} ${detail}`);
      }
      expect(served).toEqual([]);
    },
  );
});

describe('after all bad requests', () => {
  it('every service is healthy', async () => {
    for (const { name, httpPort } of stack.run.replicas) {
      const answer = await ask(`http://127.0.0.1:${httpPort}`, '/health/ready');
      expect({ name, ...jsonOf<{ status: string }>(answer) }).toMatchObject({ name, status: 'ok' });
    }
    expect(await stack.pids()).toEqual(stack.run.pids);
  });

  it('no refused request had an effect', async () => {
    expect((await ask(stack.url, '/v1/me/ticket', { token: actors.player })).status).toBe(404);
    const waiting = jsonOf<TicketView>(await ask(stack.url, '/v1/me/ticket', { token: actors.queued }));
    expect(waiting).toMatchObject({ ticketId: actors.ticketId, state: 'waiting', seq: 1 });
    const { servers } = await stack.operator.servers();
    expect(servers).toMatchObject([{ serverId: 'bad-server', state: 'ready', slotsInUse: 2 }]);
    expect((await stack.operator.conflicts()).conflicts).toEqual([]);
    expect((await stack.operator.webhooks()).webhooks).toEqual([]);
    expect((await stack.operator.ratings('duel')).ratings).toEqual([]);
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
  });

  it('a good ticket works, and so does a result', async () => {
    const again = await ask(stack.url, '/v1/tickets', {
      token: actors.player,
      body: { queue: '1v1', build: 'bad-good' },
    });
    expect(jsonOf<TicketView>(again, 201)).toMatchObject({ state: 'waiting', players: ['bad-player'] });
    const path = `/v1/sessions/${actors.sessionId}/result`;
    const result = await ask(stack.url, path, { token: actors.server, body: { winner: 0 } });
    expect(jsonOf<{ counted: boolean }>(result).counted).toBe(true);
  });
});
