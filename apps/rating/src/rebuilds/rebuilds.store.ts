import { ratingsChangedJob, readMessages, writeReason } from '@muster/contracts';
import { type Db, enqueueAfterCommit, type Sql, sqlPart, transact } from '@muster/db';
import {
  message,
  type Calibration,
  type PoolRules,
  type RatingPool,
  type Explanation,
  type StoredRating,
} from '@muster/domain';
import { takePool } from '../core/apply.store.js';
import { asEvent } from '../core/events.store.js';
import { readPoolVersion, unknownPool } from '../core/pool-rows.store.js';
import { addVersion } from '../pools/pools.store.js';
import type { Finished, FoldedEvent, LastStep, Rebuild, RebuildRequest, SequencedEvent } from './rebuild.js';
import { writeEvents, writeFolded, writeRatings } from './folded.store.js';

const columns = sqlPart`pool_rebuild.id AS "rebuildId", pool_rebuild.pool, state, pool_rebuild.generation, pool_rebuild.rules, refit,
  reason, reason_messages AS messages, done, total, skipped, error, (extract(epoch FROM started_at) * 1000)::float8 AS "startedAt",
  (extract(epoch FROM finished_at) * 1000)::float8 AS "finishedAt"`;

type RebuildRow = Omit<Rebuild, 'messages' | 'model'> & {
  messages: unknown;
  /** The model of the pool when the rebuild was requested; only of listed ones. */
  model?: string | null;
};

interface EventRow {
  sequence: bigint;
  kind: string;
  event_id: string;
  at: Date;
  detail: unknown;
  version: number | null;
}

/** Rates the last events, by queries of the step. Its result is written before the change. */
type LastFold = (
  events: readonly SequencedEvent[],
  step: LastStep,
) => Promise<{
  folded: readonly FoldedEvent[];
  ratings: ReadonlyMap<string, StoredRating>;
  /** The version to put in force with it; null keeps the present one. */
  version: number | null;
  skipped: number;
}>;

/** A rebuild's access to the database. Results keep arriving while it works; only the last step blocks them. */
export class PostgresRebuilds {
  constructor(
    private readonly db: Db,
    /** Is told that jobs wait in the outbox. */
    private readonly committed: () => void = () => undefined,
  ) {}

  /** @returns the running rebuild: this one, or null when another of the pool runs already */
  request(request: RebuildRequest, now: number): Promise<Rebuild | null> {
    const { rebuildId, pool, rules, refit, reason } = request;
    return transact(this.db, async (tx) => {
      // Locks the pool's row first, so that a change of rules and a rebuild exclude each other.
      const [held] = await tx.$queryRaw<{ running: boolean }[]>`
        SELECT EXISTS (SELECT FROM pool_rebuild WHERE pool = name AND state = 'running') AS running
        FROM rating_pool WHERE name = ${pool} FOR UPDATE`;
      if (!held) throw unknownPool(pool);
      if (held.running) return null;
      const [row] = await tx.$queryRaw<RebuildRow[]>`
        INSERT INTO pool_rebuild (id, pool, state, generation, rules, refit, reason, started_at)
        VALUES (${rebuildId}, ${pool}, 'running', 0, ${rules === null ? null : JSON.stringify(rules)}::jsonb, ${refit}, ${reason}, ${new Date(now)})
        RETURNING ${columns}`;
      return row ? asRebuild(row) : null;
    });
  }

  async rebuilds(pool: string, limit: number): Promise<Rebuild[]> {
    const rows = await this.db.$sql.$queryRaw<RebuildRow[]>`
      SELECT ${columns}, (
        SELECT version.rules->>'model' FROM pool_version AS version
        WHERE version.pool = pool_rebuild.pool AND created_at <= started_at ORDER BY version DESC LIMIT 1) AS model
      FROM pool_rebuild WHERE pool = ${pool} ORDER BY started_at DESC, id DESC LIMIT ${limit}`;
    return rows.map(asRebuild);
  }

  /** Claims a running rebuild that nobody holds, with a new generation, and deletes the rows of an earlier holder. */
  async claim(holder: string, leaseMs: number, now: number): Promise<Rebuild | null> {
    const [row] = await this.db.$sql.$queryRaw<RebuildRow[]>`
      WITH free AS (
        SELECT id, pool FROM pool_rebuild WHERE state = 'running' AND (lease_until IS NULL OR lease_until < ${new Date(now)})
        ORDER BY started_at LIMIT 1 FOR UPDATE SKIP LOCKED
      ), numbered AS (
        UPDATE rating_pool SET next_generation = next_generation + 1 FROM free WHERE name = free.pool
        RETURNING name, next_generation - 1 AS generation
      )
      UPDATE pool_rebuild SET holder = ${holder}, lease_until = ${new Date(now + leaseMs)}, generation = numbered.generation,
        done = 0, skipped = 0
      FROM free, numbered WHERE pool_rebuild.id = free.id AND numbered.name = free.pool
      RETURNING ${columns}`;
    if (!row) return null;
    await this.sweep(row.pool, row.generation);
    return asRebuild(row);
  }

