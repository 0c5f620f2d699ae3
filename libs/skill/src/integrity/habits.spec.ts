import { seededRandom, type Random } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountsOf,
  alternateLog,
  compared,
  habitsLog,
  isCommon,
  likeliestOlder,
  mostAccounts,
} from './habits.js';
import type { KnownHabits, OlderAccount, OwnHabit } from './habits.js';
import { newNewcomer, type NewcomerWatch } from './newcomer.js';
import { alternateSignal } from './signals.js';

const skilled = (log: number): NewcomerWatch => ({
  ...newNewcomer,
  evidence: { ...newNewcomer.evidence, log },
});
const habit = (kind: string, holders: number, players = 1_000): OwnHabit => ({
  kind,
  code: `${kind}-1`,
  players,
  holders,
});
const equalTo = (...kinds: string[]): KnownHabits => new Map(kinds.map((kind) => [kind, `${kind}-1`]));

const kinds = ['device', 'network', 'settings'];
const someHabits = fc
  .array(
    fc.record({ holders: fc.integer({ min: 1, max: 80 }), players: fc.integer({ min: 80, max: 10_000 }) }),
    {
      minLength: 3,
      maxLength: 3,
    },
  )
  .map((each) => each.map(({ holders, players }, i) => habit(kinds[i] ?? '', holders, players)));
const codes = fc
  .array(fc.option(fc.constantFrom('1', '2'), { nil: undefined }), { minLength: 3, maxLength: 3 })
  .map(
    (each): KnownHabits =>
      new Map(each.flatMap((code, i) => (code ? [[kinds[i] ?? '', `${kinds[i]}-${code}`]] : []))),
  );

/** A draw of few common codes and many rare ones. */
const drawn = (random: Random, many: number): string => `c${Math.floor(many * random() ** 3)}`;

describe('evidence from habits', () => {
  it('has a mean of 1 at most over all other accounts, if people have their habits independently', () => {
    const random = seededRandom(11);
    for (const { accounts, shape } of [
      { accounts: 60, shape: [20, 200] },
      { accounts: 200, shape: [5, 2_000, 50] },
      { accounts: 400, shape: [400, 400, 400, 400] },
    ]) {
      let sum = 0;
      let reached = 0;
      const worlds = 600;
      for (let world = 0; world < worlds; world++) {
        const all = Array.from(
          { length: accounts },
          () => new Map(shape.map((many, kind) => [`kind-${kind}`, drawn(random, many)])),
        );
        const own = ownOf(all);
        const logs = all.slice(1).map((others) => alternateLog(own, others, newNewcomer));
        sum += logs.reduce((total, log) => total + Math.exp(log), 0);
        reached += Number(Math.max(...logs) >= Math.log(20));
      }
      expect(sum / worlds).toBeLessThan(1);
      expect(reached / worlds).toBeLessThan(1 / 20);
    }
  });

  /** The habits of the first account among all. */
  function ownOf(all: readonly KnownHabits[]): OwnHabit[] {
    return [...(all[0] ?? new Map<string, string>())].map(([kind, code]) => ({
      kind,
      code,
      players: all.length,
      holders: all.filter((each) => each.get(kind) === code).length,
    }));
  }

  it('of one kind alone is 1 at most, all others together, whoever has the code', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 60 }),
        (players, holders) => {
          fc.pre(holders <= players);
          const own = [habit('device', holders, players)];
          const each = Math.exp(alternateLog(own, equalTo('device'), newNewcomer));
          expect((holders - 1) * each).toBeLessThanOrEqual(1.000_001);
        },
      ),
    );
  });

  it('grows with every equal habit and falls with every different one; what is common, or not reported, says nothing', () => {
    fc.assert(
      fc.property(someHabits, codes, (own, others) => {
        for (const each of own) {
          const without = new Map([...others].filter(([kind]) => kind !== each.kind));
          const change = habitsLog(own, others) - habitsLog(own, without);
          const comparison = compared(each, others);
          if (comparison === 'equal') expect(change).toBeGreaterThan(0);
          else if (comparison === 'different') expect(change).toBeCloseTo(Math.log(0.2), 9);
          else expect(change).toBeCloseTo(0, 12);
          if (isCommon(each)) expect(comparison === 'equal' || comparison === 'different').toBe(false);
        }
      }),
    );
  });

  it('does not depend on the order of kinds, nor on which of the two with the same holders is the new one', () => {
    fc.assert(
      fc.property(someHabits, codes, (own, others) => {
        expect(habitsLog(own.toReversed(), others)).toBeCloseTo(habitsLog(own, others), 9);
        const mirrored = own.flatMap((each): OwnHabit[] => {
          const code = others.get(each.kind);
          return code === undefined ? [] : [{ ...each, code }];
        });
        const back = new Map(own.map(({ kind, code }) => [kind, code]));
        // A common code is common on its own side only.
        fc.pre(own.every((each) => !isCommon(each)));
        expect(habitsLog(mirrored, back)).toBeCloseTo(habitsLog(own, others), 9);
      }),
    );
  });

  it('is strengthened by a level above newcomers, and halved at most without', () => {
    const own = [habit('device', 2), habit('network', 2)];
    const at = (log: number): number => alternateLog(own, equalTo('device', 'network'), skilled(log));
    expect(at(Math.log(199)) - at(0)).toBeCloseTo(Math.log(100), 9);
    expect(at(0) - at(-Infinity)).toBeCloseTo(Math.log(2), 9);
  });

  it('takes any large pool for one of 10,000', () => {
    expect(accountsOf([habit('device', 2, 60_000), habit('network', 2, 10)])).toBe(mostAccounts);
    expect(accountsOf([])).toBe(1);
  });
});

