import { FillSeatJob, jobQueues, readProposalJob } from '@muster/contracts';
import type { OpenBackfill, QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { aTicket, MemoryTicketStore } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { ApplyMatchUpdates } from '../updates/match-updates.js';
import { Matcher, type Jobs } from './matcher.js';
import { QueuePool } from './queue-pool.js';
import { Queues } from '../rules/queues.js';
import { SettleProposals } from './settle-proposals.js';

const current = { isObsolete: async () => false };

const duel = defaultQueues.find(({ name }) => name === '1v1') as QueueRules;
const settings = { leaseMs: 3_000, proposalLeaseMs: 8_000 };
const start = 1_000_000;

function setUp(over: Partial<QueueRules> = {}, jobsAreAway = false) {
  const open = [{ afterSeconds: 0, limit: null }];
  const rules: QueueRules = { ...duel, skillWindow: open, teamGap: open, ...over };
  const store = new MemoryTicketStore();
  const clock = { at: start, now: () => clock.at };
  let made = 0;
  const ids = {
    make: (prefix: string) => `${prefix}_${++made}`,
    derive: (p: string, t: string) => `${p}_${t}`,
    fingerprint: String,
  };
  const sent: { queue: string; payload: unknown }[] = [];
  const jobs: Jobs = {
    async send(queue, list) {
      if (jobsAreAway) throw new Error('Redis is away');
      for (const { payload } of list) sent.push({ queue, payload });
    },
  };
  const queues = new Queues([rules]);
  const pool = new QueuePool(rules.name, queues, store, clock);
  const matcher = new Matcher(rules.name, {
    rules: queues,
    pool,
    holder: 'm',
    store,
    jobs,
    clock,
    ids,
    builds: current,
    pauses: { inForce: () => null },
    ...settings,
  });
  const wait = (ticketId: string, mu: number, build = '1'): Promise<unknown> =>
    store.enqueue(
      aTicket({
        ticketId,
        queue: rules.name,
        build,
        players: [{ playerId: `p-${ticketId}`, mu, sigma: 2 }],
        latencyMs: {},
        enqueuedAt: clock.at,
        expiresAt: clock.at + 600_000,
      }),
      clock.at,
    );
  const want = (backfillId: string, more: Partial<OpenBackfill> = {}): Promise<void> =>
    store.openBackfill({
      backfillId,
      matchId: `mat_${backfillId}`,
      queue: rules.name,
      build: '1',
      region: 'eu',
      map: null,
      team: 0,
      seats: 1,
      teams: [[], [{ playerId: 'x', mu: 25 }]],
      everybody: ['x'],
      rules: { mode: rules.mode, pool: rules.pool, teams: rules.teams, teamGap: rules.teamGap },
      requestedAt: start,
      expiresAt: start + 60_000,
      ...more,
    });
  const stateOf = async (ticketId: string): Promise<string | undefined> =>
    (await store.find(ticketId))?.state;
  return { rules, store, clock, sent, matcher, wait, want, stateOf };
}

describe('C17 the matcher and running matches', () => {
  it('offers the ticket that makes the teams even, before it forms matches of the others', async () => {
    const { rules, matcher, wait, want, sent, stateOf } = setUp();
    await wait('far', 40);
    await wait('near', 26);
    await wait('low', 10);
    await want('b1');
    expect(await matcher.tick()).toBe(1);
    expect(sent.map(({ queue }) => queue)).toEqual([jobQueues.fillSeat, jobQueues.formTeams]);
    expect(FillSeatJob.parse(sent[0]?.payload)).toMatchObject({
      proposalId: 'fil_1',
      backfillId: 'b1',
      matchId: 'mat_b1',
      ticketId: 'near',
      team: 0,
      players: [{ playerId: 'p-near', mu: 26 }],
      fit: { pool: rules.pool, probed: [], level: 25, gap: null },
    });
    expect(await stateOf('near')).toBe('proposed');
  });

  it('gives a ticket to the first request, and the next ticket to the other', async () => {
    const { matcher, wait, want, sent } = setUp();
    await want('later', { requestedAt: start + 1 });
    await want('first');
    await wait('one', 25);
    await matcher.tick();
    await wait('two', 25);
    await matcher.tick();
    const jobs = sent.map(({ payload }) => FillSeatJob.parse(payload));
    expect(jobs.map(({ backfillId, ticketId }) => [backfillId, ticketId])).toEqual([
      ['first', 'one'],
      ['later', 'two'],
    ]);
  });

  it('offers no player on a platform that the match excludes', async () => {
    const { rules, matcher, store, clock, want, sent } = setUp();
    const wait = (ticketId: string, platform: string, more: object = {}) =>
      store.enqueue(
        aTicket({
          ticketId,
          queue: rules.name,
          build: '1',
          players: [{ playerId: `p-${ticketId}`, mu: 25, sigma: 2, platform }],
          enqueuedAt: clock.at,
          expiresAt: clock.at + 600_000,
          ...more,
        }),
        clock.at,
      );
    const { mode, pool, teams, teamGap } = rules;
    await want('open', { requestedAt: start });
    await want('pcs', { requestedAt: start + 1, rules: { mode, pool, teams, teamGap, onlyPlatform: 'pc' } });
    await want('other', { rules: { mode, pool, teams, teamGap, platformGroup: 'pc [[["pc"]]]' } });
    await wait('alone', 'pc', { crossPlay: false });
    await matcher.tick();
    await wait('xbox', 'xbox');
    await matcher.tick();
    const jobs = sent.map(({ payload }) => FillSeatJob.parse(payload));
    expect(jobs.map(({ backfillId, ticketId }) => [backfillId, ticketId])).toEqual([
      ['pcs', 'alone'],
      ['open', 'xbox'],
    ]);
  });

  it('offers nobody to an expired request, or to one of another build', async () => {
    const { matcher, wait, want, sent, clock, stateOf } = setUp();
    await want('b1');
    await wait('other', 25, '2');
    await matcher.tick();
    clock.at = start + 60_000;
    await wait('late', 25);
    await matcher.tick();
    expect(sent).toEqual([]);
    expect([await stateOf('other'), await stateOf('late')]).toEqual(['waiting', 'waiting']);
  });

  it('runs a ready check where the queue has one', async () => {
    const readyCheck = { seconds: 20, coolDownSeconds: [0], forgiveAfterSeconds: 60 };
    const { matcher, wait, want, sent, store } = setUp({ readyCheck });
    await want('b1');
    await wait('one', 25);
    await matcher.tick();
    expect(sent).toEqual([]);
    expect(await store.find('one')).toMatchObject({ state: 'accepting', acceptBy: start + 20_000 });
    const accepted = await store.accept('one', 'p-one', 'All.', 8_000, start + 1);
    if (accepted.outcome !== 'complete') throw new Error(accepted.outcome);
    expect(readProposalJob(accepted.job)).toMatchObject({ queue: jobQueues.fillSeat, ticketIds: ['one'] });
  });

  it('recovers a claim whose job was never sent: the ticket waits again, the request is open again', async () => {
    const { matcher, wait, want, store, clock, stateOf } = setUp({}, true);
    await want('b1');
    await wait('one', 25);
    await expect(matcher.tick()).rejects.toThrow('away');
    expect(await stateOf('one')).toBe('proposed');
    clock.at += settings.proposalLeaseMs + 1;
    const refused = async () => ({ verdict: 'refused' as const, reason: 'Late.', failedTicketIds: [] });
    await new SettleProposals(store, { settleProposal: refused }, clock, {
      PROPOSAL_LEASE_MS: settings.proposalLeaseMs,
    }).run();
    expect(await stateOf('one')).toBe('waiting');
    expect(await store.openBackfills(duel.name)).toMatchObject([{ backfillId: 'b1' }]);
  });

  it('moves the ticket into the match when the seat is taken', async () => {
    const { matcher, wait, want, store, clock } = setUp();
    await want('b1');
    await wait('one', 25);
    await matcher.tick();
    const hear = new ApplyMatchUpdates(
      store,
      { charge: async () => undefined },
      clock,
      { tickets: async () => undefined },
      { pass: async () => ({ outcome: 'unknown' }) },
    );
    const ticketIds = ['one'];
    await hear.run({ kind: 'formed', matchId: 'fil_1', ticketIds, reason: 'A seat is yours.' });
    await hear.run({
      kind: 'joined',
      matchId: 'mat_b1',
      ticketIds,
      reason: 'Come.',
      proposalId: 'fil_1',
      ticketId: 'one',
      team: 0,
      sessionId: 'ses_1',
      serverId: 's',
      region: 'eu',
      host: 'h',
      port: 1,
    });
    expect(await store.find('one')).toMatchObject({
      state: 'assigned',
      matchId: 'mat_b1',
      assignment: { sessionId: 'ses_1', team: 0 },
    });
  });
});
