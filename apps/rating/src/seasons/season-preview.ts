import type { PreviewSeason, SeasonPreview } from '@muster/contracts';
import type { Clock, RatingPool, Season, StoredRating } from '@muster/domain';
import { standingAt } from '../core/current.js';
import { opened, type OpenPool } from '../core/open-pool.js';
import type { PostgresRatings } from '../core/ratings.store.js';
import { seasonRulesOf } from './new-season.js';
import type { PostgresSeasons } from './seasons.store.js';

type Distribution = SeasonPreview['before'];

/** A player before and after the start of a season. */
interface Standing {
  readonly mu: number;
  readonly sigma: number;
  /** Index in the divisions of the pool. */
  readonly division: number;
}

/** Ratings in one page of a preview. */
const pageSize = 5_000;

/** Collects the distribution of ratings, one by one. */
class Tally {
  private readonly means: number[] = [];
  private sigmas = 0;
  private readonly counts: number[];

  constructor(private readonly names: readonly string[]) {
    this.counts = names.map(() => 0);
  }

  add({ mu, sigma, division }: Standing): void {
    this.means.push(mu);
    this.sigmas += sigma;
    this.counts[division] = (this.counts[division] ?? 0) + 1;
  }

  result(): Distribution {
    const sorted = Float64Array.from(this.means).sort();
    const many = Math.max(1, sorted.length);
    const at = (share: number): number => sorted[Math.round(share * (many - 1))] ?? 0;
    return {
      mean: sorted.reduce((sum, mu) => sum + mu, 0) / many,
      meanUncertainty: this.sigmas / many,
      quantiles: { p5: at(0.05), p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95) },
      divisions: this.names.map((name, i) => ({ name, players: this.counts[i] ?? 0 })),
    };
  }
}

/**
 * What the next season would do to the ratings of a pool if it began now. It uses the function that then resets ratings, so it
 * equals what happens.
 */
export class SeasonPreviews {
  constructor(
    private readonly stored: Pick<PostgresRatings, 'page' | 'pool'>,
    private readonly seasons: Pick<PostgresSeasons, 'one'>,
    private readonly clock: Clock,
  ) {}

  /**
   * @param given in place of the rules that were announced, and without an announcement of those of the pool
   * @throws UnknownPool, PoolInvalid without season rules
   */
  async run(name: string, given: PreviewSeason['rules']): Promise<SeasonPreview> {
    const pool = await this.stored.pool(name);
    const number = (pool.seasons?.length ?? 0) + 1;
    const announced = await this.seasons.one(name, number);
    const rules = seasonRulesOf(pool, given ?? announced?.rules);
    const at = this.clock.now();
    const open = opened(pool);
    const names = open.divisions.map((division) => division.name);
    const last = { sequence: Number.MAX_SAFE_INTEGER, everyPart: true } as const;
    const next: Season = { ...rules, number, name: '', startedAt: at, ...last };
    const [before, after] = [new Tally(names), new Tally(names)];
    let players = 0;
    let higher = 0;
    let lower = 0;
    for await (const rating of this.ratings(pool)) {
      const was = placeOf(open, pool.seasons, rating, at);
      const becomes = placeOf(open, [...(pool.seasons ?? []), next], rating, at);
      before.add(was);
      after.add(becomes);
      players++;
      higher += Number(becomes.division > was.division);
      lower += Number(becomes.division < was.division);
    }
    return {
      pool: pool.name,
      number,
      rules: { ...rules },
      at,
      players,
      before: before.result(),
      after: after.result(),
      higher,
      lower,
    };
  }

  private async *ratings(pool: RatingPool): AsyncGenerator<StoredRating> {
    for (let after = ''; ;) {
      const page = await this.stored.page(pool, after, pageSize);
      // A row without a state belongs to a match that is being rated.
      yield* page.filter(({ state }) => state !== null);
      const last = page.at(-1);
      if (!last || page.length < pageSize) return;
      after = last.playerId;
    }
  }
}

function placeOf(
  open: OpenPool,
  seasons: readonly Season[] | undefined,
  rating: StoredRating,
  at: number,
): Standing {
  const { mu, sigma, division } = standingAt(open, seasons, rating, at);
  return { mu, sigma, division: open.divisions.findIndex(({ name }) => name === division) };
}
