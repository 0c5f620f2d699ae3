import type { Clock, Ids, RatingPool, SeedingRules, SkillBelief } from '@muster/domain';
import { stateAt } from '../core/current.js';
import { opened } from '../core/open-pool.js';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { PostgresRatedMatches } from '../pools/rated-matches.store.js';
import type { FitThread } from './fit-thread.client.js';
import type { PostgresStatsFits, StatsFit } from './stats-fits.store.js';
import { rowsOf } from './stats-rows.js';

/** The latest matches with stats, and the most rows of players, that a fit is made from. */
const mostMatches = 5_000;
const mostRows = 50_000;
/** Events of the ledger that are read for them at most, with or without stats, and in one page. */
const mostEvents = 20_000;
const page = 100;
/** Another replica may take over a fit after this time. */
const leaseMs = 120_000;
/** A fit is made again after a share of all matches more, within these limits. */
const growth = 0.1;
const [leastMore, mostMore] = [20, 1_000];

/** Fits skill to the stats of each pool that seeds newcomers by them, again as its history grows. */
export class FitPools {
  /** The name of this replica. */
  private readonly holder: string;

  constructor(
    private readonly ratings: Pick<PostgresRatings, 'pools' | 'of'>,
    private readonly rated: Pick<PostgresRatedMatches, 'count'>,
    private readonly fits: PostgresStatsFits,
    private readonly thread: Pick<FitThread, 'fit'>,
    private readonly clock: Clock,
    ids: Pick<Ids, 'make'>,
  ) {
    this.holder = ids.make('fit');
  }

  /** Fits the pools that are due. @returns what this replica fitted */
  async *run(): AsyncGenerator<{ readonly pool: string; readonly fit: StatsFit }> {
    for (const pool of await this.ratings.pools()) {
      const fit = await this.fitIfDue(pool);
      if (fit) yield { pool: pool.name, fit };
    }
  }

  /** @returns null if the pool's rules do not ask for it, it is not due, or another replica fits it */
  private async fitIfDue(pool: RatingPool): Promise<StatsFit | null> {
    const { placement: rules } = pool.rules;
    if (!rules) return null;
    const [{ matches }, last] = await Promise.all([this.rated.count(pool), this.fits.fit(pool.name)]);
    if (!isDue(pool, rules, matches, last)) return null;
    if (!(await this.fits.claim(pool.name, this.holder, leaseMs, this.clock.now(), last))) return null;
    const { pages, statsMatches } = await this.rows(pool);
    const { leastR2, minMatches, window } = rules;
    const result = await this.thread.fit({ pages, demands: { leastR2, minMatches, window } });
    const record: StatsFit = {
      generation: pool.generation,
      rules,
      matches,
      statsMatches,
      fit: 'fit' in result ? JSON.parse(JSON.stringify(result.fit)) : null,
      refusal: 'fit' in result ? result.fit.flaw : result.refusal,
      fittedAt: this.clock.now(),
    };
    return (await this.fits.save(pool.name, this.holder, record)) ? record : null;
  }

  /** The stats of the latest matches, of players whose rating has converged, in pages of JSON. */
  private async rows(pool: RatingPool): Promise<{ pages: string[]; statsMatches: number }> {
    const known = new Map<string, SkillBelief | null>();
    const pages: string[] = [];
    let [statsMatches, rows, before]: [number, number, bigint | null] = [0, 0, null];
    for (let read = 0; read < mostEvents; read += page) {
      const found = await this.fits.matchesBefore(pool.name, before, page);
      const matches = found.matches.slice(0, mostMatches - statsMatches);
      await this.learn(
        pool,
        matches.flatMap(({ teams }) => teams.flat()),
        known,
      );
      const more = matches.flatMap((match) => rowsOf(match, known));
      if (more.length > 0) pages.push(JSON.stringify(more));
      statsMatches += matches.length;
      rows += more.length;
      before = found.next;
      if (before === null || statsMatches >= mostMatches || rows >= mostRows) break;
    }
    return { pages, statsMatches };
  }

  /** Reads the present ratings of players who are not known yet; null for one that has not converged. */
  private async learn(
    { name, seasons, rules }: RatingPool,
    playerIds: readonly string[],
    known: Map<string, SkillBelief | null>,
  ): Promise<void> {
    const unknown = [...new Set(playerIds)].filter((playerId) => !known.has(playerId));
    if (unknown.length === 0) return;
    const { pool, ratings } = await this.ratings.of(name, unknown);
    const open = opened(pool);
    const now = this.clock.now();
    for (const playerId of unknown) {
      const rating = ratings.get(playerId);
      const belief = rating && open.model.model.belief(stateAt(open, seasons, rating, now));
      const isSure = belief && belief.sigma <= rules.convergedBelow * open.start.sigma;
      known.set(playerId, isSure ? { mu: belief.mu, sigma: belief.sigma } : null);
    }
  }
}

function isDue(
  { generation }: RatingPool,
  rules: SeedingRules,
  matches: number,
  last: StatsFit | null,
): boolean {
  if (!last) return matches > 0;
  const isOther = last.generation !== generation || !sameRules(last.rules, rules);
  return isOther || matches - last.matches >= Math.min(mostMore, Math.max(leastMore, growth * last.matches));
}

export function sameRules(a: SeedingRules, b: SeedingRules): boolean {
  return a.leastR2 === b.leastR2 && a.minMatches === b.minMatches && a.window === b.window;
}
