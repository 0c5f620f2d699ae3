import { FormTeamsJob } from '@muster/contracts';
import type { Pause, ProposalVerdict, QueueRules } from '@muster/domain';
import { defaultQueues, platformGroup } from '@muster/matchmaking';
import { aTicket, MemoryTicketStore } from '@muster/testing';
import { describe, expect, it, vi } from 'vitest';
import { ApplyMatchUpdates } from '../updates/match-updates.js';
import { Matcher, type Jobs } from './matcher.js';
import { QueuePool } from './queue-pool.js';
import { Queues } from '../rules/queues.js';
import { SettleProposals } from './settle-proposals.js';

const [rules] = defaultQueues as [QueueRules, ...QueueRules[]];
const settings = { leaseMs: 3_000, proposalLeaseMs: 8_000 };
const start = 1_000_000;

/** A queue service with a test clock, whose job queue may be down. */
function setUp(options: { jobsAreAway?: boolean; rules?: QueueRules } = {}) {
  const store = new MemoryTicketStore();
  const clock = { at: start, now: () => clock.at };
  let made = 0;
  const ids = {
    make: (prefix: string) => `${prefix}_${++made}`,
    derive: (p: string, t: string) => `${p}_${t}`,
    fingerprint: String,
  };
  const sent: FormTeamsJob[] = [];
  const jobs: Jobs = {
    async send(_queue, list) {
      if (options.jobsAreAway) throw new Error('Redis is away');
      for (const { payload } of list) sent.push(FormTeamsJob.parse(payload));
    },
  };
  const queues = new Queues([options.rules ?? rules]);
  const obsolete = new Set<string>();
  const builds = { isObsolete: async (build: string) => obsolete.has(build) };
  const paused = new Set<string>();
  const inForce = (queue: string): Pause | null =>
    paused.has(queue) ? { queue, message: 'Back at noon.', waiting: 'kept', startsAt: 0, until: null } : null;
  const pools: QueuePool[] = [];
  const matcher = (holder: string): Matcher => {
    const pool = new QueuePool(rules.name, queues, store, clock);
    pools.push(pool);
    return new Matcher(rules.name, {
      rules: queues,
      pool,
      holder,
      store,
      jobs,
      clock,
      ids,
      builds,
      pauses: { inForce },
      ...settings,
    });
  };
  const enqueueTen = async (from = 0): Promise<void> => {
    for (let i = from; i < from + 10; i++) {
      const players = [{ playerId: `p${i}`, mu: 25, sigma: 8 }];
      await store.enqueue(
        aTicket({
          ticketId: `t${i}`,
          queue: rules.name,
          players,
          enqueuedAt: clock.at - 10 + i,
          expiresAt: clock.at + 600_000,
        }),
        clock.at,
      );
    }
  };
  return { store, clock, sent, matcher, enqueueTen, pools, obsolete, paused };
}

