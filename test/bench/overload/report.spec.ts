import { describe, expect, it } from 'vitest';
import { readAnswer, type Arrived } from './arrived.js';
import { aimsOf, isHeld, jsonOf, plotOf, rowOf, tableOf, type Outcome } from './report.js';
import { heldOf, nextTrial, type Trial } from './search.js';

const arrival = (player: number, over: Partial<Arrived> = {}): Arrived => ({
  player,
  atMs: 10 * player,
  lateMs: 1,
  answeredMs: 20,
  status: 201,
  problem: '',
  retryAfterSeconds: null,
  ticketId: `tkt_${player}`,
  ...over,
});
const refusal = { status: 503, problem: 'too-busy', retryAfterSeconds: 3, ticketId: '' };
const fate = (player: number) => ({
  player,
  formedMs: 10 * player + 200,
  placedMs: 10 * player + 300,
  ratedMs: 50,
});

function outcome(over: Partial<Outcome> = {}): Outcome {
  return {
    rate: 200,
    seconds: 1,
    beginMs: 0,
    first: 0,
    arrived: [arrival(0), arrival(1), arrival(2, refusal), arrival(3, { answeredMs: 2_000 })],
    later: [{ status: 200, tookMs: 7 }],
    fates: new Map([0, 1, 3].map((player) => [`tkt_${player}`, fate(player)])),
    lost: 0,
    unrated: 0,
    serversLost: 0,
    cpuSeconds: { queue: 0.5, redis: 0.25 },
    loadCpuSeconds: 0.1,
    ...over,
  };
}

describe('the figures of a load', () => {
  it('count what was served in time, what was refused, and what was neither', () => {
    const row = rowOf(outcome(), 100);
    expect(row).toMatchObject({
      times: 2,
      offered: 4,
      accepted: 3,
      // One was answered too late to count.
      goodput: 2,
      shed: 0.25,
      acceptedMsP50: 20,
      acceptedMsP99: 2_000,
      retryAfterP50: 3,
      errors: {},
      unacknowledged: 0,
      matchedMsP99: 200,
      formedToPlacedMsP99: 100,
      laterMsP99: 7,
      laterFailed: 0,
      cores: 0.75,
    });
  });

  it('name answers that are no refusal, and tickets that were created without an answer', () => {
    const gone = arrival(1, { status: 502, problem: 'service-unreachable', ticketId: '' });
    const constant = arrival(2, { ...refusal, retryAfterSeconds: null });
    const row = rowOf(outcome({ arrived: [arrival(0), gone, constant] }), 100);
    expect(row.errors).toEqual({ '502 service-unreachable': 1, '503 too-busy': 1 });
    expect(row.unacknowledged).toBe(2);
    expect(isHeld(row)).toBe(false);
  });

  it('are judged: the answer of the accepted, the goodput against that at once, and what is lost', () => {
    const once = rowOf(outcome({ rate: 100, arrived: [arrival(0), arrival(1), arrival(3)] }), 100);
    const four = rowOf(outcome({ rate: 400, lost: 1 }), 100);
    expect(isHeld(once)).toBe(true);
    const missed = aimsOf([once, four]).flatMap(([isMet, aim]) => (isMet ? [] : [aim]));
    expect(missed).toEqual([
      'at 4 times, accepted within 250 ms (p99)',
      'at 4 times, none lost',
      'at 4 times, at least 90 % of the goodput at once',
    ]);
    expect(JSON.parse(jsonOf([once, four], 100))).toMatchObject({
      held: 100,
      loads: [{ times: 1 }, { times: 4 }],
    });
    expect(tableOf([once, four])).toContain('| shed, %');
    expect(plotOf([once, four])).toContain('<svg');
  });
});

describe('an answer', () => {
  it('is read in the parts that count', () => {
    expect(readAnswer({ status: 201, text: '{"ticketId":"tkt_a","state":"waiting"}' })).toMatchObject({
      ticketId: 'tkt_a',
      problem: '',
    });
    const text = '{"retryAfterSeconds":12,"type":"urn:muster:problem:too-busy","status":503}';
    expect(readAnswer({ status: 503, text })).toMatchObject({ problem: 'too-busy', retryAfterSeconds: 12 });
    expect(readAnswer({ status: 0, text: 'socket hang up' })).toMatchObject({ problem: 'socket hang up' });
  });
});

describe('the search for the rate that is held', () => {
  it('doubles until one is not held, and goes between', () => {
    const limit = 230;
    const trials: Trial[] = [];
    for (let rate: number | null = 100; rate !== null; rate = nextTrial(trials))
      trials.push({ rate, holds: rate <= limit });
    expect(trials.map(({ rate }) => rate)).toEqual([100, 200, 400, 300, 250, 225]);
    expect(heldOf(trials)).toBe(225);
  });

  it('halves a first rate that is not held, and ends where nothing is', () => {
    expect(nextTrial([{ rate: 100, holds: false }])).toBe(50);
    expect(nextTrial([{ rate: 6, holds: false }])).toBeNull();
    expect(heldOf([{ rate: 6, holds: false }])).toBeNull();
  });
});
