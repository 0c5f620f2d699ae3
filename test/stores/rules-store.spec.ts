import { PostgresRulesStore } from '../../apps/queue/src/rules/rules.store.js';
import { message, type QueueRules, type RulesChange } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { describe, expect, it } from 'vitest';
import { databaseForEach, noon, range, tally } from './fixtures.js';
import { as } from '../support/database.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();

const [fives, duels] = defaultQueues as [QueueRules, QueueRules];
const full: QueueRules = {
  ...fives,
  name: 'full',
  pairPartiesSeconds: 30,
  roles: { tank: 1, healer: 1 },
  maps: { names: ['dust', 'größe'], agreeSeconds: null },
  behaviour: { lowBelow: 0.1 + 0.2, apartSeconds: 20 },
  smallerTeams: [{ afterSeconds: 60, teamSize: 4 }],
  bots: { afterSeconds: 120, skill: -3.5, minPlayers: 4 },
};

const storeOn = (db: Db): PostgresRulesStore => new PostgresRulesStore(as('queue', db));
/** Stores as so many processes would have them. */
const processes = (count: number): PostgresRulesStore[] => range(count).map(() => storeOn(data().connect(1)));
const change = (rules: QueueRules, over: Partial<RulesChange> = {}): RulesChange => ({
  rules,
  why: 'because',
  appliesTo: 'new',
  ...over,
});
const withTtl = (ticketTtlSeconds: number): QueueRules => ({ ...fives, ticketTtlSeconds });
const none: ReadonlyMap<string, number> = new Map();

describe('C19 the first version', () => {
  it('is as it was seeded, to the bit', async () => {
    const store = storeOn(data().db);
    expect(await store.seed([full, duels], 'built in', noon)).toEqual(['1v1', 'full']);
    expect(await store.after(none)).toEqual(
      [duels, full].map((rules) => ({
        queue: rules.name,
        version: 1,
        rules,
        why: 'built in',
        appliesTo: 'new',
        createdAt: noon,
      })),
    );
  });

  it('has the messages of where it is from, and an operator’s words have none', async () => {
    const store = storeOn(data().db);
    const why = [message('rules.from-file', { file: 'queues.yaml' })];
    await store.seed([duels], why, noon);
    await store.change(change({ ...duels, ticketTtlSeconds: 77 }), noon);
    const [first, second] = await store.after(none);
    const words = 'From queues.yaml (QUEUES_FILE), when the queue was made.';
    expect(first).toMatchObject({ version: 1, why: words, messages: why });
    expect(second).toMatchObject({ version: 2, why: 'because' });
    expect(second?.messages).toBeUndefined();
  });

  it('is made once, however many start at once, each with rules of its own', async () => {
    const seeds = range(8).map((i) => [withTtl(100 + i), { ...duels, ticketTtlSeconds: 100 + i }]);
    const made = await Promise.all(
      processes(8).map((store, i) =>
        store.seed(i % 2 ? (seeds[i] ?? []) : (seeds[i] ?? []).toReversed(), '', noon),
      ),
    );
    expect(tally(made.flat())).toEqual({ '1v1': 1, '5v5': 1 });
    const versions = await storeOn(data().db).after(none);
    expect(versions.map(({ queue, version }) => [queue, version])).toEqual([
      ['1v1', 1],
      ['5v5', 1],
    ]);
    expect(await data().deadlocks()).toBe(0);
  });

  it('is left alone where there are rules', async () => {
    const store = storeOn(data().db);
    await store.change(change(withTtl(99)), noon);
    expect(await store.seed([fives, duels], '', noon)).toEqual(['1v1']);
    expect((await store.after(none)).find(({ queue }) => queue === '5v5')?.rules).toEqual(withTtl(99));
  });
});