describe('C3 the matcher', () => {
  it('forms no match while the queue is paused, keeps the tickets, and ends expired ones', async () => {
    const { store, clock, matcher, enqueueTen, paused } = setUp();
    await enqueueTen();
    const one = matcher('a');
    paused.add(rules.name);
    expect(await one.tick()).toBe(0);
    expect(await store.waiting(rules.name, 20)).toHaveLength(10);
    paused.clear();
    expect(await one.tick()).toBe(1);
    paused.add(rules.name);
    await enqueueTen(10);
    clock.at += 600_001;
    expect(await one.tick()).toBe(0);
    expect(await store.waiting(rules.name, 20)).toEqual([]);
  });

  it('claims ten tickets and hands them to assignment with their enqueue times and an explanation', async () => {
    const { store, sent, matcher, enqueueTen } = setUp();
    await enqueueTen();
    expect(await matcher('a').tick()).toBe(1);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.tickets.map((t) => t.ticketId).toSorted()).toEqual(
      Array.from({ length: 10 }, (_, i) => `t${i}`),
    );
    expect(sent[0]?.why.join(' ')).toContain('10 players');
    expect((await store.find('t3'))?.state).toBe('proposed');
  });

  it('says by which levels it matched, and what the rules allow', async () => {
    const { sent, matcher, enqueueTen } = setUp();
    await enqueueTen();
    await matcher('a').tick();
    expect(sent[0]?.tickets.find(({ ticketId }) => ticketId === 't3')?.levels).toEqual({ p3: 25 });
    const [window, gap] = [rules.skillWindow[0]?.limit ?? 0, rules.teamGap[0]?.limit ?? 0];
    expect(sent[0]?.allowed?.spread).toBeCloseTo(window, 1);
    expect(sent[0]?.allowed?.gap).toBeCloseTo(gap, 1);
  });

  it('matches nobody by a rating of before: each replica follows a ticket whose rating changed', async () => {
    const { store, sent, matcher, enqueueTen, pools } = setUp();
    const [one, other] = [matcher('a'), matcher('b')];
    await enqueueTen();
    for (const pool of pools) await pool.follow();
    const [ticket] = await store.tickets(['t3']);
    if (!ticket) throw new Error('no ticket');
    await store.relevel(ticket, [{ playerId: 'p3', mu: 900, sigma: 8 }]);
    expect(await one.tick()).toBe(0);
    expect(await other.tick()).toBe(0);
    const [changed] = await store.tickets(['t3']);
    if (!changed) throw new Error('no ticket');
    await store.relevel(changed, ticket.players);
    expect((await one.tick()) + (await other.tick())).toBe(1);
    expect(sent).toHaveLength(1);
  });

  it('claims no match of tickets whose ratings changed during the tick', async () => {
    const { store, sent, matcher, enqueueTen } = setUp();
    await enqueueTen();
    const expire = store.expire.bind(store);
    vi.spyOn(store, 'expire').mockImplementationOnce(async (...args) => {
      const [ticket] = await store.tickets(['t3']);
      if (ticket) await store.relevel(ticket, [{ playerId: 'p3', mu: 900, sigma: 8 }]);
      return expire(...args);
    });
    expect(await matcher('a').tick()).toBe(0);
    expect(sent).toEqual([]);
    expect((await store.find('t3'))?.state).toBe('waiting');
  });

  it('matches nobody of a build for which there is no server any more, until there is one again', async () => {
    const { store, sent, matcher, enqueueTen, obsolete } = setUp();
    await enqueueTen();
    const { build = '' } = (await store.find('t3')) ?? {};
    obsolete.add(build);
    const one = matcher('a');
    expect([await one.tick(), await one.tick()]).toEqual([0, 0]);
    expect((await store.find('t3'))?.state).toBe('waiting');
    obsolete.delete(build);
    expect(await one.tick()).toBe(1);
    expect(sent).toHaveLength(1);
  });

  it('estimates waiting times from the matches that it forms', async () => {
    const { store, clock, matcher, enqueueTen, pools } = setUp();
    const one = matcher('a');
    await enqueueTen();
    clock.at += 4_000;
    expect(await one.tick()).toBe(1);
    const players = [{ playerId: 'late', mu: 25, sigma: 8 }];
    const late = { ticketId: 'late', queue: rules.name, players, enqueuedAt: clock.at, expiresAt: 2e9 };
    await store.enqueue(aTicket(late), clock.at);
    await one.tick();
    // Once each: by the claim, not again by the change that reports it.
    expect(pools[0]?.explain('late', clock.at)?.estimate).toMatchObject({ basedOn: 10 });
  });

  it('reads changes alone while no ticket waits, and keeps its lease', async () => {
    const { store, clock, matcher, enqueueTen } = setUp();
    const asked = {
      lease: vi.spyOn(store, 'acquireLease'),
      expire: vi.spyOn(store, 'expire'),
      backfills: vi.spyOn(store, 'openBackfills'),
    };
    const [one, other] = [matcher('a'), matcher('b')];
    for (let tick = 0; tick <= 20; tick++, clock.at += 150) await one.tick();
    expect(Object.values(asked).map((spy) => spy.mock.calls.length)).toEqual([3, 0, 0]);
    await enqueueTen();
    expect(await other.tick()).toBe(0);
    expect(await one.tick()).toBe(1);
  });

  it('leaves the queue to the lease holder, and takes over when the lease expires', async () => {
    const { clock, sent, matcher, enqueueTen } = setUp();
    const [a, b] = [matcher('a'), matcher('b')];
    await a.tick();
    await enqueueTen();
    expect(await b.tick()).toBe(0);
    clock.at += settings.leaseMs + 1;
    expect(await b.tick()).toBe(1);
    expect(sent).toHaveLength(1);
    expect(await a.tick()).toBe(0);
  });

  it('hands on the other matches when one cannot be claimed', async () => {
    const { store, clock, sent, matcher, enqueueTen } = setUp();
    await enqueueTen();
    await enqueueTen(10);
    clock.at += 60_000;
    const propose = store.propose.bind(store);
    let asked = 0;
    store.propose = async (...args) => {
      if (asked++ === 0) throw new Error('spoilt');
      return propose(...args);
    };
    await expect(matcher('a').tick()).rejects.toThrow('1 matches were not claimed: Error: spoilt');
    expect(sent).toHaveLength(1);
    expect((await store.waiting(rules.name, 99)).length).toBe(10);
  });

  it('takes over at once when the holder shuts down', async () => {
    const { matcher, enqueueTen } = setUp();
    const a = matcher('a');
    await a.tick();
    await a.stop();
    await enqueueTen();
    expect(await matcher('b').tick()).toBe(1);
  });
});

