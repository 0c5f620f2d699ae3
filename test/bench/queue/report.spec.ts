import { describe, expect, it } from 'vitest';
import type { Counts } from './counters.js';
import type { ArrivalOutcome, LoadResult } from './load.js';
import { kneesOf, rowOf } from './report.js';

const zero: Counts = { redisCommands: 0, scripts: 0, statements: 0, commits: 0, jobs: 0, grpcCalls: 0 };

/** Six players who arrive each second, of whom the last four are counted. */
function taken(over: Partial<LoadResult> = {}): LoadResult {
  const seen: ArrivalOutcome[] = Array.from({ length: 6 }, (_, n) => ({
    acceptedMs: 10,
    matchedMs: 500,
    matchId: `m${n >> 1}`,
  }));
  return {
    system: 'muster',
    load: {
      queue: '1v1',
      playersPerMatch: 2,
      rate: 1,
      seconds: 4,
      warmUpSeconds: 2,
      drainSeconds: 0,
      moments: [0, 1_000, 2_000, 3_000, 4_000, 5_000],
      skills: [0, 0, 0, 0, 0, 0],
    },
    seen,
    refusals: {},
    seatMs: [600],
    assignMs: [100],
    waiting: 0,
    cpuSeconds: { queue: 0.5, redis: 0.1 },
    idleCores: { queue: 0.025, redis: 0 },
    loadCpuSeconds: 1,
    counts: { before: zero, after: { ...zero, redisCommands: 30, jobs: 3 } },
    results: { reported: 3, rated: 3, ratedMsP99: 90 },
    ...over,
  };
}

describe('the row of a load', () => {
  it('divides the processor time of the counted seconds, less the idle share, by tickets and matches', () => {
    const row = rowOf(taken());
    expect(row).toMatchObject({ offered: 1, held: 1, lost: 0, reported: 3, rated: 3 });
    // 0.5 s less 4 s of 0.025 cores, and 0.1 s; four tickets and two matches.
    expect(row.cpuMsPerMatchBy).toEqual({ queue: 200, redis: 50 });
    expect([row.cpuMsPerTicket, row.cpuMsPerMatch]).toEqual([125, 250]);
    expect(row.perMatch).toEqual({ ...zero, redisCommands: 15, jobs: 1.5 });
  });

  it('counts as lost who was acknowledged and is neither matched nor queued', () => {
    const seen = taken().seen.map((each, n) => (n < 4 ? each : { ...each, matchedMs: null, matchId: null }));
    expect(rowOf(taken({ seen, waiting: 1 }))).toMatchObject({ unmatched: 2, lost: 1 });
  });

  it('names the highest rate at which every aim was met', () => {
    const slow = taken({ assignMs: [1_500] });
    const unrated = taken({ results: { reported: 3, rated: 2, ratedMsP99: 90 } });
    expect(kneesOf([taken(), slow, unrated].map(rowOf))).toEqual({ '1v1': 1 });
    expect(kneesOf([slow, unrated].map(rowOf))).toEqual({ '1v1': null });
  });
});
