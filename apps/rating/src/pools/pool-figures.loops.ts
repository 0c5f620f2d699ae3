import type { RatingPool } from '@muster/domain';
import { Every, Metrics, type Samples } from '@muster/platform';
import { pairsOf, scorePredictions } from '@muster/skill';
import { Inject, Injectable } from '@nestjs/common';
import { setImmediate as otherWork } from 'node:timers/promises';
import { PostgresRatings } from '../core/ratings.store.js';
import { PostgresRatedMatches, type PredictedMatch } from './rated-matches.store.js';

/** How often the figures are computed, in milliseconds: they change by the hour. */
const everyMs = 60_000;
/** Matches that they are of, and pools that have them: the cost does not grow with the history. */
const latest = 2_000;
const mostPools = 50;
/** Matches scored without a pause: one of many teams is thousands of predictions. */
const scoredAtOnce = 20;

interface Scored {
  /** The newest match among them. */
  readonly newest: bigint;
  readonly logLoss: number;
  readonly matches: number;
}

/** Exports how well pools predict. */
@Injectable()
export class PoolFigures {
  private samples: Samples = {};
  /** By pool and generation. */
  private scored: ReadonlyMap<string, Scored> = new Map();

  constructor(
    @Inject(Metrics) metrics: Pick<Metrics, 'add'>,
    @Inject(PostgresRatings) private readonly ratings: Pick<PostgresRatings, 'pools'>,
    @Inject(PostgresRatedMatches)
    private readonly rated: Pick<PostgresRatedMatches, 'newest' | 'predictions'>,
  ) {
    metrics.add({ name: 'pools', asksStore: false, read: async () => this.samples });
  }

  @Every('pool figures', everyMs, { mayTakeLong: true })
  async compute(): Promise<void> {
    const pools = (await this.ratings.pools()).slice(0, mostPools);
    const scored = new Map<string, Scored>();
    const logLoss: { labels: { pool: string }; value: number }[] = [];
    const logLossMatches: typeof logLoss = [];
    for (const pool of pools) {
      const key = `${pool.name} ${pool.generation}`;
      const found = await this.score(pool, this.scored.get(key));
      if (!found) continue;
      scored.set(key, found);
      const labels = { pool: pool.name };
      logLossMatches.push({ labels, value: found.matches });
      logLoss.push({ labels, value: found.logLoss });
    }
    const calibrationScale = pools.map(({ name, calibration }) => ({
      labels: { pool: name },
      value: calibration.scale.mean,
    }));
    this.scored = scored;
    this.samples = { logLoss, logLossMatches, calibrationScale };
  }

  /** As before while no match has been rated since; null for a pool without one. */
  private async score(pool: RatingPool, before: Scored | undefined): Promise<Scored | null> {
    const newest = await this.rated.newest(pool);
    if (newest === null || newest === before?.newest) return before ?? null;
    const matches = await this.rated.predictions(pool, latest);
    return { newest, logLoss: await logLossOf(matches), matches: matches.length };
  }
}

/** The mean log-loss of the predictions of all pairs of teams. */
async function logLossOf(matches: readonly PredictedMatch[]): Promise<number> {
  let sum = 0;
  let predictions = 0;
  for (const [i, match] of matches.entries()) {
    const score = scorePredictions(pairsOf(match, match.chances));
    sum += score.logLoss * score.matches;
    predictions += score.matches;
    if (i % scoredAtOnce === scoredAtOnce - 1) await otherWork();
  }
  return predictions === 0 ? 0 : sum / predictions;
}
