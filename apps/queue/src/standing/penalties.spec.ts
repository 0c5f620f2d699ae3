import type { MatchUpdate } from '@muster/contracts';
import type { Penalty, PenaltyStore, PlayerRating, QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { aTicket, MemoryTicketStore } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { Enqueue } from '../tickets/enqueue.js';
import { ApplyMatchUpdates } from '../updates/match-updates.js';
import { KnownBuilds } from '../services/known-builds.js';
import { Penalties } from './penalties.js';
import { Queues } from '../rules/queues.js';

const start = 1_700_000_000_000;
const duel = defaultQueues.find(({ name }) => name === '1v1') as QueueRules;
const coolDown = { coolDownSeconds: [300], forgiveAfterSeconds: 3_600 };
const rules: QueueRules = {
  ...duel,
  readyCheck: { seconds: 20, ...coolDown },
  noShows: coolDown,
  leavers: coolDown,
};

/** Lets the event loop turn often enough that anything pending runs. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await Promise.resolve();
}

/**
 * Penalties with the timing of a database: reads and writes take a while, and a read sees what was committed before it
 * began.
 */
class SlowPenalties implements PenaltyStore {
  readonly rows: Penalty[] = [];
  constructor(
    private readonly turnsToWrite: number,
    private readonly turnsToRead: number,
  ) {}
  async add(penalties: readonly Penalty[]): Promise<void> {
    await turns(this.turnsToWrite);
    this.rows.push(...penalties);
  }
  async of(playerIds: readonly string[]): Promise<ReadonlyMap<string, readonly Penalty[]>> {
    const seen = [...this.rows];
    await turns(this.turnsToRead);
    return new Map(playerIds.map((id) => [id, seen.filter(({ playerId }) => playerId === id)]));
  }
  async list(): Promise<never[]> {
    return [];
  }
  async lift(): Promise<void> {}
  async impose(): Promise<boolean> {
    return false;
  }
  async forgive(): Promise<boolean> {
    return false;
  }
}

/** Ann plays Bob on tickets t-ann and t-bob, in match m1. */
async function playing(turnsToWrite = 5, turnsToRead = 5) {
  const store = new MemoryTicketStore();
  const clock = { now: () => start };
  const ids = {
    make: (prefix: string) => `${prefix}_new`,
    derive: (prefix: string, text: string) => `${prefix}_${text}`,
    fingerprint: (value: unknown) => JSON.stringify(value),
    former: { derive: (prefix: string, text: string) => `${prefix}_former_${text}` },
  };
  const queues = new Queues([rules]);
  const kept = new SlowPenalties(turnsToWrite, turnsToRead);
  const penalties = new Penalties(queues, kept, store, clock, ids);
  const ratings = {
    ratingsOf: async (_pool: string, playerIds: readonly string[]) =>
      playerIds.map((playerId): PlayerRating => ({ playerId, mu: 25, sigma: 8, matches: 9 })),
    usableBooster: () => Promise.reject(new Error('nobody has a booster')),
  };
  const noParties = {
    find: () => Promise.resolve(null),
    hold: () => Promise.reject(new Error('there are no parties')),
  };
  const calibrate = { probes: async () => new Map() };
  const standing = { ofTicket: async () => ({}) };
  const asTheyAre = {
    withNewest: async <T>(_queue: string, step: () => T | Promise<T>): Promise<T> => step(),
  };
  const enqueue = new Enqueue({
    admission: { run: (work) => work() },
    parties: noParties,
    queues,
    follow: asTheyAre,
    builds: new KnownBuilds(null, clock, () => undefined),
    ratings,
    pauses: { check: () => Promise.resolve() },
    bans: { check: () => Promise.resolve() },
    penalties,
    calibrate,
    standing,
    store,
    clock,
    ids,
  });
  for (const player of ['ann', 'bob'])
    await store.enqueue(
      aTicket({ ticketId: `t-${player}`, queue: '1v1', players: [player], expiresAt: start + 600_000 }),
      start,
    );
  const lease = await store.acquireLease('1v1', 'me', 60_000, start);
  const claim = (asking: boolean) =>
    store.propose(
      {
        matchId: 'm1',
        queue: '1v1',
        ticketIds: ['t-ann', 't-bob'],
        job: '{}',
        reason: 'A match.',
        ...(asking ? { readyCheck: { acceptBy: start + 20_000, reason: 'Accept?' } } : {}),
      },
      lease?.epoch ?? 0,
      8_000,
      start,
    );
  /** The result of a new ticket of Ann's: `created`, or the problem's code. */
  const queueAgain = (): Promise<string> =>
    enqueue
      .run({
        queue: '1v1',
        build: 'b',
        leader: { playerId: 'ann', latencyMs: {}, claims: {} },
        members: [],
        maps: [],
        idempotencyKey: undefined,
      })
      .then(
        () => 'created',
        (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
      );
  /** Retries from now until Ann's old ticket no longer holds her. */
  const queueUntilFree = async (): Promise<string> => {
    for (;;) {
      const outcome = await queueAgain();
      if (outcome !== 'player-already-queued') return outcome;
      await turns(1);
    }
  };
  return {
    store,
    kept,
    penalties,
    claim,
    queueAgain,
    queueUntilFree,
    news: new ApplyMatchUpdates(
      store,
      penalties,
      clock,
      { tickets: async () => undefined },
      { pass: async () => ({ outcome: 'unknown' }) },
    ),
  };
}

const blame = (kind: 'left' | 'no-show') => ({
  queue: '1v1',
  offences: [{ playerId: 'ann', kind, at: start }],
});
const end = { matchId: 'm1', ticketIds: ['t-ann', 't-bob'], reason: 'It is over.' };
const ends: [string, MatchUpdate][] = [
  ['abandoned over a leaver', { kind: 'abandoned', ...end, blame: blame('left') }],
  ['abandoned over a no-show', { kind: 'abandoned', ...end, blame: blame('no-show') }],
  ['called off and remade', { kind: 'remade', ...end, failedTicketIds: ['t-ann'], blame: blame('no-show') }],
  ['rated with a leaver', { kind: 'rated', ...end, blame: blame('left') }],
  ['left for good, backfilled', { kind: 'abandoned', ...end, ticketIds: ['t-ann'], blame: blame('left') }],
];

describe('a player who is released and blamed', () => {
  it.each(ends)('cannot queue before the penalty counts: the match was %s', async (_says, news) => {
    for (const write of [0, 3, 40])
      for (const read of [0, 3, 40])
        for (const ahead of [0, 1, 2, 5, 10, 20, 60]) {
          const h = await playing(write, read);
          await h.claim(false);
          const tries = [h.queueUntilFree()];
          const told = h.news.run(news);
          await turns(ahead);
          tries.push(h.queueUntilFree());
          await told;
          tries.push(h.queueUntilFree());
          expect({ write, read, ahead, outcomes: new Set(await Promise.all(tries)) }).toEqual({
            write,
            read,
            ahead,
            outcomes: new Set(['cooling-down']),
          });
        }
  });

  it('cannot queue before the penalty counts: they declined, and the process died', async () => {
    const h = await playing();
    await h.claim(true);
    const tries = [h.queueUntilFree()];
    // The step that would write the penalty is never reached.
    await h.store.decline('t-ann', 'ann', 'You declined.', 'Somebody declined.', start);
    tries.push(h.queueUntilFree(), h.queueUntilFree());
    expect(await Promise.all(tries)).toEqual(['cooling-down', 'cooling-down', 'cooling-down']);
    expect(h.kept.rows.length).toBeGreaterThan(0);
    expect(await h.store.blamed(10)).toEqual([]);
  });

  it('is refused as playing while the update is on its way', async () => {
    const h = await playing();
    await h.claim(false);
    expect(await h.queueAgain()).toBe('player-already-queued');
  });
});
