import { percentile } from '../../support/percentile.js';
import type { Stack } from '../../support/stack.js';
import { LoadClient } from '../../load/client.js';
import { drawMatches } from './history.js';

/** The outcome of the reports of results. */
export interface HttpLoad {
  readonly resultsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Concurrent reports. */
  readonly concurrency: number;
  readonly seconds: number;
}

const players = 2_000;
const concurrency = 32;
const warmUpSeconds = 5;

/**
 * Reports results of five against five over HTTP, each after an earlier one was answered, and times the answers. An
 * answer means that the match is rated: ledger and ratings are committed.
 *
 * @param seconds the measured time, after a warm-up
 * @throws Error if a report is refused
 */
export async function measureHttp(stack: Stack, seconds: number): Promise<HttpLoad> {
  const client = new LoadClient(stack.url);
  const matches = drawMatches({ name: '5v5', teams: 2, size: 5 }, players, 50_000, 2);
  const startAt = performance.now() + 1_000 * warmUpSeconds;
  const endAt = startAt + 1_000 * seconds;
  const times: number[] = [];
  let next = 0;
  const reporter = async (): Promise<void> => {
    for (;;) {
      const begun = performance.now();
      if (begun >= endAt) return;
      const match = next++;
      const { teams = [], ranks = [] } = matches[match % matches.length] ?? {};
      const { status, text } = await client.post('/v1/results', stack.run.operatorKey, {
        eventId: `load-${match}`,
        pool: 'default',
        teams: teams.map((team) => team.map((player) => `load-${player}`)),
        ranks,
      });
      if (status !== 201) throw new Error(`a report was answered with ${status}: ${text}`);
      const ended = performance.now();
      if (ended >= startAt && ended < endAt) times.push(ended - begun);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, reporter));
  } finally {
    client.close();
  }
  return {
    resultsPerSecond: Math.round(times.length / seconds),
    p50Ms: tenths(percentile(times, 50)),
    p99Ms: tenths(percentile(times, 99)),
    concurrency,
    seconds,
  };
}

function tenths(ms: number): number {
  return Math.round(10 * ms) / 10;
}