describe('C1 the matcher and platforms', () => {
  const crossPlay = { groups: [['pc'], ['xbox']] };
  const duels: QueueRules = { ...rules, teamSize: 1, maxPartySize: 1, crossPlay };
  const join = (store: MemoryTicketStore, ticketId: string, platform: string, more: object = {}) =>
    store.enqueue(
      aTicket({
        ticketId,
        queue: rules.name,
        players: [{ playerId: ticketId, mu: 25, sigma: 8, platform }],
        enqueuedAt: start - 60_000,
        expiresAt: start + 600_000,
        ...more,
      }),
      start,
    );

  it('sends with every match the platforms that may join it later', async () => {
    const { store, sent, matcher } = setUp({ rules: duels });
    await join(store, 'a', 'pc');
    await join(store, 'b', 'xbox');
    await join(store, 'c', 'pc', { crossPlay: false });
    expect(await matcher('m').tick()).toBe(1);
    expect(sent[0]?.tickets.map(({ ticketId }) => ticketId).toSorted()).toEqual(['a', 'c']);
    expect(sent[0]?.rules).toMatchObject({
      platformGroup: platformGroup(crossPlay, ['pc']),
      onlyPlatform: 'pc',
    });
    expect(sent[0]?.why.join(' ')).toContain('All are on pc, since one of them plays without cross-play.');
  });

  it('sends no platforms where all of them play together', async () => {
    const { store, sent, matcher } = setUp({ rules: { ...rules, teamSize: 1, maxPartySize: 1 } });
    await join(store, 'a', 'pc');
    await join(store, 'b', 'xbox');
    expect(await matcher('m').tick()).toBe(1);
    expect(Object.keys(sent[0]?.rules ?? {})).not.toContain('platformGroup');
    expect(Object.keys(sent[0]?.rules ?? {})).not.toContain('onlyPlatform');
  });
});

describe('R3 the matcher and newcomers', () => {
  it('sends the levels at which newcomers play, and shows no level to players', async () => {
    const { store, sent, matcher, enqueueTen } = setUp();
    await enqueueTen(1);
    const players = [
      { playerId: 'new', mu: 26.5, sigma: 8, calibration: { match: 2, of: 10 } },
      { playerId: 'friend', mu: 25, sigma: 8 },
    ];
    await store.cancel('t1', 'Enough.', start);
    await store.cancel('t2', 'Enough.', start);
    const ticket = aTicket({
      ticketId: 'pair',
      queue: rules.name,
      players,
      enqueuedAt: start,
      expiresAt: 2e9,
    });
    await store.enqueue(ticket, start);
    expect(await matcher('a').tick()).toBe(1);
    const tried = sent[0]?.tickets.filter(({ probes }) => probes !== undefined);
    expect(tried).toMatchObject([{ ticketId: 'pair', probes: { new: 26.5 } }]);
    expect(sent[0]?.why.join(' ')).toContain('Newcomers among them: 1,');
    const reason = (await store.find('t5'))?.reason;
    expect(reason).toContain('Newcomers among them: 1,');
    expect(reason).not.toContain('26.5');
  });
});