describe('the older account of a person', () => {
  const account = fc.record({
    playerId: fc.string({ minLength: 1, maxLength: 3 }),
    habits: codes,
    isOlder: fc.boolean(),
    hasMet: fc.boolean(),
    isJudged: fc.boolean(),
  });

  it('is never one that the new one met, one that was judged or a newer one, and always the strongest of the others', () => {
    fc.assert(
      fc.property(
        someHabits,
        fc.array(account, { maxLength: 8 }),
        fc.double({ min: 0.01, max: 1e6, noNaN: true }),
        (own, accounts, threshold) => {
          const found = likeliestOlder(own, newNewcomer, accounts, threshold);
          const log = ({ habits }: OlderAccount): number => alternateLog(own, habits, newNewcomer);
          const open = accounts.filter(({ isOlder, hasMet, isJudged }) => isOlder && !hasMet && !isJudged);
          const most = Math.max(...open.map(log));
          if (found) expect([open.includes(found), log(found)]).toEqual([true, most]);
          else expect(most).toBeLessThan(Math.log(threshold));
        },
      ),
    );
  });

  it('is named by a signal with what is equal, what differs, and what says nothing', () => {
    const own = [habit('device', 2), habit('network', 2), habit('settings', 3), habit('client', 51)];
    const habits = new Map([...equalTo('device', 'network', 'client'), ['settings', 'settings-2']]);
    const signal = alternateSignal(
      { newcomer: 'ann-2', older: 'ann', own, habits, watch: skilled(3) },
      { matchId: 'm1', sequence: 7 },
    );
    expect(signal).toMatchObject({
      kind: 'alternate',
      players: ['ann-2', 'ann'],
      server: null,
      matchId: 'm1',
      sequence: 7,
    });
    expect(signal.byChance).toBeCloseTo(1 / signal.evidence, 2);
    const said = (side: 'pro' | 'contra'): unknown[] =>
      signal[side].map(({ code, params }) => [code, params['kind'] ?? params['holders']]);
    expect(said('pro')).toEqual([
      ['integrity.alternate-accounts', undefined],
      ['integrity.habit-equal', 'device'],
      ['integrity.habit-equal', 'network'],
      ['integrity.habits-explain', undefined],
      ['integrity.newcomer-level', undefined],
    ]);
    expect(said('contra')).toEqual([
      ['integrity.habits-by-chance', undefined],
      ['integrity.habit-differs', 'settings'],
      ['integrity.habit-common', 'client'],
      ['integrity.habits-shared', undefined],
    ]);
  });
});
