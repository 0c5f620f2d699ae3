import { sqlPart, type Db, type SqlPart } from '@muster/db';
import type { Json, Played, SeedingRules } from '@muster/domain';
import type { StatsMatch } from './stats-rows.js';

/** The last fit of a pool. */
export interface StatsFit {
  /** The generation of the ratings that it was fitted to; that of another one has other ratings. */
  readonly generation: number;
  readonly rules: SeedingRules;
  /** Rated matches of the pool at that time. */
  readonly matches: number;
  /** Those that it was made from, the latest with stats. */
  readonly statsMatches: number;
  /** In the form of libs/skill; null where none could be made. */
  readonly fit: Json | null;
  /** Why newcomers are not seeded by it, in words; null: they are. */
  readonly refusal: string | null;
  /** In milliseconds since the epoch. */
  readonly fittedAt: number;
}

interface FitRow {
  generation: number | null;
  rules: unknown;
  matches: bigint | null;
  stats_matches: number | null;
  fit: Json | null;
  refusal: string | null;
  fitted_at: Date | null;
}

interface MatchRow {
  sequence: bigint;
  kind: string;
  event_id: string;
  teams: string[][];
  ranks: number[];
  facts: unknown;
  stats: unknown;
  void: boolean;
}

/** Fits in Postgres, and the ledger's matches with stats. */
export class PostgresStatsFits {
  constructor(private readonly db: Db) {}

  /** The last fit of a pool. Null: none was made yet. */
  async fit(pool: string): Promise<StatsFit | null> {
    const [row] = await this.db.$sql.$queryRaw<FitRow[]>`
      SELECT generation, rules, matches, stats_matches, fit, refusal, fitted_at FROM placement_fit WHERE pool = ${pool}`;
    // A row of a first fit that is being made has no time yet.
    if (!row?.fitted_at || row.generation === null) return null;
    return {
      generation: row.generation,
      // Only this file writes the column, from a value of this type.
      rules: row.rules as SeedingRules,
      matches: Number(row.matches ?? 0),
      statsMatches: row.stats_matches ?? 0,
      fit: row.fit,
      refusal: row.refusal,
      fittedAt: row.fitted_at.getTime(),
    };
  }

  /**
   * Claims the fit of a pool, for one replica at a time.
   *
   * @param last the fit that is to be replaced
   * @returns false if another replica has the claim, or has made a fit since
   */
  async claim(
    pool: string,
    holder: string,
    leaseMs: number,
    now: number,
    last: StatsFit | null,
  ): Promise<boolean> {
    const until = new Date(now + leaseMs);
    const fittedAt = last && new Date(last.fittedAt);
    const count = await this.db.$sql.$executeRaw`
      INSERT INTO placement_fit AS fit (pool, holder, lease_until) VALUES (${pool}, ${holder}, ${until})
      ON CONFLICT (pool) DO UPDATE SET holder = EXCLUDED.holder, lease_until = EXCLUDED.lease_until
      WHERE (fit.lease_until IS NULL OR fit.lease_until < ${new Date(now)})
        AND fit.fitted_at IS NOT DISTINCT FROM ${fittedAt}::timestamptz`;
    return count === 1;
  }

  /** Stores a fit and ends the claim. @returns false if the claim was lost */
  async save(pool: string, holder: string, record: StatsFit): Promise<boolean> {
    const { generation, rules, matches, statsMatches, fit, refusal, fittedAt } = record;
    const count = await this.db.$sql.$executeRaw`
      UPDATE placement_fit SET generation = ${generation}, rules = ${JSON.stringify(rules)}::jsonb, matches = ${matches}::bigint,
        stats_matches = ${statsMatches}, fit = ${fit === null ? null : JSON.stringify(fit)}::jsonb, refusal = ${refusal},
        fitted_at = ${new Date(fittedAt)}, holder = NULL, lease_until = NULL
      WHERE pool = ${pool} AND holder = ${holder}`;
    return count === 1;
  }

  /**
   * A page of a pool's ledger before a sequence, latest first.
   *
   * @param before null for the latest
   * @returns its matches with facts or stats that are not void, and where the next page begins; null after the last
   */
  async matchesBefore(
    pool: string,
    before: bigint | null,
    limit: number,
  ): Promise<{ matches: StatsMatch[]; next: bigint | null }> {
    const rows = await this.db.$sql.$queryRaw<MatchRow[]>`
      WITH page AS MATERIALIZED (
        SELECT sequence, kind, event_id, detail FROM rating_event
        WHERE pool = ${pool} AND sequence < ${before ?? lastSequence}::bigint ORDER BY sequence DESC LIMIT ${limit}::int
      )
      SELECT sequence, kind, event_id, ${statsOf(pool)} FROM page ORDER BY sequence DESC`;
    const last = rows.length < limit ? null : (rows.at(-1)?.sequence ?? null);
    return { matches: rows.flatMap(statsMatch), next: last };
  }

  /** The same of a player's latest matches. */
  async matchesOf(pool: string, generation: number, playerId: string, limit: number): Promise<StatsMatch[]> {
    const rows = await this.db.$sql.$queryRaw<MatchRow[]>`
      WITH page AS MATERIALIZED (
        SELECT sequence, kind, event_id FROM rating_change
        WHERE pool = ${pool} AND generation = ${generation}::int AND player_id = ${playerId}
        ORDER BY sequence DESC LIMIT ${limit}::int
      )
      SELECT page.sequence, page.kind, page.event_id, ${statsOf(pool)}
      FROM page JOIN rating_event AS event
        ON event.pool = ${pool} AND event.kind = page.kind AND event.event_id = page.event_id
      ORDER BY page.sequence DESC`;
    return rows.flatMap(statsMatch);
  }

  /** Whether the rules in force of any queue calibrate newcomers of the pool. */
  async isCalibrated(pool: string): Promise<boolean> {
    const [row] = await this.db.$sql.$queryRaw<{ calibrated: boolean }[]>`
      SELECT EXISTS (
        SELECT 1 FROM queue_rules AS newest
        WHERE rules->>'pool' = ${pool} AND coalesce((rules->>'calibrationMatches')::int, 0) > 0
          AND NOT EXISTS (SELECT 1 FROM queue_rules AS later WHERE later.queue = newest.queue AND later.version > newest.version)
      ) AS calibrated`;
    return row?.calibrated ?? false;
  }
}

/** Of an event of `page`. */
const statsOf = (pool: string): SqlPart => sqlPart`
  detail->'teams' AS teams, detail->'ranks' AS ranks, detail->'played'->'facts' AS facts, detail->'played'->'stats' AS stats, EXISTS (
    SELECT 1 FROM rating_event AS later WHERE later.pool = ${pool} AND later.kind = 'void' AND later.event_id = page.event_id) AS void`;

/** Above every sequence. */
const lastSequence = 9_223_372_036_854_775_807n;

function statsMatch(row: MatchRow): StatsMatch[] {
  const { sequence, kind, event_id: matchId, teams, ranks } = row;
  if (kind !== 'match' || row.void || (row.facts === null && row.stats === null)) return [];
  // `ownPartOf` writes values of these types.
  const facts = (row.facts ?? undefined) as Played['facts'];
  const stats = (row.stats ?? undefined) as Played['stats'];
  return [{ sequence, matchId, teams, ranks, facts, stats }];
}