  /**
   * Deletes rows of rebuilds that never took effect. Only rows older than the claim: a late sweep may run after the
   * next claim.
   */
  private async sweep(pool: string, before: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      DELETE FROM rating_change USING rating_pool WHERE pool = ${pool} AND name = pool AND rating_change.generation > rating_pool.generation AND rating_change.generation < ${before}`;
    await this.db.$sql.$executeRaw`
      DELETE FROM rated_match USING rating_pool WHERE pool = ${pool} AND name = pool AND rated_match.generation > rating_pool.generation AND rated_match.generation < ${before}`;
    await this.db.$sql.$executeRaw`
      DELETE FROM rating USING rating_pool WHERE pool = ${pool} AND name = pool AND rating.generation > rating_pool.generation AND rating.generation < ${before}`;
  }

  /** Extends the claim. @returns false when another holder has taken over */
  async renew(
    { rebuildId }: Rebuild,
    holder: string,
    { done, total, skipped }: { done: number; total: number; skipped: number },
    leaseMs: number,
    now: number,
  ): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      UPDATE pool_rebuild SET lease_until = ${new Date(now + leaseMs)}, done = ${done}, total = ${total}, skipped = ${skipped}
      WHERE id = ${rebuildId} AND holder = ${holder} AND state = 'running'`;
    return count === 1;
  }

  /** A sequence up to which every event is committed, and the number of events up to it. Waits for results in progress. */
  boundary(pool: string): Promise<{ sequence: number; events: number }> {
    return transact(this.db, async (tx) => {
      await takePool(tx, pool);
      const [row] = await tx.$queryRaw<{ sequence: bigint | null; events: number }[]>`
        SELECT max(sequence) AS sequence, count(*) FILTER (WHERE kind <> 'void')::int AS events FROM rating_event WHERE pool = ${pool}`;
      return { sequence: Number(row?.sequence ?? 0), events: row?.events ?? 0 };
    });
  }

  /** Ids of the matches that were voided. */
  voided(pool: string): Promise<Set<string>> {
    return readVoided(this.db.$sql, pool);
  }

  /**
   * Events in the order they took effect: after one sequence, up to another. Without their versions if the rebuild has
   * rules of its own.
   */
  events(rebuild: Rebuild, after: number, upTo: number, limit: number): Promise<SequencedEvent[]> {
    return readEvents(this.db.$sql, rebuild, after, upTo, limit);
  }

  /** Versions of the pool's rules and calibrations that have been in force. */
  version(pool: string, version: number): Promise<RatingPool> {
    return readPoolVersion(this.db.$sql, pool, version);
  }

  /** Stores rules and calibration under a new version, not in force yet. @returns its number */
  addVersion(pool: string, rules: PoolRules, calibration: Calibration, why: Explanation): Promise<number> {
    return transact(this.db, (tx) => addVersion(tx, pool, rules, calibration, why));
  }

  /**
   * Writes rated events of the new generation.
   *
   * @param after what it waits for; until then it only prepares. It throws the error of that
   */
  write(rebuild: Rebuild, folded: readonly FoldedEvent[], after?: Promise<void>): Promise<void> {
    return writeFolded(this.db.$sql, rebuild, folded, after);
  }
  writeRatings(rebuild: Rebuild, ratings: ReadonlyMap<string, StoredRating>): Promise<void> {
    return writeRatings(this.db.$sql, rebuild, ratings);
  }

