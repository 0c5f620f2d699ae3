import { describe, expect, it } from 'vitest';
import {
  admissionRules,
  decideArrival,
  defaultDelayMs,
  noteAnswer,
  openAdmission,
  type AdmissionRules,
} from './admission.js';
import { seededRandom } from './clock.js';

const rules = admissionRules(defaultDelayMs);
/** The same without a look at delays: what the limit was before. */
const blind = admissionRules(0);

interface World {
  readonly rules: AdmissionRules;
  /** Arrivals a second, at a time. */
  readonly offered: (ms: number) => number;
  /** What the server answers a second, at a time; 0 while it stands still. */
  readonly held: (ms: number) => number;
  readonly seconds: number;
  readonly doReturn?: boolean;
  readonly seed: number;
}

interface Seen {
  /** By answered call: when it arrived, and how long it took. */
  readonly answered: readonly { readonly at: number; readonly tookMs: number }[];
  readonly refused: number;
  readonly waits: readonly number[];
  /** Attempts of those who returned until they were taken. */
  readonly attempts: readonly number[];
}

/** The time an answer takes besides the queue. */
const travelMs = 10;

/** Calls at one server that works on them one after the other. */
function simulate({ rules: given, offered, held, seconds, doReturn = false, seed }: World): Seen {
  const random = seededRandom(seed);
  const exponential = (perSecond: number): number => (-Math.log(1 - random()) * 1_000) / perSecond;
  let state = openAdmission(given, 0);
  const answered: { at: number; tookMs: number }[] = [];
  const waits: number[] = [];
  const attempts: number[] = [];
  /** Times at which admitted calls end, and when they arrived. */
  const queue: { at: number; attempt: number }[] = [];
  const returning: { at: number; attempt: number }[] = [];
  let refused = 0;
  let now = 0;
  let arrivesAt = exponential(offered(0));
  let endsAt = Infinity;
  const serveNext = (): void => {
    if (queue.length === 0) return void (endsAt = Infinity);
    // A standstill is waited for.
    let from = now;
    while (held(from) === 0) from += 1;
    endsAt = from + exponential(held(from));
  };
  const arrive = (attempt: number): void => {
    const answer = decideArrival(state, given, { inProgress: queue.length, now, random: random() });
    state = answer.state;
    if (answer.admitted) {
      queue.push({ at: now, attempt });
      if (queue.length === 1) serveNext();
      return;
    }
    refused++;
    waits.push(answer.waitMs);
    if (!doReturn) return;
    returning.push({ at: now + answer.waitMs, attempt: attempt + 1 });
    returning.sort((a, b) => a.at - b.at);
  };
  for (;;) {
    const returnsAt = returning[0]?.at ?? Infinity;
    now = Math.min(arrivesAt, endsAt, returnsAt);
    if (now > seconds * 1_000) return { answered, refused, waits, attempts };
    if (now === endsAt) {
      const { at, attempt } = queue.shift() ?? { at: now, attempt: 1 };
      const tookMs = now - at + travelMs;
      answered.push({ at, tookMs });
      attempts.push(attempt);
      state = noteAnswer(state, given, { delayMs: tookMs, inProgress: queue.length + 1, now });
      serveNext();
    } else if (now === returnsAt) {
      const [first] = returning.splice(0, 1);
      arrive(first?.attempt ?? 1);
    } else {
      arrivesAt = now + exponential(offered(now));
      arrive(1);
    }
  }
}

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(0.99 * sorted.length) - 1] ?? NaN;
}

const tookOf = ({ answered }: Seen): number[] => answered.map(({ tookMs }) => tookMs);
const each = [1, 2, 3];

describe('a server that holds 200 calls a second', () => {
  const held = (): number => 200;
  const at = (times: number, seed: number, more: Partial<World> = {}): Seen =>
    simulate({ rules, offered: () => 200 * times, held, seconds: 60, seed, ...more });

  it.each([2, 4, 10])('answers within 250 ms and does as much at %d times the load', (times) => {
    for (const seed of each) {
      const seen = at(times, seed);
      expect(p99(tookOf(seen))).toBeLessThan(250);
      expect(seen.answered.length / 60).toBeGreaterThan(0.9 * 200);
    }
  });

  it('refuses next to nobody at half the load', () => {
    for (const seed of each) expect(at(0.5, seed).refused).toBe(0);
  });

  it('took seconds with a fixed limit of 500', () => {
    expect(p99(tookOf(at(2, 1, { rules: blind })))).toBeGreaterThan(2_000);
  });

  it('lets a crowd of a hundred pass at once, and for a moment nobody else', () => {
    const crowd = (ms: number): number => (ms > 10_000 && ms < 10_100 ? 1_000 : 60);
    for (const seed of each) {
      const { answered, refused } = at(1, seed, { offered: crowd });
      expect(answered.filter((one) => one.at > 10_000 && one.at < 10_100).length).toBeGreaterThan(75);
      expect(refused).toBeLessThan(40);
    }
  });

  it('stands still for half a second and then takes what comes', () => {
    const pausing = (ms: number): number => (ms > 20_000 && ms < 20_500 ? 0 : 200);
    for (const seed of each) {
      const { answered, refused } = at(0.5, seed, { held: pausing });
      expect(refused).toBeLessThan(60);
      expect(p99(answered.filter((one) => one.at > 25_000).map(({ tookMs }) => tookMs))).toBeLessThan(100);
    }
  });

  it('follows what it holds: half of it from one moment on', () => {
    const halved = (ms: number): number => (ms > 20_000 ? 100 : 200);
    for (const seed of each) {
      const { answered } = at(2, seed, { held: halved });
      const later = answered.filter((one) => one.at > 22_000);
      expect(p99(later.map(({ tookMs }) => tookMs))).toBeLessThan(350);
      expect(later.length / 38).toBeGreaterThan(90);
    }
  });

  it('takes those who return when they were told: a crowd of 1,000 is in within twice its time', () => {
    const crowd = (ms: number): number => (ms < 1_000 ? 1_200 : 20);
    for (const seed of each) {
      const { answered, attempts, waits } = at(1, seed, { offered: crowd, doReturn: true });
      const first = answered.filter((one) => one.at < 12_000);
      expect(first.length).toBeGreaterThan(1_200);
      const mean = attempts.reduce((sum, one) => sum + one, 0) / attempts.length;
      expect(mean).toBeLessThan(3);
      expect(Math.max(...waits)).toBeLessThan(15_000);
    }
  });
});
