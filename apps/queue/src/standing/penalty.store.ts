import {
  grouped,
  oneOf,
  penaltyKinds,
  type Lift,
  type Penalty,
  type PenaltyStore,
  type RecordedPenalty,
} from '@muster/domain';
import { readReason, writeReason } from '@muster/contracts';
import { transact, type Db } from '@muster/db';
import { batchedSince, ofAll } from './batched.store.js';

interface Row {
  id: string;
  player_id: string;
  kind: string;
  match_id: string;
  queue: string;
  at: Date;
  forgiven_at: Date | null;
  lifted_at: Date | null;
  lifted_why: string | null;
  lifted_messages: unknown;
}

/** Of more penalties than so many of one player only the newest are read. */
const mostRead = 100;

/** Penalties in Postgres. Its statements do what `MemoryPenaltyStore` does with objects. */
export class PostgresPenaltyStore implements PenaltyStore {
  private readonly loader = batchedSince((playerIds, since) => this.read(playerIds, since));

  constructor(private readonly db: Db) {}

  async add(penalties: readonly Penalty[]): Promise<void> {
    if (penalties.length === 0) return;
    const rows = rowsOf(penalties);
    await this.db.$sql.$executeRaw`
      INSERT INTO penalty (id, player_id, kind, match_id, queue, at)
      SELECT id, player_id, kind, match_id, queue, at FROM jsonb_to_recordset(${rows}::jsonb)
        AS row(id text, player_id text, kind text, match_id text, queue text, at timestamptz)
      ON CONFLICT DO NOTHING`;
    // A statement of its own, which sees what another caller has written meanwhile.
    await this.db.$sql.$executeRaw`
      UPDATE penalty SET at = row.at, queue = row.queue, forgiven_at = NULL, lifted_at = NULL, lifted_why = NULL, lifted_messages = NULL
      FROM jsonb_to_recordset(${rows}::jsonb) AS row(player_id text, kind text, match_id text, queue text, at timestamptz)
      WHERE penalty.match_id = row.match_id AND penalty.player_id = row.player_id AND penalty.kind = row.kind
        AND penalty.lifted_at < row.at`;
  }

  /** A lifted penalty has the time in `forgiven_at`, too: releases before this one read only that. */
  async lift(penalties: readonly Penalty[], { at, why }: Lift): Promise<void> {
    if (penalties.length === 0) return;
    const rows = rowsOf(penalties);
    const liftedAt = new Date(at);
    const { reason, messages } = writeReason(why);
    const asJson = messages ? JSON.stringify(messages) : null;
    // Two statements, of which the second sees what another caller has written, and nobody sees only the first.
    await transact(this.db, async (tx) => {
      await tx.$executeRaw`
      INSERT INTO penalty (id, player_id, kind, match_id, queue, at, forgiven_at, lifted_at, lifted_why, lifted_messages)
      SELECT id, player_id, kind, match_id, queue, at, ${liftedAt}, ${liftedAt}, ${reason}, ${asJson}::jsonb
      FROM jsonb_to_recordset(${rows}::jsonb)
        AS row(id text, player_id text, kind text, match_id text, queue text, at timestamptz)
      ON CONFLICT DO NOTHING`;
      await tx.$executeRaw`
      UPDATE penalty SET forgiven_at = ${liftedAt}, lifted_at = ${liftedAt}, lifted_why = ${reason}, lifted_messages = ${asJson}::jsonb
      FROM jsonb_to_recordset(${rows}::jsonb) AS row(player_id text, kind text, match_id text)
      WHERE penalty.match_id = row.match_id AND penalty.player_id = row.player_id AND penalty.kind = row.kind
        AND penalty.forgiven_at IS NULL AND penalty.at <= ${liftedAt}`;
    });
  }

  async impose(playerId: string, penaltyId: string): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      UPDATE penalty SET forgiven_at = CASE WHEN lifted_at IS NULL THEN forgiven_at END,
        lifted_at = NULL, lifted_why = NULL, lifted_messages = NULL
      WHERE id = ${penaltyId} AND player_id = ${playerId}`;
    return count > 0;
  }

  /** Those of all who queue in one turn are read in one statement. */
  of(playerIds: readonly string[], since: number): Promise<ReadonlyMap<string, readonly Penalty[]>> {
    return ofAll(playerIds, (playerId) => this.loader.load({ playerId, since }));
  }

  private async read(
    playerIds: readonly string[],
    since: number,
  ): Promise<ReadonlyMap<string, readonly Penalty[]>> {
    const rows = await this.db.$sql.$queryRaw<Row[]>`
      SELECT newest.* FROM unnest(${[...playerIds]}::text[]) AS asked (player_id) CROSS JOIN LATERAL (
        SELECT * FROM penalty
        WHERE player_id = asked.player_id AND at > ${new Date(since)} AND forgiven_at IS NULL
        ORDER BY at DESC LIMIT ${mostRead}
      ) AS newest`;
    return grouped(rows.map(penaltyOf), ({ playerId }) => playerId);
  }

  async list(playerId: string, limit: number): Promise<RecordedPenalty[]> {
    const rows = await this.db.$sql.$queryRaw<Row[]>`
      SELECT * FROM penalty WHERE player_id = ${playerId} ORDER BY at DESC, id LIMIT ${limit}`;
    return rows.map(recordedOf);
  }

  async forgive(playerId: string, penaltyId: string, now: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      UPDATE penalty SET forgiven_at = CASE WHEN lifted_at IS NULL THEN coalesce(forgiven_at, ${new Date(now)}) ELSE ${new Date(now)} END,
        lifted_at = NULL, lifted_why = NULL, lifted_messages = NULL
      WHERE id = ${penaltyId} AND player_id = ${playerId}`;
    return count > 0;
  }
}

/** One row for each offence: the first. */
function rowsOf(penalties: readonly Penalty[]): string {
  const firsts = new Map<string, object>();
  for (const { penaltyId, playerId, kind, matchId, queue, at } of penalties) {
    const offence = JSON.stringify([matchId, playerId, kind]);
    if (firsts.has(offence)) continue;
    firsts.set(offence, {
      id: penaltyId,
      player_id: playerId,
      kind,
      match_id: matchId,
      queue,
      at: new Date(at),
    });
  }
  return JSON.stringify([...firsts.values()]);
}

function recordedOf(row: Row): RecordedPenalty {
  const penalty = penaltyOf(row);
  const { forgiven_at, lifted_at, lifted_why, lifted_messages } = row;
  if (!lifted_at) return { ...penalty, forgivenAt: forgiven_at?.getTime() ?? null };
  const why = readReason({ reason: lifted_why ?? '', messages: lifted_messages ?? undefined });
  return { ...penalty, forgivenAt: null, lifted: { at: lifted_at.getTime(), why } };
}

function penaltyOf({ id, player_id, kind, match_id, queue, at }: Row): Penalty {
  return {
    penaltyId: id,
    playerId: player_id,
    kind: oneOf(penaltyKinds, kind),
    matchId: match_id,
    queue,
    at: at.getTime(),
  };
}
