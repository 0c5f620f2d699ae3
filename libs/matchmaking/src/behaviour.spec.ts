import { commendations, complaints, type BehaviourKind, type BehaviourMark } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  behaviourScore,
  behaviourWord,
  defaultBehaviourModel as model,
  forgottenHalfLives,
  decayedWeight,
  reporterWeight,
} from './behaviour.js';

const now = 1_800_000_000_000;
const { halfLifeMs } = model;

const marksOf = (...kinds: readonly BehaviourKind[]): fc.Arbitrary<BehaviourMark> =>
  fc.record({
    matchId: fc.constant('m'),
    party: fc.constant(null),
    reporter: fc.nat(12).map((i) => `r${i}`),
    kind: fc.constantFrom(...kinds),
    weight: fc.double({ min: 0, max: 1, noNaN: true }),
    at: fc.nat(20 * halfLifeMs).map((age) => now - age),
  });
const complaint = marksOf(...complaints);
const commendation = marksOf(...commendations);
const marks = fc.array(fc.oneof(complaint, commendation), { maxLength: 40 });
const nothing = 1e-12;

const by = (reporter: string, over: Partial<BehaviourMark> = {}): BehaviourMark => ({
  matchId: 'm',
  party: null,
  reporter,
  kind: 'abuse',
  weight: 1,
  at: now,
  ...over,
});
const crowd = (size: number, over: Partial<BehaviourMark> = {}): BehaviourMark[] =>
  Array.from({ length: size }, (_, i) => by(`r${i}`, over));

describe('R18 a behaviour score', () => {
  it('is 1 without complaints, whatever the number of commendations', () => {
    expect(behaviourScore([], now)).toBe(1);
    fc.assert(
      fc.property(fc.array(commendation), (praise) => {
        expect(behaviourScore(praise, now)).toBe(1);
      }),
    );
  });

  it('is above 0 and at most 1, independent of the order of reports', () => {
    fc.assert(
      fc.property(marks, (said) => {
        const score = behaviourScore(said, now);
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(behaviourScore(said.toReversed(), now)).toBe(score);
      }),
    );
  });

  it('never rises by a complaint, and never falls by a commendation', () => {
    fc.assert(
      fc.property(marks, complaint, commendation, (said, worse, better) => {
        const score = behaviourScore(said, now);
        expect(behaviourScore([...said, worse], now)).toBeLessThanOrEqual(score + nothing);
        expect(behaviourScore([...said, better], now)).toBeGreaterThanOrEqual(score - nothing);
      }),
    );
  });

  it('recovers completely with time', () => {
    fc.assert(
      fc.property(marks, fc.nat(5 * halfLifeMs), (said, later) => {
        expect(behaviourScore(said, now + later)).toBeGreaterThanOrEqual(behaviourScore(said, now) - nothing);
        expect(behaviourScore(said, now + 60 * halfLifeMs)).toBeCloseTo(1, 9);
      }),
    );
    const many = crowd(8);
    // k = 4 and eight complaints: 4/12; a half-life later four are left: 4/8; then two: 4/6.
    expect([0, 1, 2].map((halves) => behaviourScore(many, now + halves * halfLifeMs))).toEqual([
      4 / 12,
      4 / 8,
      4 / 6,
    ]);
  });

  it('needs no report older than the model says', () => {
    const old = by('r', { at: now - forgottenHalfLives * halfLifeMs });
    expect(decayedWeight(old, now, model)).toBeLessThan(0.001);
  });

  it('is still good after one complaint from any reporter', () => {
    fc.assert(
      fc.property(complaint, (one) => {
        expect(behaviourWord(behaviourScore([one], now))).toBe('good');
      }),
    );
  });

  it('counts a reporter once, whatever the number of their complaints', () => {
    fc.assert(
      fc.property(fc.array(complaint, { minLength: 1, maxLength: 60 }), (said) => {
        const same = said.map((mark) => ({ ...mark, reporter: 'grudge' }));
        expect(behaviourScore(same, now)).toBeGreaterThanOrEqual(model.benefit / (model.benefit + 1));
      }),
    );
  });

  it('counts a party after a match once, whatever its size, and again after another match', () => {
    const premade = (matchId: string) =>
      crowd(4, { matchId, party: 1 }).map((mark, i) => ({ ...mark, at: now - i }));
    const one = behaviourScore([by('r0')], now);
    expect(behaviourScore(premade('m'), now)).toBeCloseTo(one, 6);
    expect(behaviourScore(premade('m').toReversed(), now)).toBe(behaviourScore(premade('m'), now));
    // Another party of the match, and one who queued alone, are reporters of their own.
    const others = [by('x', { party: 2 }), by('y')];
    expect(behaviourScore([...premade('m'), ...others], now)).toBeCloseTo(behaviourScore(crowd(3), now), 6);
    // A mate whose word has no weight does not take that of the others.
    expect(
      behaviourScore([by('r9', { party: 1, weight: 0, at: now - 9 }), by('r0', { party: 1 })], now),
    ).toBe(one);
  });

  it('is unaffected by a brigade of low standing of any size', () => {
    fc.assert(
      fc.property(
        marks,
        fc.array(fc.double({ min: 0, max: model.trustedAbove, noNaN: true }), { maxLength: 300 }),
        (said, standings) => {
          const brigade = standings.map((standing, i) =>
            by(`brigade${i}`, { weight: reporterWeight(standing) }),
          );
          expect(behaviourScore([...said, ...brigade], now)).toBe(behaviourScore(said, now));
        },
      ),
    );
  });

  it('falls when many trusted players complain', () => {
    expect(behaviourWord(behaviourScore(crowd(3), now))).toBe('mixed');
    expect(behaviourWord(behaviourScore(crowd(12), now))).toBe('poor');
    const praised = [...crowd(12), ...crowd(12, { kind: 'friendly' })];
    expect(behaviourWord(behaviourScore(praised, now))).toBe('mixed');
  });

  it('treats reports dated in the future as new', () => {
    expect(behaviourScore([by('r', { at: now + 1e9 })], now)).toBe(behaviourScore([by('r')], now));
  });
});

describe('R18 the weight of a reporter', () => {
  it('rises with their own standing, from 0 to 1', () => {
    expect([0, 0.5, 0.75, 1].map((standing) => reporterWeight(standing))).toEqual([0, 0, 0.5, 1]);
    const standing = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(standing, standing, (a, b) => {
        expect(reporterWeight(Math.max(a, b))).toBeGreaterThanOrEqual(reporterWeight(Math.min(a, b)));
      }),
    );
  });
});
