import {
  penaltyKinds,
  type Penalty,
  type PenaltyKind,
  type PenaltyStore,
  type RecordedPenalty,
} from '@muster/domain';
import type { Db } from '@muster/db';

interface Row {
  id: string;
  player_id: string;
  kind: string;
  match_id: string;
  queue: string;
  at: Date;
  forgiven_at: Date | null;
}

/** Of more penalties than so many of one player only the newest are read. */
const mostRead = 100;

/** Penalties in Postgres. Its statements implement `decidePenalties`, `decideForgiveness` and `penaltyCounts`. */
export class PostgresPenaltyStore implements PenaltyStore {
  constructor(private readonly db: Db) {}

  async add(penalties: readonly Penalty[]): Promise<void> {
    if (penalties.length === 0) return;
    const rows = penalties.map(({ penaltyId, playerId, kind, matchId, queue, at }) => ({
      id: penaltyId,
      player_id: playerId,
      kind,
      match_id: matchId,
      queue,
      at: new Date(at),
    }));
    await this.db.$sql.$executeRaw`
      INSERT INTO penalty (id, player_id, kind, match_id, queue, at)
      SELECT id, player_id, kind, match_id, queue, at FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS row(id text, player_id text, kind text, match_id text, queue text, at timestamptz)
      ON CONFLICT DO NOTHING`;
  }

  async of(playerIds: readonly string[], since: number): Promise<ReadonlyMap<string, readonly Penalty[]>> {
    const rows = await this.db.$sql.$queryRaw<Row[]>`
      SELECT newest.* FROM unnest(${[...playerIds]}::text[]) AS asked (player_id) CROSS JOIN LATERAL (
        SELECT * FROM penalty
        WHERE player_id = asked.player_id AND at > ${new Date(since)} AND forgiven_at IS NULL
        ORDER BY at DESC LIMIT ${mostRead}
      ) AS newest`;
    const penalties = new Map<string, Penalty[]>();
    for (const row of rows) {
      const theirs = penalties.get(row.player_id) ?? [];
      theirs.push(penaltyOf(row));
      penalties.set(row.player_id, theirs);
    }
    return penalties;
  }

  async list(playerId: string, limit: number): Promise<RecordedPenalty[]> {
    const rows = await this.db.$sql.$queryRaw<Row[]>`
      SELECT * FROM penalty WHERE player_id = ${playerId} ORDER BY at DESC, id LIMIT ${limit}`;
    return rows.map((row) => ({ ...penaltyOf(row), forgivenAt: row.forgiven_at?.getTime() ?? null }));
  }

  async forgive(playerId: string, penaltyId: string, now: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      UPDATE penalty SET forgiven_at = coalesce(forgiven_at, ${new Date(now)})
      WHERE id = ${penaltyId} AND player_id = ${playerId}`;
    return count > 0;
  }
}

function penaltyOf({ id, player_id, kind, match_id, queue, at }: Row): Penalty {
  return {
    penaltyId: id,
    playerId: player_id,
    kind: kindOf(kind),
    matchId: match_id,
    queue,
    at: at.getTime(),
  };
}

function kindOf(text: string): PenaltyKind {
  const kind = penaltyKinds.find((each) => each === text);
  if (kind === undefined) throw new TypeError(`nobody is penalised for ${text}`);
  return kind;
}