describe('C19 a change of rules', () => {
  it('is the next version; the others stay', async () => {
    const store = storeOn(data().db);
    await store.seed([fives], 'built in', noon);
    const changed = await store.change(change(withTtl(99), { appliesTo: 'all' }), noon + 5);
    const now = {
      queue: '5v5',
      version: 2,
      rules: withTtl(99),
      why: 'because',
      appliesTo: 'all',
      createdAt: noon + 5,
    };
    expect(changed).toEqual({ outcome: 'changed', now });
    expect(await store.after(none)).toEqual([expect.objectContaining({ version: 1, rules: fives }), now]);
    expect(await store.after(new Map([['5v5', 1]]))).toEqual([now]);
    expect(await store.after(new Map([['5v5', 2]]))).toEqual([]);
  });

  it('that changes nothing makes no version', async () => {
    const store = storeOn(data().db);
    await store.seed([full], '', noon);
    const same = await store.change(change({ ...full, roles: { healer: 1, tank: 1 } }), noon);
    expect(same).toMatchObject({ outcome: 'same', now: { version: 1 } });
    // Back again is a change, and so is the same for those that wait.
    await store.change(change({ ...full, teams: 3 }), noon);
    expect(await store.change(change(full), noon)).toMatchObject({ outcome: 'changed', now: { version: 3 } });
    const forAll = change(full, { appliesTo: 'all' });
    expect(await store.change(forAll, noon)).toMatchObject({ outcome: 'changed', now: { version: 4 } });
    expect(await store.change(forAll, noon)).toMatchObject({ outcome: 'same', now: { version: 4 } });
  });

  it('that began with another version is stale', async () => {
    const store = storeOn(data().db);
    expect(await store.change(change(fives, { expectedVersion: 1 }), noon)).toEqual({
      outcome: 'stale',
      newest: 0,
    });
    await store.change(change(fives, { expectedVersion: 0 }), noon);
    const other = change(withTtl(98), { expectedVersion: 0 });
    expect(await store.change(other, noon)).toEqual({ outcome: 'stale', newest: 1 });
    const next = await store.change(change(withTtl(99), { expectedVersion: 1 }), noon);
    expect(next).toMatchObject({ outcome: 'changed', now: { version: 2 } });
  });

  it('that is asked for again, since its answer was lost, is the same version', async () => {
    const store = storeOn(data().db);
    await store.seed([fives], '', noon);
    const asked = change(withTtl(99), { expectedVersion: 1 });
    const first = await store.change(asked, noon);
    expect(first).toMatchObject({ outcome: 'changed', now: { version: 2 } });
    expect(await store.change(asked, noon + 5)).toEqual(first);
    expect(await store.change({ ...asked, why: 'another' }, noon)).toEqual({ outcome: 'stale', newest: 2 });
    await store.change(change(withTtl(98)), noon);
    expect(await store.change(asked, noon)).toEqual({ outcome: 'stale', newest: 3 });
  });

  it('is one of many that expect the same version', async () => {
    const stores = processes(10);
    await stores[0]?.seed([fives], '', noon);
    const said = await Promise.all(
      stores.map((store, i) => store.change(change(withTtl(100 + i), { expectedVersion: 1 }), noon)),
    );
    expect(tally(said.map(({ outcome }) => outcome))).toEqual({ changed: 1, stale: 9 });
    expect(said.flatMap((each) => (each.outcome === 'stale' ? [each.newest] : []))).toEqual(
      range(9).map(() => 2),
    );
  });

  it('of many at the same time gets a number of its own, without gaps, a new queue’s as well', async () => {
    const said = await Promise.all(
      processes(10).map((store, i) => store.change(change(withTtl(100 + i)), noon)),
    );
    const numbers = said.map((each) => (each.outcome === 'stale' ? 0 : each.now.version));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(range(10).map((i) => i + 1));
    const versions = await storeOn(data().db).after(none);
    for (const each of said) if (each.outcome !== 'stale') expect(versions).toContainEqual(each.now);
  });
});

describe('C19 versions', () => {
  it('are never rewritten, nor are others than the two kinds there', async () => {
    const { db } = data();
    await storeOn(db).seed([fives], '', noon);
    const kept = 'versions of rules are kept';
    await expect(db.$executeRaw`UPDATE queue_rules SET why = 'other'`).rejects.toThrow(kept);
    await expect(db.$executeRaw`DELETE FROM queue_rules`).rejects.toThrow(kept);
    const insert = db.$executeRaw`INSERT INTO queue_rules VALUES ('x', 1, '{}', '', 'some', now())`;
    await expect(insert).rejects.toThrow('queue_rules_applies_to_known');
  });

  it('that nobody of ours wrote are not taken for rules', async () => {
    const { db } = data();
    await db.$executeRaw`INSERT INTO queue_rules VALUES ('x', 1, '{"name": "x"}', '', 'new', now())`;
    await expect(storeOn(db).after(none)).rejects.toThrow('is missing');
  });
});
