import type { DeadJob, JobQueueView } from '@muster/contracts';
import { JobSender } from '@muster/platform';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { ask } from '../support/http.js';
import { muster, type Ended } from '../support/muster.js';
import { duel } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const build = 'jobs-1';
/** Seven tries take twelve seconds on an idle machine. */
const patient = { timeout: 100_000, interval: 100 };
let stack: Stack;
let sender: JobSender;
beforeAll(async () => {
  stack = await sharedStack();
  sender = new JobSender(stack.run.redisUrl, 'default', pino({ level: 'silent' }));
});
afterAll(() => sender?.close());

/** A command of an operator. */
const jobs = (...args: string[]): Promise<Ended> =>
  muster(['jobs', ...args, '--url', stack.url, '--operator-key', stack.run.operatorKey]);

describe('players who are called as properties of every object are', () => {
  it('are matched, play and are rated', async () => {
    const server = await GameServer.start(stack, { serverId: 'jobs-server', build, slots: 2 });
    try {
      const tickets = await duel(stack, build, ['toString', 'constructor']);
      const { sessionId } = await tickets[0].assigned();
      await server.report(sessionId, {
        winner: 0,
        // Of one of them there is a time; the other's share is read by a name that every object has.
        players: [{ playerId: 'toString', joinedAt: 1_000, leftAt: 2_000, stats: { kills: 1 } }],
      });
      for (const ticket of tickets) expect(await ticket.closed()).toMatchObject({ matchState: 'rated' });
    } finally {
      await server.stop();
    }
  });
});

describe('a job that fails at every try', () => {
  // Postgres takes no NUL, so that this match can be made at no try; its refusal can be written.
  const matchId = 'mat_jobs_poison_1';
  const poison = {
    matchId,
    queue: '1v1',
    build: 'a\0b',
    regions: [],
    tickets: ['one', 'two'].map((name) => ({
      ticketId: `tkt_jobs_${name}`,
      playerIds: [`jobs-${name}`],
      enqueuedAt: 1,
    })),
    rules: { mode: 'duel', pool: 'duel', teams: 2, teamSize: 1, placementTimeoutSeconds: 60 },
    why: [],
    proposedAt: 2,
  };

  it('becomes a dead letter that operators see, and have tried again; its proposal is settled', async () => {
    await vi.waitFor(() => sender.send('form-teams', [{ jobId: matchId, payload: poison }]), patient);
    const token = stack.run.operatorKey;
    const path = `/v1/jobs/form-teams/dead/${matchId}`;
    const status = async (): Promise<number> => (await ask(stack.url, path, { token })).status;
    await vi.waitFor(async () => expect(await status()).toBe(200), patient);
    const shown = await jobs('show', 'form-teams', matchId, '--json');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    const dead = JSON.parse(shown.stdout) as DeadJob;
    expect(dead).toMatchObject({ jobQueue: 'form-teams', jobId: matchId, attempts: 7, payload: poison });

    const { stdout } = await jobs('--json');
    const { queues } = JSON.parse(stdout) as { queues: JobQueueView[] };
    expect(queues.find(({ jobQueue }) => jobQueue === 'form-teams')?.dead).toBeGreaterThan(0);
    expect((await jobs('list', 'form-teams')).stdout).toContain(matchId);

    // Its proposal is refused for good: tried again, the job finds it decided and is done.
    expect((await jobs('retry', 'form-teams', matchId)).stdout).toContain(matchId);
    await vi.waitFor(async () => expect(await status()).toBe(404), patient);
    const gone = await jobs('drop', 'form-teams', matchId);
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining(`no dead letter ${matchId}`) });
  }, 240_000);
});
