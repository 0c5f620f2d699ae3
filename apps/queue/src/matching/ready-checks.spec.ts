import { FormTeamsJob } from '@muster/contracts';
import type { Penalty, PenaltyStore, QueueRules, RecordedPenalty } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { aTicket, MemoryTicketStore, noLoss } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { Hearing } from './hearing.js';
import { Matcher, type Jobs } from './matcher.js';
import { ReadTickets } from '../core/read-tickets.js';
import { Penalties } from '../standing/penalties.js';
import { QueuePool } from './queue-pool.js';
import { Queues } from '../rules/queues.js';
import { ReadyChecks } from './ready-checks.js';
import { SettleProposals } from './settle-proposals.js';

const current = { isObsolete: async () => false };

const duel = defaultQueues.find(({ name }) => name === '1v1') as QueueRules;
const rules: QueueRules = {
  ...duel,
  readyCheck: { seconds: 20, coolDownSeconds: [30, 300], forgiveAfterSeconds: 3_600 },
};
const start = 1_700_000_000_000;
const leaseMs = 8_000;
const graceMs = 10_000;

/** Penalties without a database, which may be down. */
class KeptPenalties implements PenaltyStore {
  readonly all = new Map<string, RecordedPenalty>();
  away = false;

  async add(penalties: readonly Penalty[]): Promise<void> {
    if (this.away) throw new Error('Postgres is away');
    for (const each of penalties) {
      const key = JSON.stringify([each.matchId, each.playerId, each.kind]);
      if (!this.all.has(key)) this.all.set(key, { ...each, forgivenAt: null });
    }
  }
  async of(playerIds: readonly string[], since: number): Promise<ReadonlyMap<string, readonly Penalty[]>> {
    const counted = [...this.all.values()].filter(({ at, forgivenAt }) => at > since && forgivenAt === null);
    return new Map(playerIds.map((id) => [id, counted.filter(({ playerId }) => playerId === id)]));
  }
  async list(playerId: string): Promise<RecordedPenalty[]> {
    return [...this.all.values()].filter((each) => each.playerId === playerId);
  }
  async lift(): Promise<void> {}
  async impose(): Promise<boolean> {
    return false;
  }
  async forgive(playerId: string, penaltyId: string, now: number): Promise<boolean> {
    for (const [key, each] of this.all)
      if (each.playerId === playerId && each.penaltyId === penaltyId) {
        this.all.set(key, { ...each, forgivenAt: now });
        return true;
      }
    return false;
  }
}

/** Ann and Bob have to accept a match of one against one; the process may lose its job queue or its database. */
async function asked(more: Partial<QueueRules> = {}) {
  const store = new MemoryTicketStore();
  const clock = { at: start, now: () => clock.at };
  let made = 0;
  const ids = {
    make: (prefix: string) => `${prefix}_${++made}`,
    derive: (prefix: string, text: string) => `${prefix}_${text}`,
    fingerprint: String,
  };
  const sent: string[] = [];
  const trouble = { jobsAreAway: false };
  const jobs: Jobs = {
    async send(_queue, list) {
      if (trouble.jobsAreAway) throw new Error('Redis is away');
      for (const { payload } of list) sent.push(FormTeamsJob.parse(payload).matchId);
    },
  };
  const queues = new Queues([{ ...rules, ...more }]);
  const kept = new KeptPenalties();
  const penalties = new Penalties(queues, kept, store, clock, ids);
  const pool = new QueuePool(rules.name, queues, store, clock);
  const settings = { leaseMs: 3_000, proposalLeaseMs: leaseMs };
  const matcher = new Matcher(rules.name, {
    rules: queues,
    pool,
    holder: 'me',
    store,
    jobs,
    clock,
    ids,
    builds: current,
    pauses: { inForce: () => null },
    ...settings,
  });
  // A replica that heard all along, unless a test lets time pass unheard.
  const replica = () =>
    new Hearing({ toleranceMs: 2_000, graceMs }, () => [{ monotonicMs: clock.at, wallMs: clock.at }]);
  const awake = new Hearing({ toleranceMs: 2_000, graceMs: 0 }, () => [{ monotonicMs: 0, wallMs: 0 }]);
  const checks = (hearing = awake) =>
    new ReadyChecks(store, new ReadTickets(store, noLoss, noLoss, clock), penalties, jobs, clock, hearing, {
      PROPOSAL_LEASE_MS: leaseMs,
    });
  const enqueue = (player: string) =>
    store.enqueue(
      aTicket({
        ticketId: `t-${player}`,
        queue: rules.name,
        players: [{ playerId: player, mu: 25, sigma: 8 }],
        enqueuedAt: clock.at,
        expiresAt: clock.at + 600_000,
      }),
      clock.at,
    );
  await enqueue('ann');
  await enqueue('bob');
  expect(await matcher.tick()).toBe(1);
  const state = async (player: string) => (await store.find(`t-${player}`))?.state;
  return { store, clock, sent, trouble, kept, penalties, matcher, replica, checks, enqueue, state };
}

