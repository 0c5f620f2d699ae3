import { writeReason } from '@muster/contracts';
import {
  changesNothing,
  RatingUnavailable,
  RulesChanged,
  RulesInvalid,
  UnknownPool,
  type QueueRules,
  type RulesVersion,
  type Explanation,
} from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { describe, expect, it } from 'vitest';
import { FollowRules } from './follow-rules.js';
import { PutRules } from './put-rules.js';
import { Queues } from './queues.js';
import type { RatingClient } from '../services/rating.client.js';
import type { PostgresRulesStore } from './rules.store.js';

type RulesStore = Pick<PostgresRulesStore, keyof PostgresRulesStore>;

const [fives, duels] = defaultQueues as [QueueRules, QueueRules];
const clock = { now: () => 1_000 };

const wordsOf = (why: Explanation): string => writeReason(why).reason;

/** Rules in memory. */
function memoryStore(): RulesStore {
  const rows: RulesVersion[] = [];
  const of = (queue: string): RulesVersion[] => rows.filter((row) => row.queue === queue);
  return {
    async after(known) {
      return rows.filter(({ queue, version }) => version > (known.get(queue) ?? 0));
    },
    async seed(rules, why, createdAt) {
      const made = rules.filter(({ name }) => of(name).length === 0);
      for (const each of made)
        rows.push({
          queue: each.name,
          version: 1,
          rules: each,
          why: wordsOf(why),
          appliesTo: 'new',
          createdAt,
        });
      return made.map(({ name }) => name);
    },
    async change(change, createdAt) {
      const { rules, why, appliesTo, expectedVersion } = change;
      const versions = of(rules.name);
      const last = versions.at(-1);
      const newest = last?.version ?? 0;
      if (expectedVersion !== undefined && expectedVersion !== newest) return { outcome: 'stale', newest };
      if (last && changesNothing(versions, change)) return { outcome: 'same', now: last };
      const now = { queue: rules.name, version: newest + 1, rules, why, appliesTo, createdAt };
      rows.push(now);
      return { outcome: 'changed', now };
    },
  };
}

/** A replica: its queues, and the use-cases that change them. */
function replica(store: RulesStore, ratingsOf: RatingClient['ratingsOf'] = async () => []) {
  const queues = new Queues();
  const follow = new FollowRules(queues, store, clock);
  return { queues, follow, put: new PutRules(queues, follow, store, { ratingsOf }, clock) };
}

const change = (rules: QueueRules, over: object = {}) => ({
  rules,
  why: 'why',
  appliesTo: 'new' as const,
  ...over,
});

describe('the rules of a first start', () => {
  it('are the seeds, and only for queues without rules', async () => {
    const store = memoryStore();
    const first = replica(store);
    expect(await first.follow.open([fives, duels], 'built in')).toEqual([]);
    await first.put.run('5v5', change({ ...fives, ticketTtlSeconds: 99 }));
    const second = replica(store);
    const third = { ...fives, name: '3v3' };
    // Reported, so that the operator who changed the seeds learns that they have no effect.
    expect(await second.follow.open([fives, duels, third], 'a file')).toEqual(['5v5']);
    expect(second.queues.newest.map(({ queue, version, why }) => [queue, version, why])).toEqual([
      ['5v5', 2, 'why'],
      ['1v1', 1, 'built in'],
      ['3v3', 1, 'a file'],
    ]);
  });
});

describe('putting rules in force', () => {
  it('creates a version, here at once and in other replicas at their next read', async () => {
    const store = memoryStore();
    const [here, there] = [replica(store), replica(store)];
    await here.follow.open([fives], '');
    await there.follow.open([fives], '');
    const wide = { ...fives, maxPartySize: 3 };
    expect(await here.put.run('5v5', change(wide))).toEqual({
      queue: '5v5',
      version: 2,
      rules: wide,
      why: 'why',
      appliesTo: 'new',
      createdAt: 1_000,
      changed: true,
    });
    expect(here.queues.named('5v5').maxPartySize).toBe(3);
    expect(there.queues.versionOf('5v5')).toBe(1);
    await there.follow.refresh();
    expect(there.queues.versionOf('5v5')).toBe(2);
    expect(await there.put.run('5v5', change(wide))).toMatchObject({ version: 2, changed: false });
  });

  it('creates a missing queue', async () => {
    const { put, queues } = replica(memoryStore());
    const made = await put.run('3v3', change({ ...fives, name: '3v3' }, { expectedVersion: 0 }));
    expect(made).toMatchObject({ version: 1, changed: true });
    expect(queues.all.map(({ name }) => name)).toEqual(['3v3']);
  });

  it('is refused when another version came first, with the current one', async () => {
    const store = memoryStore();
    const [here, there] = [replica(store), replica(store)];
    await here.follow.open([fives], '');
    await here.put.run('5v5', change({ ...fives, maxPartySize: 3 }));
    const late = there.put.run('5v5', change({ ...fives, maxPartySize: 2 }, { expectedVersion: 1 }));
    await expect(late).rejects.toThrow(RulesChanged);
    await expect(late).rejects.toThrow(/"5v5" are at version 2, not 1/);
    expect(there.queues.named('5v5').maxPartySize).toBe(3);
    await expect(there.put.run('5v5', change(fives, { expectedVersion: 0 }))).rejects.toThrow(
      /already, at version 2/,
    );
    const none = there.put.run('3v3', change({ ...fives, name: '3v3' }, { expectedVersion: 4 }));
    await expect(none).rejects.toThrow(/no queue "3v3"; expect version 0/);
  });

  it('is refused for a queue of another name', async () => {
    const { put } = replica(memoryStore());
    await expect(put.run('3v3', change(fives))).rejects.toThrow(RulesInvalid);
    await expect(put.run('3v3', change(fives))).rejects.toMatchObject({
      facts: { errors: [{ path: 'rules.name' }] },
    });
  });

  it('is refused for an unknown pool; a pool already in use is not checked', async () => {
    const asked: string[] = [];
    const store = memoryStore();
    const { put, follow } = replica(store, async (pool) => {
      asked.push(pool);
      throw pool === 'none' ? new UnknownPool('no') : new RatingUnavailable('away');
    });
    await follow.open([fives], '');
    const wrong = put.run('5v5', change({ ...fives, pool: 'none' }));
    await expect(wrong).rejects.toMatchObject({ facts: { errors: [{ path: 'rules.pool' }] } });
    await expect(put.run('5v5', change({ ...fives, pool: 'other' }))).rejects.toThrow('away');
    expect(await put.run('5v5', change({ ...fives, maxPartySize: 2 }))).toMatchObject({ version: 2 });
    expect(asked).toEqual(['none', 'other']);
  });
});

describe('reading rules again', () => {
  it('is done once for concurrent requests, and never by a read that began before them', async () => {
    const store = memoryStore();
    const { queues, follow, put } = replica(store);
    let reads = 0;
    const slow: RulesStore = {
      ...store,
      async after(known) {
        reads += 1;
        const found = await store.after(known);
        await new Promise((resolve) => setImmediate(resolve));
        return found;
      },
    };
    const other = new Queues();
    const here = new FollowRules(other, slow, clock);
    const early = here.refresh();
    await put.run('5v5', change(fives));
    // The read under way began before the queue existed.
    await Promise.all([...Array(50)].map(() => here.withNewest('5v5', () => other.named('5v5'))));
    await early;
    expect(reads).toBe(2);
    expect(other.named('5v5')).toEqual(queues.named('5v5'));
    await expect(here.withNewest('4v4', () => other.named('4v4'))).rejects.toThrow('no queue "4v4"');
    await follow.refresh();
  });
});
