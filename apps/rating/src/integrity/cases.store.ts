import { readWhy } from '@muster/contracts';
import { type Db, type Sql, transact, joinParts, sqlPart, type SqlPart } from '@muster/db';
import type { CaseClosing, CaseQuery, IntegrityCase, Message } from '@muster/domain';

interface CaseRow {
  id: string;
  pool: string;
  kind: IntegrityCase['kind'];
  subject: string;
  players: string[];
  server: string | null;
  state: 'open' | 'closed';
  evidence: number;
  by_chance: number;
  matches: number;
  match_id: string;
  pro: unknown;
  contra: unknown;
  outdated: boolean;
  opened_at: Date;
  updated_at: Date;
  raise: 'none' | 'due' | 'done';
  verdict: IntegrityCase['verdict'];
  note: string | null;
  closed_by: string | null;
  closed_at: Date | null;
}

const columns = sqlPart`found.id, pool, kind, subject, players, server, state, evidence, by_chance, matches, match_id, pro, contra,
  state = 'open' AND found.generation <> rating_pool.generation AS outdated, opened_at, updated_at, raise, verdict, note, closed_by, closed_at`;

/** Cases of integrity. */
export class PostgresCases {
  constructor(private readonly db: Db) {}

  /** Cases, the latest first. */
  async list(query: CaseQuery): Promise<IntegrityCase[]> {
    const rows = await this.db.$sql.$queryRaw<CaseRow[]>(casesOf(query));
    return rows.map(asCase);
  }

  one(caseId: string): Promise<IntegrityCase | null> {
    return readCase(this.db.$sql, caseId);
  }

  /**
   * Closes a case, and forgets the evidence against its subject: matches up to now count no more for this kind.
   *
   * @returns the case as it is afterwards, also when it was closed before; null when there is none
   */
  close(caseId: string, { verdict, note, by }: CaseClosing, now: number): Promise<IntegrityCase | null> {
    return transact(this.db, async (tx) => {
      const found = await readCase(tx, caseId);
      if (!found) return null;
      // Who follows the ledger holds the cursor: what it has counted is in the rows now.
      const [cursor] = await tx.$queryRaw<{ through: bigint }[]>`
        SELECT through FROM integrity_cursor WHERE pool = ${found.pool} FOR UPDATE`;
      const closed = await tx.$executeRaw`
        UPDATE integrity_case SET state = 'closed', verdict = ${verdict}, note = ${note}, closed_by = ${by}, closed_at = ${new Date(now)},
          closed_through = greatest(sequence, ${cursor?.through ?? 0n}::bigint), raise = CASE WHEN raise = 'due' THEN 'none' ELSE raise END
        WHERE id = ${caseId} AND state = 'open'`;
      if (closed > 0) await forgetEvidence(tx, found);
      return readCase(tx, caseId);
    });
  }
}

/** Cases, the latest first. Exported: a test asks how it is executed. */
export function casesOf({ state, pool, kind, player, after, limit }: CaseQuery): SqlPart {
  const conditions = [
    sqlPart`state = ${state}`,
    ...(pool === undefined ? [] : [sqlPart`pool = ${pool}`]),
    ...(kind === undefined ? [] : [sqlPart`kind = ${kind}`]),
    ...(player === undefined ? [] : [sqlPart`players @> ARRAY[${player}]::text[]`]),
    ...(after === undefined
      ? []
      : [sqlPart`(opened_at, found.id) < (SELECT opened_at, id FROM integrity_case WHERE id = ${after})`]),
  ];
  return sqlPart`
    SELECT ${columns} FROM integrity_case AS found JOIN rating_pool ON name = pool WHERE ${joinParts(conditions, ' AND ')}
    ORDER BY opened_at DESC, found.id DESC LIMIT ${limit}::int`;
}

async function readCase(db: Sql, caseId: string): Promise<IntegrityCase | null> {
  const [row] = await db.$queryRaw<CaseRow[]>(
    sqlPart`SELECT ${columns} FROM integrity_case AS found JOIN rating_pool ON name = pool WHERE found.id = ${caseId}`,
  );
  return row ? asCase(row) : null;
}

/** The evidence against the subject of a case starts anew. That from habits does not: the two are not asked about again. */
async function forgetEvidence(tx: Sql, { pool, kind, players, server }: IntegrityCase): Promise<void> {
  if (kind === 'alternate') return;
  const subjects = server === null ? players : [server];
  await tx.$executeRaw`
    DELETE FROM integrity_watch WHERE pool = ${pool} AND kind = ${server === null ? 'player' : 'server'}
      AND subject = ANY(${[...subjects]}::text[])`;
}

function asCase(row: CaseRow): IntegrityCase {
  const { id, pool, kind, players, server, state, evidence, matches, outdated, raise, verdict, note } = row;
  return {
    caseId: id,
    pool,
    kind,
    players,
    server,
    state,
    evidence,
    byChance: row.by_chance,
    matches,
    matchId: row.match_id,
    pro: messagesOf(row.pro),
    contra: messagesOf(row.contra),
    outdated,
    openedAt: row.opened_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    raised: raise === 'done',
    verdict,
    note,
    closedBy: row.closed_by,
    closedAt: row.closed_at?.getTime() ?? null,
  };
}

/** Stored messages; as texts where a newer release wrote codes that are not known here. */
function messagesOf(stored: unknown): readonly Message[] {
  const texts = Array.isArray(stored)
    ? stored.map((each: unknown) => String(Reflect.get(Object(each), 'text')))
    : [];
  return readWhy(stored, texts);
}
