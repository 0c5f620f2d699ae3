import { penaltyKinds, type CoolDownRules, type Offence } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coolDownOf, coolDownRules, coolDownParams, lasting, memoryMs } from './penalties.js';

const start = 1_700_000_000_000;
const rules: CoolDownRules = { coolDownSeconds: [10, 60, 600], forgiveAfterSeconds: 3_600 };
const declined = (seconds: number): Offence => ({
  kind: 'declined',
  queue: 'duel',
  at: start + seconds * 1000,
});
const untilSeconds = (offences: readonly Offence[], nowSeconds: number): number | null => {
  const found = coolDownOf(offences, () => rules, start + nowSeconds * 1000);
  return found && (found.until - start) / 1000;
};

const anyRules: fc.Arbitrary<CoolDownRules> = fc
  .record({
    coolDownSeconds: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 5 }),
    forgiveAfterSeconds: fc.integer({ min: 900, max: 3_000 }),
  })
  .map(({ coolDownSeconds, ...rest }) => ({
    ...rest,
    coolDownSeconds: coolDownSeconds.toSorted((a, b) => a - b),
  }));
const ladders = fc.record({ duel: anyRules, squad: fc.option(anyRules, { nil: undefined }) });
const offence: fc.Arbitrary<Offence> = fc.record({
  kind: fc.constantFrom(...penaltyKinds),
  queue: fc.constantFrom('duel', 'squad'),
  at: fc.integer({ min: 0, max: 5_000 }).map((seconds) => start + seconds * 1000),
});
const offences = fc.array(offence, { maxLength: 8 });
const now = fc.integer({ min: 0, max: 6_000 }).map((seconds) => start + seconds * 1000);
const by = (each: { duel: CoolDownRules; squad: CoolDownRules | undefined }) => (of: Offence) =>
  of.queue === 'duel' ? each.duel : each.squad;

describe('C9 a cool-down', () => {
  it('grows with every offence, and stays at the last step', () => {
    expect(untilSeconds([declined(0)], 0)).toBe(10);
    expect(untilSeconds([declined(0), declined(100)], 100)).toBe(160);
    expect(untilSeconds([declined(0), declined(100), declined(200)], 200)).toBe(800);
    expect(untilSeconds([0, 100, 200, 900].map(declined), 900)).toBe(1_500);
  });

  it('ends on time, to the millisecond', () => {
    expect(untilSeconds([declined(0)], 9.999)).toBe(10);
    expect(untilSeconds([declined(0)], 10)).toBeNull();
    expect(untilSeconds([], 0)).toBeNull();
  });

  it('forgets offences one by one', () => {
    expect(untilSeconds([declined(0), declined(3_599)], 3_599)).toBe(3_659);
    expect(untilSeconds([declined(0), declined(3_600)], 3_600)).toBe(3_610);
  });

  it('counts kinds separately, queues together, and returns the deciding offence', () => {
    const left: Offence = { kind: 'left', queue: 'squad', at: start };
    expect(coolDownOf([declined(0), left], () => rules, start)?.nth).toBe(1);
    const elsewhere: Offence = { ...declined(1), queue: 'squad' };
    expect(coolDownOf([declined(0), elsewhere], () => rules, start + 2_000)).toEqual({
      until: start + 61_000,
      kind: 'declined',
      nth: 2,
    });
  });

  it('is none where rules are silent, and none for a warning', () => {
    expect(coolDownOf([declined(0)], () => undefined, start)).toBeNull();
    const warning = { coolDownSeconds: [0, 30], forgiveAfterSeconds: 60 };
    expect(coolDownOf([declined(0)], () => warning, start)).toBeNull();
    expect(coolDownOf([declined(0), declined(5)], () => warning, start + 5_000)?.until).toBe(start + 35_000);
  });

  it('is independent of the order of offences', () => {
    fc.assert(
      fc.property(ladders, offences, now, fc.infiniteStream(fc.nat()), (each, list, at, keys) => {
        const shuffled = list
          .map((of) => ({ of, key: keys.next().value }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ of }) => of);
        expect(coolDownOf(shuffled, by(each), at)?.until).toBe(coolDownOf(list, by(each), at)?.until);
      }),
    );
  });

  it('is never shorter for one more offence', () => {
    fc.assert(
      fc.property(ladders, offences, offence, now, (each, list, more, at) => {
        const before = coolDownOf(list, by(each), at)?.until ?? 0;
        expect(coolDownOf([...list, more], by(each), at)?.until ?? 0).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it('decays completely: an offence too old to be read has no effect', () => {
    fc.assert(
      fc.property(ladders, offences, now, (each, list, at) => {
        const memory = memoryMs([{ leavers: each.duel }, each.squad ? { noShows: each.squad } : {}]);
        const young = list.filter((of) => of.at > at - memory);
        expect(coolDownOf(young, by(each), at)).toEqual(coolDownOf(list, by(each), at));
        expect(coolDownOf(list, by(each), start + 6_000_000 + memory)).toBeNull();
      }),
    );
  });
});

describe('the rules of offences', () => {
  it('have a field for each kind', () => {
    const readyCheck = { ...rules, seconds: 20 };
    expect(coolDownRules({ readyCheck }, 'declined')).toBe(readyCheck);
    expect(coolDownRules({ noShows: rules }, 'no-show')).toBe(rules);
    expect(coolDownRules({ leavers: rules }, 'left')).toBe(rules);
    expect(coolDownRules({ readyCheck }, 'left')).toBeUndefined();
  });

  it('determine the memory as the longest of any queue', () => {
    expect(memoryMs([{}, {}])).toBe(0);
    expect(memoryMs([{ leavers: { coolDownSeconds: [0], forgiveAfterSeconds: 60 } }])).toBe(0);
    expect(
      memoryMs([{ leavers: rules }, { noShows: { coolDownSeconds: [900], forgiveAfterSeconds: 900 } }]),
    ).toBe(4_500_000);
  });
});

describe('the message of a cool-down', () => {
  it('names the offence, its count and the remaining time', () => {
    const told = (kind: Offence['kind'], nth: number, seconds: number) =>
      coolDownParams({ kind, nth, until: start + seconds * 1000 }, start);
    expect(told('declined', 1, 30)).toEqual({ kind: 'declined', nth: 1, amount: 30, unit: 'seconds' });
    expect(told('left', 11, 86_400)).toEqual({ kind: 'left', nth: 11, amount: 24, unit: 'hours' });
    expect(coolDownParams(null, start)).toMatchObject({ kind: 'none' });
  });

  it.each([
    [0, 1, 'seconds'],
    [119, 119, 'seconds'],
    [119.5, 2, 'minutes'],
    [1_800, 30, 'minutes'],
    [7_140, 119, 'minutes'],
    [7_199, 2, 'hours'],
    [86_400, 24, 'hours'],
    [7 * 86_400, 7, 'days'],
    [7 * 86_400 + 1, 8, 'days'],
  ])('of %d s lasts %d %s: rounded up', (seconds, amount, unit) => {
    expect(lasting(seconds * 1000)).toEqual({ amount, unit });
  });
});
