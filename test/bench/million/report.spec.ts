import { describe, expect, it } from 'vitest';
import type { Counts } from '../queue/counters.js';
import { flawsOf, jsonOf, kneeOf, kneeText, nextRate, rowOf, tablesOf, type Outcome } from './report.js';

const zero: Counts = { redisCommands: 0, scripts: 0, statements: 0, commits: 0, jobs: 0, grpcCalls: 0 };

function taken(over: Partial<Outcome> = {}): Outcome {
  return {
    players: 1_000,
    servers: 10,
    seconds: 10,
    offered: 1_000,
    held: 990,
    joinMs: [10, 20, 30],
    matchMs: [500],
    seatMs: [],
    matches: 100,
    unmatched: 3,
    lost: 0,
    refusals: { '503 busy': 2 },
    resultsOffered: 100,
    resultsHeld: 99,
    reported: 120,
    rated: 120,
    ratedMsP99: 90,
    heldTickets: 0,
    heartbeats: 40,
    serversLost: 0,
    sessionsLost: 0,
    cpuSeconds: { queue: 5, redis: 2.5 },
    quietCores: 0.1,
    loadCores: 0.2,
    memoryMb: { queue: 100 },
    redisMb: 10,
    databaseGb: 0.5,
    startSeconds: 3,
    counts: { before: zero, after: { ...zero, jobs: 150 } },
    costly: [{ what: 'SELECT 1', calls: 4, totalMs: 2 }],
    ...over,
  };
}

const plain = (_: boolean, text: string): string => text;

describe('the figures of a run', () => {
  it('divides what was counted by the counted seconds and by matches', () => {
    expect(rowOf(taken())).toMatchObject({
      ticketsOffered: 100,
      ticketsPerSecond: 99,
      resultsPerSecond: 9.9,
      heartbeatsPerSecond: 4,
      cores: 0.75,
      coresBy: { queue: 0.5, redis: 0.25 },
      joinMsP99: 30,
      seatMsP99: null,
      refused: 2,
      perMatch: { jobs: 1.5 },
      holds: true,
    });
  });

  it('shows every figure and the verdict', () => {
    const text = tablesOf(taken({ lost: 2 }), plain);
    expect(text).toContain('| results reported, rated');
    expect(text).toContain('no: 2 tickets are lost');
    expect(text).toContain('SELECT 1');
  });

  it('ends with one line of JSON that names the knee', () => {
    const line = jsonOf(taken(), [{ rate: 100, holds: true }]);
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toMatchObject({ players: 1_000, lost: 0, rated: 120, holds: true, knee: 100 });
  });
});

describe('a rate holds', () => {
  it.each<[string, Partial<Outcome>]>([
    ['too few tickets are taken', { held: 978 }],
    ['too few results are taken', { resultsHeld: 96 }],
    ['a ticket is lost', { lost: 1 }],
    ['a reported result is not rated', { rated: 119 }],
    ['a ticket of a rated match holds its players', { heldTickets: 1 }],
    ['a server is judged lost', { serversLost: 1 }],
    ['a live session is ended', { sessionsLost: 1 }],
  ])('not if %s', (_, over) => {
    expect(flawsOf(taken(over))).toHaveLength(1);
  });

  it('whatever the latency of a join, which is an aim of its own', () => {
    const slow = taken({ joinMs: [900] });
    expect(flawsOf(slow)).toEqual([]);
    expect(tablesOf(slow, plain)).toMatch(/join p99 < 50 ms +\| missed/);
  });
});

describe('the search for the knee', () => {
  it('ends if the first rate holds', () => {
    expect(nextRate([{ rate: 800, holds: true }])).toBeNull();
  });

  it('halves, then bisects between what held and what did not', () => {
    const missed = { rate: 800, holds: false };
    expect(nextRate([missed])).toBe(400);
    expect(nextRate([missed, { rate: 400, holds: false }])).toBe(200);
    expect(nextRate([missed, { rate: 400, holds: true }])).toBe(600);
    expect(nextRate([missed, { rate: 400, holds: true }, { rate: 600, holds: false }])).toBe(500);
  });

  it('ends when the two are close', () => {
    expect(
      nextRate([
        { rate: 800, holds: false },
        { rate: 770, holds: true },
      ]),
    ).toBeNull();
  });

  it('names the highest rate that held, and says if the asked one does not', () => {
    const tried = [
      { rate: 800, holds: false },
      { rate: 400, holds: true },
      { rate: 600, holds: false },
    ];
    expect(kneeOf(tried)).toBe(400);
    expect(kneeText(tried, 800)).toBe('800 tickets/s do not hold on this machine; 400 do.');
    expect(kneeText(tried.slice(0, 1), 800)).toContain('--find-knee');
    expect(kneeOf(tried.slice(0, 1))).toBeNull();
  });
});
