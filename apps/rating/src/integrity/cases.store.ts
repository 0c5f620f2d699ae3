import { readWhy, type CaseView, type CloseCase, type PageOfCases } from '@muster/contracts';
import { type Db, type Sql, transact, joinParts, sqlPart, type SqlPart } from '@muster/db';
import type { Message } from '@muster/domain';

const columns = sqlPart`found.id AS "caseId", pool, kind, players, server, state, evidence, by_chance AS "byChance", matches,
  match_id AS "matchId", pro, contra, state = 'open' AND found.generation <> rating_pool.generation AS outdated,
  (extract(epoch FROM opened_at) * 1000)::float8 AS "openedAt", (extract(epoch FROM updated_at) * 1000)::float8 AS "updatedAt",
  raise = 'done' AS raised, verdict, note, closed_by AS "closedBy", (extract(epoch FROM closed_at) * 1000)::float8 AS "closedAt"`;

/** A signal that waits for an operator, or that one decided about. */
export interface IntegrityCase extends Omit<CaseView, 'pro' | 'contra'> {
  readonly pro: readonly Message[];
  readonly contra: readonly Message[];
}
/** What an operator decided. */
export interface CaseClosing extends Pick<CloseCase, 'verdict'> {
  readonly note: string | null;
  readonly by: string;
}

type CaseRow = Omit<IntegrityCase, 'pro' | 'contra'> & { pro: unknown; contra: unknown };

/** Cases of integrity. */
export class PostgresCases {
  constructor(private readonly db: Db) {}

  /** Cases, the latest first. */
  async list(query: PageOfCases): Promise<IntegrityCase[]> {
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
export function casesOf({ state, pool, kind, player, after, limit }: PageOfCases): SqlPart {
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

function asCase({ pro, contra, ...row }: CaseRow): IntegrityCase {
  return { ...row, pro: messagesOf(pro), contra: messagesOf(contra) };
}

/** Stored messages; as texts where a newer release wrote codes that are not known here. */
function messagesOf(stored: unknown): readonly Message[] {
  const texts = Array.isArray(stored)
    ? stored.map((each: unknown) => String(Reflect.get(Object(each), 'text')))
    : [];
  return readWhy(stored, texts);
}
