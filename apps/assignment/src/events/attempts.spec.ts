import { describe, expect, it } from 'vitest';
import { Lane, settlementOf, triedForDaysMs, type Reply } from './attempts.js';

const replied = (status: number | null, retryAfterMs: number | null = null): Reply => ({
  status,
  error: status === null ? 'no answer: away' : null,
  retryAfterMs,
});
const [taken, failed] = [replied(204), replied(500)];

describe('settlementOf', () => {
  it.each([200, 204, 299])('takes %s as a receipt', (status) => {
    expect(settlementOf(replied(status), { attempts: 1, triedForMs: 0 }, 0)).toMatchObject({
      state: 'delivered',
      error: null,
    });
  });

  it.each([
    [null, 'no answer: away'],
    [302, 'the receiver answered 302'],
    [500, 'the receiver answered 500'],
  ])('tries again after %s', (status, error) => {
    expect(settlementOf(replied(status), { attempts: 1, triedForMs: 0 }, 0.5)).toEqual({
      state: 'due',
      afterMs: 1_000,
      status,
      error,
    });
  });

  it('doubles the pause up to an hour, spread by chance, and respects Retry-After', () => {
    const after = (attempts: number, random = 0.5, reply = failed): number =>
      settlementOf(reply, { attempts, triedForMs: 0 }, random).afterMs;
    expect([after(2), after(5), after(13), after(5_000)]).toEqual([2_000, 16_000, 3_600_000, 3_600_000]);
    expect([after(1, 0), after(1, 0.999)]).toEqual([750, 1_249.5]);
    expect(after(1, 0.5, replied(429, 60_000))).toBe(60_000);
    expect(after(1, 0.5, replied(503, 864_000_000))).toBe(3_600_000);
  });

  it('gives up after a day', () => {
    const state = (triedForMs: number): string => settlementOf(failed, { attempts: 40, triedForMs }, 0).state;
    expect([state(triedForDaysMs - 1), state(triedForDaysMs)]).toEqual(['due', 'dead']);
  });
});

describe('a lane', () => {
  it('has eight places, less those in use', () => {
    const lane = new Lane('');
    lane.open = 3;
    expect(lane.free(0)).toBe(5);
  });

  it('asks one at a time after three failures, at intervals of a quarter of the absence, and opens with a receipt', () => {
    const lane = new Lane('');
    for (const now of [0, 0]) expect(lane.note(failed, now)).toBeNull();
    expect(lane.free(0)).toBe(8);
    lane.note(failed, 0);
    expect([lane.free(49), lane.free(50)]).toEqual([0, 1]);
    lane.note(failed, 8_000);
    expect([lane.free(9_999), lane.free(10_000)]).toEqual([0, 1]);
    lane.note(failed, 3_600_000);
    expect([lane.free(3_629_999), lane.free(3_630_000)]).toEqual([0, 1]);
    expect(lane.note(taken, 3_630_000)).toBe(3_630_000);
    expect([lane.note(taken, 3_630_000), lane.free(3_630_000)]).toEqual([null, 8]);
  });

  it('of a receiver that fails for some events stays open for the others', () => {
    const lane = new Lane('');
    for (let now = 0; now < 60_000; now += 200) {
      for (const _ of [1, 2, 3, 4]) lane.note(failed, now);
      expect(lane.free(now + 50)).toBe(1);
      expect(lane.note(taken, now + 50)).toBeNull();
      expect(lane.free(now + 50)).toBe(8);
    }
  });

  it('is shut while the receiver asks for it, for an hour at most', () => {
    const lane = new Lane('');
    lane.note(replied(503, 5_000), 0);
    expect([lane.free(4_999), lane.free(5_000)]).toEqual([0, 8]);
    lane.note(replied(503, 864_000_000), 5_000);
    expect([lane.free(3_604_999), lane.free(3_605_000)]).toEqual([0, 8]);
  });
});
