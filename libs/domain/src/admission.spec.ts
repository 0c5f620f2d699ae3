import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  admissionRules,
  decideArrival,
  defaultDelayMs,
  noteAnswer,
  openAdmission,
  type AdmissionState,
} from './admission.js';

const rules = admissionRules(defaultDelayMs);

/** Calls that arrive and are answered every few milliseconds, all with one delay. */
function answering(
  state: AdmissionState,
  {
    from,
    until,
    everyMs,
    delayMs,
    inProgress = rules.least,
  }: { from: number; until: number; everyMs: number; delayMs: number; inProgress?: number },
): AdmissionState {
  let after = state;
  for (let now = from; now < until; now += everyMs)
    after = noteAnswer(arrive(after, inProgress, now).state, rules, { delayMs, inProgress, now });
  return after;
}

const arrive = (state: AdmissionState, inProgress: number, now: number, random = 0.5) =>
  decideArrival(state, rules, { inProgress, now, random });

describe('admission', () => {
  it('takes a burst while no queue stands', () => {
    const state = openAdmission(rules, 0);
    expect(arrive(state, rules.burst - 1, 0).admitted).toBe(true);
    expect(arrive(state, rules.burst, 0).admitted).toBe(false);
  });

  it('limits the calls in progress within a second of a standing queue, to what twice the target answers', () => {
    const state = answering(openAdmission(rules, 0), { from: 0, until: 1_000, everyMs: 4, delayMs: 90 });
    // 0.25 answers a millisecond.
    expect(state.limit).toBeLessThan(2 * rules.targetMs * 0.25);
    expect(arrive(state, 25, 1_000).admitted).toBe(false);
    expect(arrive(state, 5, 1_000).admitted).toBe(true);
  });

  it('keeps a limit that one fast answer of an interval contradicts: the queue drains', () => {
    const slow = answering(openAdmission(rules, 0), { from: 0, until: 99, everyMs: 4, delayMs: 200 });
    const { limit } = answering(noteAnswer(slow, rules, { delayMs: 10, inProgress: 9, now: 99 }), {
      from: 101,
      until: 105,
      everyMs: 4,
      delayMs: 200,
    });
    expect(limit).toBeGreaterThanOrEqual(rules.burst);
  });

  it('does not take for a queue what is slow with hardly any call in progress: fewer would not make it faster', () => {
    const few = { from: 0, until: 2_000, everyMs: 20, delayMs: 90, inProgress: rules.least - 1 };
    expect(answering(openAdmission(rules, 0), few).limit).toBe(rules.burst);
  });

  it('raises the limit again, call by call, once no queue stands', () => {
    const low = answering(openAdmission(rules, 0), { from: 0, until: 1_000, everyMs: 4, delayMs: 200 });
    const later = answering(low, { from: 1_000, until: 3_001, everyMs: 4, delayMs: 10 });
    expect(later.limit).toBeGreaterThan(low.limit + 15);
    expect(later.limit).toBeLessThan(low.limit + 25);
  });

  it('learns nothing from a time without answers', () => {
    const state = answering(openAdmission(rules, 0), { from: 0, until: 1_000, everyMs: 4, delayMs: 200 });
    const { state: judged } = arrive(state, 0, 1_001);
    const { state: later } = arrive(judged, 0, 60_000);
    expect(later).toMatchObject({ limit: judged.limit, perMs: judged.perMs });
  });

  it('has those who are refused return one after the other, at the rate that is held', () => {
    let state = answering(openAdmission(rules, 0), { from: 0, until: 2_000, everyMs: 5, delayMs: 200 });
    const waits: number[] = [];
    for (let i = 0; i < 400; i++) {
      const answer = arrive(state, 500, 2_000);
      if (answer.admitted) throw new Error('it is full');
      state = answer.state;
      waits.push(answer.waitMs);
    }
    // 200 a second.
    expect(waits[199]).toBeCloseTo(1_000, -2);
    expect(waits[399]).toBeCloseTo(2_000, -2);
  });

  it('never asks for more than the longest wait, and spreads what would be longer', () => {
    let state: AdmissionState = { ...openAdmission(rules, 0), perMs: 0.001 };
    const waits = new Set<number>();
    for (let i = 0; i < 100; i++) {
      const answer = arrive(state, 500, 0, i / 100);
      if (answer.admitted) throw new Error('it is full');
      state = answer.state;
      waits.add(answer.waitMs);
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(rules.longestWaitMs);
    expect(waits.size).toBeGreaterThan(60);
  });

  const event = fc.record({
    afterMs: fc.double({ min: 0, max: 2_000, noNaN: true }),
    delayMs: fc.double({ min: 0, max: 60_000, noNaN: true }),
    inProgress: fc.nat({ max: 2_000 }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    isAnswer: fc.boolean(),
  });

  it('holds its bounds whatever happens', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 300 }), (events) => {
        let state = openAdmission(rules, 0);
        let now = 0;
        for (const { afterMs, delayMs, inProgress, random, isAnswer } of events) {
          now += afterMs;
          if (isAnswer) state = noteAnswer(state, rules, { delayMs, inProgress, now });
          else {
            const answer = arrive(state, inProgress, now, random);
            state = answer.state;
            expect(answer.admitted).toBe(inProgress < state.limit);
            if (!answer.admitted) {
              expect(answer.waitMs).toBeGreaterThan(0);
              expect(answer.waitMs).toBeLessThanOrEqual(rules.longestWaitMs);
            }
          }
          expect(state.limit).toBeGreaterThanOrEqual(rules.least);
          expect(state.limit).toBeLessThanOrEqual(rules.most);
          expect(state.perMs).toBeGreaterThan(0);
          expect(Number.isFinite(state.perMs)).toBe(true);
        }
      }),
    );
  });

  it('admits whenever fewer than the least are in progress', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 200 }),
        fc.nat({ max: rules.least - 1 }),
        (events, inProgress) => {
          let state = openAdmission(rules, 0);
          let now = 0;
          for (const { afterMs, ...answer } of events)
            state = noteAnswer(state, rules, { ...answer, now: (now += afterMs) });
          expect(arrive(state, inProgress, now).admitted).toBe(true);
        },
      ),
    );
  });
});