describe('C9 a ready check', () => {
  it('sends nothing to assignment before the last player has accepted', async () => {
    const { sent, checks, state } = await asked();
    expect(sent).toEqual([]);
    expect(await checks().accept('t-ann', 'ann')).toMatchObject({ state: 'accepting', accepted: ['ann'] });
    expect(sent).toEqual([]);
    await checks().accept('t-bob', 'bob');
    expect(sent).toHaveLength(1);
    expect(await state('ann')).toBe('accepting');
  });

  it("accepts answers of the ticket's players alone, and only while it is open", async () => {
    const { checks, clock, enqueue } = await asked();
    await expect(checks().accept('t-ann', 'bob')).rejects.toThrow('There is no ticket t-ann of yours');
    await expect(checks().decline('t-zoe', 'ann')).rejects.toThrow('There is no ticket t-zoe of yours');
    await enqueue('cid');
    await expect(checks().accept('t-cid', 'cid')).rejects.toThrow('the ticket is waiting');
    await expect(checks().decline('t-cid', 'cid')).rejects.toThrow('the ticket is waiting');
    clock.at += 20_000;
    await checks().sweep();
    await expect(checks().accept('t-ann', 'ann')).rejects.toThrow('There is no match to accept');
  });

  it('ends the ticket of a player who declines, with reason and cool-down; the other plays the next match', async () => {
    const { store, sent, checks, enqueue, matcher, penalties, clock } = await asked();
    await checks().accept('t-bob', 'bob');
    clock.at += 5_000;
    const declined = await checks().decline('t-ann', 'ann');
    expect(declined).toMatchObject({ state: 'cancelled', closed: true });
    expect(declined.reason).toBe(
      'You declined the match and left the queue: you did not accept a match and may queue again in 30 s.',
    );
    expect(await store.find('t-bob')).toMatchObject({ state: 'waiting', enqueuedAt: start });
    expect((await penalties.of('ann')).coolDown?.until).toBe(start + 35_000);
    expect((await penalties.of('bob')).penalties).toEqual([]);
    await enqueue('cid');
    expect(await matcher.tick()).toBe(1);
    await checks().accept('t-bob', 'bob');
    await checks().accept('t-cid', 'cid');
    expect(sent).toHaveLength(1);
  });

  it('ends at its deadline for players who did not answer', async () => {
    const { store, checks, clock, penalties, state } = await asked();
    await checks().accept('t-ann', 'ann');
    clock.at += 19_999;
    expect(await checks().sweep()).toBe(false);
    expect(await state('ann')).toBe('accepting');
    clock.at += 1;
    await checks().sweep();
    await checks().sweep();
    expect(await state('ann')).toBe('waiting');
    const record = await store.find('t-bob');
    expect(record).toMatchObject({ state: 'cancelled', closed: true });
    expect(record?.reason).toContain('you did not accept a match and may queue again in 30 s');
    expect((await penalties.of('bob')).penalties).toHaveLength(1);
    expect((await penalties.of('ann')).penalties).toEqual([]);
  });
});

describe('a ready check during an outage', () => {
  it('blames nobody for an outage of the queue, and can be accepted after it', async () => {
    const { store, sent, replica, checks, clock } = await asked();
    const queue = checks(replica());
    await queue.sweep();
    // Stopped past the end of the check.
    clock.at += 25_000;
    await queue.sweep();
    expect(await store.blamed(10)).toEqual([]);
    await queue.accept('t-ann', 'ann');
    await queue.accept('t-bob', 'bob');
    expect(sent).toHaveLength(1);
  });

  it('ends for silent players once they could be heard for long enough', async () => {
    const { store, replica, checks, clock, state } = await asked();
    const queue = checks(replica());
    await queue.sweep();
    clock.at += 25_000;
    await queue.sweep();
    await queue.accept('t-ann', 'ann');
    for (let heardMs = 0; heardMs < graceMs; heardMs += 500) {
      expect([await state('ann'), await state('bob')]).toEqual(['accepting', 'accepting']);
      clock.at += 500;
      await queue.sweep();
    }
    expect([await state('ann'), await state('bob')]).toEqual(['waiting', 'cancelled']);
    expect(await store.blamed(10)).toEqual([]);
  });

  it('is not ended by another replica either, when one had an outage', async () => {
    const { replica, checks, clock, state } = await asked();
    const [stopped, sound] = [checks(replica()), checks(replica())];
    await stopped.sweep();
    for (let passed = 0; passed < 19_500; passed += 500) {
      clock.at += 500;
      await sound.sweep();
    }
    await stopped.sweep();
    clock.at += 1_000;
    await sound.sweep();
    expect([await state('ann'), await state('bob')]).toEqual(['accepting', 'accepting']);
  });
});