  /**
   * With the pool's results blocked: folds the events since `after`, and puts the new generation in force.
   *
   * @param voided the voided matches that the rebuild left out; if another one was folded, it must start again
   */
  async finish(
    rebuild: Rebuild,
    holder: string,
    after: number,
    voided: ReadonlySet<string>,
    fold: LastFold,
    done: number,
    now: number,
  ): Promise<Finished> {
    const { pool, generation, rebuildId } = rebuild;
    const finished = await transact(this.db, async (tx): Promise<Finished> => {
      await takePool(tx, pool);
      const [held] = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM pool_rebuild WHERE id = ${rebuildId} AND holder = ${holder} AND state = 'running' FOR UPDATE`;
      if (!held) return 'lease-lost';
      const left = [...(await readVoided(tx, pool))].filter((matchId) => !voided.has(matchId));
      const last = await readEvents(tx, rebuild, after, Number.MAX_SAFE_INTEGER, 1_000_000);
      const fresh = new Set(last.map(({ event }) => event.eventId));
      if (left.some((matchId) => !fresh.has(matchId))) return 'again';
      const events = last.filter(({ event }) => !left.includes(event.eventId));
      const { folded, ratings, version, skipped } = await fold(events, {
        version: (of) => readPoolVersion(tx, pool, of),
        addVersion: (rules, calibration, why) => addVersion(tx, pool, rules, calibration, why),
        sequences: async (count) => {
          const rows = await tx.$queryRaw<{ sequence: bigint }[]>`
            SELECT nextval('ledger_sequence') AS sequence FROM generate_series(1, ${count}::int)`;
          return rows.map(({ sequence }) => Number(sequence));
        },
      });
      await writeEvents(
        tx,
        pool,
        folded.filter(({ isNew }) => isNew),
      );
      await writeFolded(tx, rebuild, folded);
      await writeRatings(tx, rebuild, ratings);
      await tx.$executeRaw`
        UPDATE rating_pool SET generation = ${generation}, version = coalesce(${version}::int, version) WHERE name = ${pool}`;
      await tx.$executeRaw`
        UPDATE pool_rebuild SET state = 'done', done = ${done + events.length}, total = ${done + events.length},
          skipped = ${skipped}, finished_at = ${new Date(now)}, lease_until = NULL
        WHERE id = ${rebuildId}`;
      await enqueueAfterCommit(tx, 'rating', [ratingsChangedJob(pool, null, rebuildId)]);
      return 'in-force';
    });
    this.committed();
    return finished;
  }

  /** Releases a rebuild, so that the next holder starts it again. */
  async release({ rebuildId }: Rebuild, holder: string): Promise<void> {
    await this.db.$sql.$executeRaw`
      UPDATE pool_rebuild SET lease_until = NULL, holder = NULL WHERE id = ${rebuildId} AND holder = ${holder} AND state = 'running'`;
  }

  fail({ rebuildId, pool, rules }: Rebuild, holder: string, error: string, now: number): Promise<void> {
    return transact(this.db, async (tx) => {
      await takePool(tx, pool);
      const failed = await tx.$executeRaw`
        UPDATE pool_rebuild SET state = 'failed', error = ${error}, finished_at = ${new Date(now)}, lease_until = NULL
        WHERE id = ${rebuildId} AND holder = ${holder} AND state = 'running'`;
      // A match voided meanwhile requested no rebuild of its own. An operator handles a failed rebuild without rules.
      if (failed === 0 || rules === null) return;
      await tx.$executeRaw`
        INSERT INTO pool_rebuild (id, pool, state, generation, refit, reason, reason_messages, started_at)
        SELECT ${`${rebuildId}-voids`}, ${pool}, 'running', 0, false, ${voids.reason}, ${JSON.stringify(voids.messages)}::jsonb, ${new Date(now)}
        WHERE EXISTS (
          SELECT FROM rating_event AS void JOIN rating_pool ON name = void.pool JOIN rating_change AS change
            ON change.pool = name AND change.generation = rating_pool.generation AND change.kind = 'match' AND change.event_id = void.event_id
          WHERE void.pool = ${pool} AND void.kind = 'void')`;
    });
  }
}

const voids = writeReason([message('rebuild.matches-void')]);

function asRebuild({ model, messages, ...rebuild }: RebuildRow): Rebuild {
  return {
    ...rebuild,
    ...(model ? { model } : {}),
    ...(messages ? { messages: readMessages(messages, rebuild.reason) } : {}),
  };
}

async function readVoided(db: Sql, pool: string): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ event_id: string }[]>`
    SELECT event_id FROM rating_event WHERE pool = ${pool} AND kind = 'void'`;
  return new Set(rows.map((row) => row.event_id));
}

async function readEvents(
  db: Sql,
  { pool, rules }: Pick<Rebuild, 'pool' | 'rules'>,
  after: number,
  upTo: number,
  limit: number,
): Promise<SequencedEvent[]> {
  const rows = await db.$queryRaw<EventRow[]>`
    SELECT event.sequence, event.kind, event.event_id, event.at, event.detail, change.version
    FROM (
      SELECT * FROM rating_event WHERE pool = ${pool} AND kind <> 'void' AND sequence > ${after} AND sequence <= ${upTo}
      ORDER BY sequence LIMIT ${limit}
    ) AS event
    JOIN rating_pool ON rating_pool.name = event.pool
    LEFT JOIN LATERAL (
      SELECT version FROM rating_change WHERE ${rules === null} AND pool = event.pool AND generation = rating_pool.generation
        AND kind = event.kind AND event_id = event.event_id LIMIT 1
    ) AS change ON true
    ORDER BY event.sequence`;
  return rows.map(({ sequence, kind, event_id, at, detail, version }) => ({
    sequence: Number(sequence),
    event: asEvent(kind, event_id, at, detail),
    version,
  }));
}
