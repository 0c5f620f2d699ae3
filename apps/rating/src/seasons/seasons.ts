import type { BeginSeason } from '@muster/contracts';
import { SeasonNotFound, StandingsUnavailable, type Clock, type RankedStanding } from '@muster/domain';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { StoredSeason } from './new-season.js';
import type { PostgresSeasons } from './seasons.store.js';

/** Announces, begins and lists the seasons of pools. */
export class Seasons {
  constructor(
    private readonly store: PostgresSeasons,
    private readonly ratings: Pick<PostgresRatings, 'pool'>,
    private readonly clock: Clock,
  ) {}

  /** The seasons of a pool, newest first. @throws UnknownPool */
  async list(name: string): Promise<StoredSeason[]> {
    await this.ratings.pool(name);
    return this.store.list(name);
  }

  /**
   * Begins the next season, or announces it for a later time. The number makes a repeat safe: a season that has begun is
   * returned as it is.
   *
   * @throws UnknownPool, PoolInvalid without season rules, SeasonConflict when it is not the next season or has begun with other
   *   content, TimePast when `startsAt` is long past and was not announced
   */
  async begin(pool: string, number: number, body: BeginSeason, by: string): Promise<StoredSeason> {
    await this.ratings.pool(pool);
    const now = this.clock.now();
    const given = { ...body, pool, number, by };
    return body.startsAt !== undefined && body.startsAt > now
      ? this.store.announce(given, body.startsAt)
      : this.store.begin(given, now);
  }

  /** Withdraws an announcement. @throws UnknownPool, SeasonNotFound */
  async withdraw(name: string, number: number): Promise<void> {
    await this.ratings.pool(name);
    if (!(await this.store.withdraw(name, number)))
      throw new SeasonNotFound(
        `"${name}" has no announced season ${number}; GET /v1/pools/${name}/seasons lists its seasons.`,
        { pool: name, season: number },
      );
  }

  /**
   * Final standings of an ended season: some players', or by rank.
   *
   * @throws UnknownPool, SeasonNotFound, StandingsUnavailable while they are being archived
   */
  async standings(
    name: string,
    number: number,
    { from, limit, players }: { from: number; limit: number; players?: readonly string[] | undefined },
  ): Promise<{ season: StoredSeason; standings: RankedStanding[] }> {
    await this.ratings.pool(name);
    const season = await this.store.one(name, number);
    if (!season || season.endedAt === null)
      throw new SeasonNotFound(
        `Season ${number} of "${name}" ${season ? 'has not ended' : 'does not exist'}; GET /v1/pools/${name}/seasons lists its seasons.`,
        { pool: name, season: number },
      );
    // Some are not read or ranked yet: an answer would pass for the whole.
    if (season.archivedAt === null)
      throw new StandingsUnavailable(
        `The final standings of season ${number} of "${name}" are being archived; ask again in a moment.`,
        { pool: name, season: number },
      );
    const standings = players
      ? await this.store.standingsOf(name, number, players)
      : await this.store.ranked(name, number, from, limit);
    return { season, standings };
  }
}
