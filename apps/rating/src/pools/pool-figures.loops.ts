import { poolHealth } from '@muster/skill';
import { Every, Metrics, type Samples } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { opened } from '../core/open-pool.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { PostgresRatedMatches } from './rated-matches.store.js';

/** How often the figures are computed, in milliseconds: they change by the hour. */
const everyMs = 60_000;
/** Matches that they are of, and pools that have them: the cost does not grow with the history. */
const latest = 2_000;
const mostPools = 50;

/** Exports how well pools predict. */
@Injectable()
export class PoolFigures {
  private samples: Samples = {};

  constructor(
    @Inject(Metrics) metrics: Metrics,
    @Inject(PostgresRatings) private readonly ratings: PostgresRatings,
    @Inject(PostgresRatedMatches) private readonly rated: PostgresRatedMatches,
  ) {
    metrics.add({ name: 'pools', asksStore: false, read: async () => this.samples });
  }

  @Every('pool figures', everyMs, { mayTakeLong: true })
  async compute(): Promise<void> {
    const pools = (await this.ratings.pools()).slice(0, mostPools);
    const logLoss: { labels: { pool: string }; value: number }[] = [];
    const logLossMatches: typeof logLoss = [];
    for (const pool of pools) {
      const { before, matches } = await this.rated.latest(pool, latest);
      if (matches.length === 0) continue;
      const { overall } = poolHealth(before, matches, 1, opened(pool).start.sigma);
      logLossMatches.push({ labels: { pool: pool.name }, value: matches.length });
      logLoss.push({ labels: { pool: pool.name }, value: overall.calibrated.logLoss });
    }
    const calibrationScale = pools.map(({ name, calibration }) => ({
      labels: { pool: name },
      value: calibration.scale.mean,
    }));
    this.samples = { logLoss, logLossMatches, calibrationScale };
  }
}