describe('a ready check that most players miss', () => {
  it('ends without penalties: the way to the players is broken', async () => {
    const { store, checks, clock, penalties } = await asked();
    clock.at += 20_000;
    await checks().sweep();
    for (const player of ['ann', 'bob']) {
      expect(await store.find(`t-${player}`)).toMatchObject({
        state: 'cancelled',
        reason:
          '2 of 2 players did not accept the match in time, which looks like an outage: you left the queue, and nobody is penalised.',
      });
      expect((await penalties.of(player)).penalties).toEqual([]);
    }
  });

  it('penalises the only ticket that is silent, however large its share of the match', async () => {
    const { checks, clock, penalties } = await asked({ massBlameShare: 0.25 });
    await checks().accept('t-ann', 'ann');
    clock.at += 20_000;
    await checks().sweep();
    expect((await penalties.of('bob')).penalties).toHaveLength(1);
  });
});

describe('a process that dies in a ready check', () => {
  it('after the last acceptance: a repeated acceptance sends the job again', async () => {
    const { sent, trouble, checks } = await asked();
    await checks().accept('t-ann', 'ann');
    trouble.jobsAreAway = true;
    await expect(checks().accept('t-bob', 'bob')).rejects.toThrow('Redis is away');
    trouble.jobsAreAway = false;
    await checks().accept('t-bob', 'bob');
    expect(sent).toHaveLength(1);
  });

  it('after the last acceptance, without a repeat: the reconciler settles it', async () => {
    const { store, trouble, checks, clock, state } = await asked();
    await checks().accept('t-ann', 'ann');
    trouble.jobsAreAway = true;
    await expect(checks().accept('t-bob', 'bob')).rejects.toThrow('Redis is away');
    const refused = {
      verdict: 'refused' as const,
      reason: 'No teams were made in time.',
      failedTicketIds: [],
    };
    const settler = new SettleProposals(store, { settleProposal: async () => refused }, clock, {
      PROPOSAL_LEASE_MS: leaseMs,
    });
    expect(await settler.run()).toBe(0);
    clock.at += leaseMs;
    expect(await settler.run()).toBe(1);
    expect([await state('ann'), await state('bob')]).toEqual(['waiting', 'waiting']);
    expect(await store.blamed(10)).toEqual([]);
  });

  it('after a decline, before its penalty: another process writes it once, with the time of the offence', async () => {
    const { kept, checks, clock, penalties, state } = await asked();
    kept.away = true;
    await expect(checks().decline('t-ann', 'ann')).rejects.toThrow('Postgres is away');
    expect(await state('bob')).toBe('waiting');
    kept.away = false;
    clock.at += 10_000;
    await checks().sweep();
    await checks().sweep();
    const { penalties: written, coolDown } = await penalties.of('ann');
    expect(written).toMatchObject([{ kind: 'declined', at: start }]);
    expect(coolDown?.until).toBe(start + 30_000);
  });
});

describe('C9 penalties', () => {
  it('keep a whole party out, and name the player, the reason and the end', async () => {
    const { penalties, checks, clock } = await asked();
    await checks().decline('t-ann', 'ann');
    await expect(penalties.check(['cid', 'ann'])).rejects.toMatchObject({
      code: 'cooling-down',
      message: 'ann did not accept a match and may queue again in 30 s.',
      facts: {
        until: start + 30_000,
        retryAfterSeconds: 30,
        players: [{ playerId: 'ann', until: start + 30_000, kind: 'declined' }],
      },
    });
    await penalties.check(['cid']);
    clock.at += 30_000;
    await penalties.check(['cid', 'ann']);
  });

  it('grow with the second offence, and end when they are forgiven', async () => {
    const { penalties, checks, clock, enqueue, matcher, store } = await asked();
    await checks().decline('t-ann', 'ann');
    clock.at += 60_000;
    await store.enqueue(
      aTicket({
        ticketId: 't-ann2',
        queue: rules.name,
        players: [{ playerId: 'ann', mu: 25, sigma: 8 }],
        enqueuedAt: clock.at,
        expiresAt: clock.at + 600_000,
      }),
      clock.at,
    );
    await enqueue('bob');
    expect(await matcher.tick()).toBe(1);
    const { reason } = await checks().decline('t-ann2', 'ann');
    expect(reason).toContain('for the 2nd time lately and may queue again in 5 minutes');
    const [first] = (await penalties.of('ann')).penalties;
    const after = await penalties.forgive('ann', first?.penaltyId ?? '');
    expect(after.coolDown).toMatchObject({ nth: 1, until: clock.at + 30_000 });
    expect(after.penalties).toHaveLength(2);
    await expect(penalties.forgive('bob', first?.penaltyId ?? '')).rejects.toThrow('bob has no penalty');
  });
});
