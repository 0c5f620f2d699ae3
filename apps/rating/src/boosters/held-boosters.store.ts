import type { Sql } from '@muster/db';
import type { BoosterInUse, Boost, MatchEvent } from '@muster/domain';

/** A player of a match, with the booster that they play with. */
export interface BoostedEntry {
  readonly playerId: string;
  readonly booster?: Pick<BoosterInUse, 'boosterId'> | null;
}

interface LeftRow {
  id: string;
  kFactor: number;
  left: number;
}

/**
 * The boosters of the matches that a transaction rates. Their rows are locked, after those of ratings and in the order of their
 * ids, so a booster never counts for more matches than it has: whichever match is rated first has the last one. A revocation
 * waits, so no match counts with a booster after one was confirmed.
 */
export class HeldBoosters {
  private readonly used = new Map<string, number>();

  private constructor(
    private readonly tx: Sql,
    private readonly held: ReadonlyMap<string, LeftRow>,
  ) {}

  /** Reads and locks boosters that have matches left. Nearly all matches have none, and cost nothing here. */
  static async hold(tx: Sql, pool: string, players: readonly BoostedEntry[]): Promise<HeldBoosters> {
    const ids = [...new Set(players.flatMap(({ booster }) => (booster ? [booster.boosterId] : [])))];
    if (ids.length === 0) return new HeldBoosters(tx, new Map());
    const rows = await tx.$queryRaw<LeftRow[]>`
      SELECT id, k_factor AS "kFactor", matches - used AS left FROM booster
      WHERE id = ANY(ARRAY(SELECT unnest(${ids}::text[]))) AND pool = ${pool} AND revoked_at IS NULL AND used < matches
      ORDER BY id FOR UPDATE`;
    return new HeldBoosters(tx, new Map(rows.map((row) => [row.id, row])));
  }

  /** The event with the boosters that count in it: those of its players that are not revoked and have a match left. */
  boost(event: MatchEvent, players: readonly BoostedEntry[]): MatchEvent {
    const boosted = players.flatMap(({ playerId, booster }): [string, Boost][] => {
      const found =
        booster && event.teams.some((team) => team.includes(playerId))
          ? this.held.get(booster.boosterId)
          : undefined;
      return found && this.leftOf(found) > 0
        ? [[playerId, { boosterId: found.id, kFactor: found.kFactor }]]
        : [];
    });
    return boosted.length === 0 ? event : { ...event, boosted: Object.fromEntries(boosted) };
  }

  /** Counts a rated match for its boosters. */
  count({ boosted = {} }: MatchEvent): void {
    for (const { boosterId } of Object.values(boosted))
      this.used.set(boosterId, (this.used.get(boosterId) ?? 0) + 1);
  }

  async write(): Promise<void> {
    if (this.used.size === 0) return;
    const rows = [...this.used].map(([id, times]) => ({ id, times }));
    await this.tx.$executeRaw`
      UPDATE booster SET used = used + row.times
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(id text, times int)
      WHERE booster.id = row.id AND booster.id = ANY(${[...this.used.keys()]}::text[])`;
  }

  private leftOf({ id, left }: LeftRow): number {
    return left - (this.used.get(id) ?? 0);
  }
}

/** Gives back the matches of the boosters that a void match counted for, as its event in the ledger says. */
export async function giveBack(tx: Sql, pool: string, matchId: string): Promise<void> {
  await tx.$executeRaw`
    WITH held AS (
      SELECT id FROM booster WHERE id = ANY(ARRAY(
        SELECT boost.value->>'boosterId' FROM rating_event, jsonb_each(coalesce(detail->'boosted', '{}')) AS boost
        WHERE rating_event.pool = ${pool} AND kind = 'match' AND event_id = ${matchId}))
      ORDER BY id FOR UPDATE
    )
    UPDATE booster SET used = used - 1 FROM held WHERE booster.id = held.id`;
}
