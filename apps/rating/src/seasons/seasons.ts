import type { BeginSeason } from '@muster/contracts';
import {
  PoolInvalid,
  SeasonNotFound,
  type Clock,
  type LedgerStore,
  type RankedStanding,
  type RatingPool,
  type SeasonRules,
  type SeasonStore,
  type StoredSeason,
} from '@muster/domain';

/** Announces, begins and lists the seasons of pools. */
export class Seasons {
  constructor(
    private readonly store: SeasonStore,
    private readonly ledger: Pick<LedgerStore, 'pool'>,
    private readonly clock: Clock,
  ) {}

  /** The seasons of a pool, newest first. @throws UnknownPool */
  async list(name: string): Promise<StoredSeason[]> {
    await this.ledger.pool(name);
    return this.store.list(name);
  }

  /**
   * Begins the next season, or announces it for a later time. The number makes a repeat safe: a season that has begun is
   * returned as it is.
   *
   * @throws UnknownPool, PoolInvalid without season rules, SeasonConflict when it is not the next season
   */
  async begin(
    name: string,
    number: number,
    { name: title, startsAt, rules, reason }: BeginSeason,
    by: string,
  ): Promise<StoredSeason> {
    const pool = await this.ledger.pool(name);
    const now = this.clock.now();
    const season = {
      pool: name,
      number,
      name: title ?? `Season ${number}`,
      rules: seasonRulesOf(pool, rules),
      by,
      reason,
    };
    return startsAt !== undefined && startsAt > now
      ? this.store.announce(season, startsAt)
      : this.store.begin(season, now);
  }

  /** Withdraws an announcement. @throws UnknownPool, SeasonNotFound */
  async withdraw(name: string, number: number): Promise<void> {
    await this.ledger.pool(name);
    if (!(await this.store.withdraw(name, number)))
      throw new SeasonNotFound(
        `"${name}" has no announced season ${number}; GET /v1/pools/${name}/seasons lists its seasons.`,
        { pool: name },
      );
  }

  /** Final standings of an ended season: some players', or by rank. @throws UnknownPool, SeasonNotFound */
  async standings(
    name: string,
    number: number,
    { from, limit, players }: { from: number; limit: number; players?: readonly string[] | undefined },
  ): Promise<{ pool: RatingPool; season: StoredSeason; standings: RankedStanding[] }> {
    const pool = await this.ledger.pool(name);
    const season = await this.store.one(name, number);
    if (!season || season.endedAt === null)
      throw new SeasonNotFound(
        `Season ${number} of "${name}" ${season ? 'has not ended' : 'does not exist'}; GET /v1/pools/${name}/seasons lists its seasons.`,
        { pool: name },
      );
    const standings = players
      ? await this.store.standingsOf(name, number, players)
      : await this.store.ranked(name, number, from, limit);
    return { pool, season, standings };
  }
}

/** The given rules, or those of the pool. @throws PoolInvalid when there are none */
export function seasonRulesOf({ name, rules }: RatingPool, given: SeasonRules | undefined): SeasonRules {
  const found = given ?? rules.season;
  if (!found)
    throw new PoolInvalid(
      `"${name}" has no season rules: give "rules", or set them with POST /v1/pools/${name}/rules.`,
      { pool: name },
    );
  const { keep, uncertainty, placementMatches } = found;
  return { keep, uncertainty, placementMatches };
}
