import { ratingsChangedJob, type BoosterView } from '@muster/contracts';
import { type Db, enqueueAfterCommit, type Sql, transact, sqlPart } from '@muster/db';

/** A booster of a player. */
export type Booster = Omit<BoosterView, 'matchesLeft'>;
export type NewBooster = Omit<Booster, 'used' | 'grantedAt' | 'revokedAt' | 'revoked'>;

export interface GrantResult {
  /** `again`: it was granted before, and is as it is. `has-one`: the player has an open one in this pool. */
  readonly outcome: 'granted' | 'again' | 'has-one';
  readonly booster: Booster;
}

const columns = sqlPart`id AS "boosterId", pool, player_id AS "playerId", division, matches, used, k_factor AS "kFactor", by, reason,
  (extract(epoch FROM granted_at) * 1000)::float8 AS "grantedAt", (extract(epoch FROM revoked_at) * 1000)::float8 AS "revokedAt",
  CASE WHEN revoked_by IS NOT NULL AND revoked_reason IS NOT NULL
    THEN json_build_object('by', revoked_by, 'reason', revoked_reason) END AS revoked`;

/** Boosters in Postgres. */
export class PostgresBoosters {
  constructor(
    private readonly db: Db,
    /** Is told that jobs wait in the outbox. */
    private readonly committed: () => void = () => undefined,
  ) {}

  /** Grants a booster to a player without an open one in the pool; once for its id. */
  grant(booster: NewBooster, now: number): Promise<GrantResult> {
    const { boosterId, pool, playerId, division, matches, kFactor, by, reason } = booster;
    return transact(this.db, async (tx): Promise<GrantResult> => {
      // Grants to one player take turns: each sees what the one before did.
      await tx.$executeRaw`
        SELECT pg_advisory_xact_lock(hashtextextended(${JSON.stringify(['booster', pool, playerId])}, 0))`;
      const before = await readOne(tx, pool, boosterId);
      if (before) return { outcome: 'again', booster: before };
      const open = await readOpen(tx, pool, playerId);
      if (open) return { outcome: 'has-one', booster: open };
      // Another player may have the same id; their grant waits, and then finds this one.
      await tx.$executeRaw`
        INSERT INTO booster (id, pool, player_id, division, matches, k_factor, by, reason, granted_at)
        VALUES (${boosterId}, ${pool}, ${playerId}, ${division}, ${matches}::int, ${kFactor}::float8, ${by}, ${reason}, ${new Date(now)})
        ON CONFLICT (id) DO NOTHING`;
      const granted = await readOne(tx, pool, boosterId);
      if (!granted) throw new Error('the booster was not written');
      return { outcome: granted.playerId === playerId ? 'granted' : 'again', booster: granted };
    });
  }

  one(pool: string, boosterId: string): Promise<Booster | null> {
    return readOne(this.db.$sql, pool, boosterId);
  }

  /** The oldest open booster of a player. */
  open(pool: string, playerId: string): Promise<Booster | null> {
    return readOpen(this.db.$sql, pool, playerId);
  }

  /** A player's boosters, newest first. */
  async ofPlayer(pool: string, playerId: string, limit: number): Promise<Booster[]> {
    return this.db.$sql.$queryRaw<Booster[]>`
      SELECT ${columns} FROM booster WHERE pool = ${pool} AND player_id = ${playerId}
      ORDER BY granted_at DESC, id LIMIT ${limit}::int`;
  }

  /** Ends a booster; one that is revoked stays as it is. @returns null when there is none */
  async revoke(
    pool: string,
    boosterId: string,
    by: string,
    reason: string,
    now: number,
  ): Promise<Booster | null> {
    const booster = await transact(this.db, async (tx) => {
      const [revoked] = await tx.$queryRaw<{ playerId: string }[]>`
        UPDATE booster SET revoked_at = ${new Date(now)}, revoked_by = ${by}, revoked_reason = ${reason}
        WHERE id = ${boosterId} AND pool = ${pool} AND revoked_at IS NULL RETURNING player_id AS "playerId"`;
      // A ticket that waits with it is matched by the rating from now on.
      if (revoked)
        await enqueueAfterCommit(tx, 'rating', [
          ratingsChangedJob(pool, [revoked.playerId], `booster-${boosterId}`),
        ]);
      return readOne(tx, pool, boosterId);
    });
    this.committed();
    return booster;
  }
}

async function readOne(sql: Sql, pool: string, boosterId: string): Promise<Booster | null> {
  const [row] = await sql.$queryRaw<Booster[]>`
    SELECT ${columns} FROM booster WHERE id = ${boosterId} AND pool = ${pool}`;
  return row ?? null;
}

/** By the index of a player's boosters: there are as many as were granted to this player. */
async function readOpen(sql: Sql, pool: string, playerId: string): Promise<Booster | null> {
  const [row] = await sql.$queryRaw<Booster[]>`
    SELECT ${columns} FROM booster WHERE pool = ${pool} AND player_id = ${playerId} AND used < matches AND revoked_at IS NULL
    ORDER BY granted_at, id LIMIT 1`;
  return row ?? null;
}