describe('R21 the matcher and boosters', () => {
  it('sends the booster of a player, whose rating the teams count', async () => {
    const { store, sent, matcher, enqueueTen } = setUp();
    await enqueueTen(1);
    await store.cancel('t1', 'Enough.', start);
    const booster = { boosterId: 'bst_1', division: 'Gold', higher: true };
    const ticket = aTicket({
      ticketId: 'apprentice',
      queue: rules.name,
      players: [{ playerId: 'ann', mu: 25, sigma: 8, booster }],
      enqueuedAt: start,
      expiresAt: 2e9,
    });
    await store.enqueue(ticket, start);
    expect(await matcher('a').tick()).toBe(1);
    const boosted = sent[0]?.tickets.filter(({ boosters }) => boosters !== undefined);
    expect(boosted).toMatchObject([{ ticketId: 'apprentice', boosters: { ann: booster } }]);
    expect(boosted?.[0]).not.toHaveProperty('probes');
  });
});

describe('an unanswered proposal', () => {
  const settle = async (verdict: ProposalVerdict) => {
    const { store, clock, matcher, enqueueTen } = setUp({ jobsAreAway: true });
    await enqueueTen();
    // The job could not be sent: as if the process had died between claim and send.
    await expect(matcher('a').tick()).rejects.toThrow('Redis is away');
    clock.at += settings.proposalLeaseMs + 1;
    const asked: string[] = [];
    const settler = new SettleProposals(
      store,
      {
        async settleProposal(matchId: string) {
          asked.push(matchId);
          return verdict;
        },
      },
      clock,
      { PROPOSAL_LEASE_MS: settings.proposalLeaseMs },
    );
    expect(await settler.run()).toBe(1);
    return { store, clock, settler, asked };
  };

  it('returns the tickets to the queue with their enqueue times when there is no match', async () => {
    const { store, settler } = await settle({
      verdict: 'refused',
      reason: 'No teams were made in time.',
      failedTicketIds: [],
    });
    expect(await store.waiting(rules.name, 100)).toEqual(Array.from({ length: 10 }, (_, i) => `t${i}`));
    expect((await store.find('t0'))?.enqueuedAt).toBe(start - 10);
    expect(await settler.run()).toBe(0);
  });

  it('ends the tickets that caused the refusal, and returns only the others', async () => {
    const { store } = await settle({
      verdict: 'refused',
      reason: 'p4 is in another match.',
      failedTicketIds: ['t4'],
    });
    expect((await store.find('t4'))?.state).toBe('failed');
    expect(await store.waiting(rules.name, 100)).toHaveLength(9);
  });

  it('moves on when the match exists, and a later update finds it there', async () => {
    const { store, clock, asked } = await settle({ verdict: 'formed', reason: null, failedTicketIds: [] });
    expect((await store.find('t0'))?.state).toBe('placing');
    const [matchId = ''] = asked;
    const ticketIds = Array.from({ length: 10 }, (_, i) => `t${i}`);
    const hear = new ApplyMatchUpdates(
      store,
      { charge: async () => undefined },
      clock,
      { tickets: async () => undefined },
      { pass: async () => ({ outcome: 'unknown' }) },
    );
    const placed = {
      kind: 'placed' as const,
      matchId,
      ticketIds,
      teams: ticketIds.map((ticketId, i) => ({ ticketId, team: i % 2 })),
      reason: 'ready',
      sessionId: 'ses_1',
      serverId: 's1',
      region: 'local',
      host: '127.0.0.1',
      port: 7_777,
    };
    await hear.run(placed);
    await hear.run({ ...placed, sessionId: 'ses_2' });
    expect((await store.find('t1'))?.assignment).toMatchObject({ sessionId: 'ses_1', team: 1 });
    await hear.run({ kind: 'rated', matchId, ticketIds, reason: 'over' });
    expect((await store.find('t1'))?.closed).toBe(true);
    expect(await store.ticketOf('p1')).toBeNull();
  });
});
