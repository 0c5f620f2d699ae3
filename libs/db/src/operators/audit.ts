import type { Json } from '@muster/domain';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CommitHook, Sql } from '../sql.js';

/** A change that an operator asks for: a row of the audit log. */
export interface AuditedCall {
  /** The id of this one call; a repeated write of its row is a no-op. */
  readonly request: string;
  readonly service: string;
  readonly who: string;
  readonly signIn: string;
  readonly keyId: string | null;
  readonly role: string;
  readonly call: string;
  readonly targets: readonly string[];
  readonly reason: string | null;
  readonly asked: Readonly<Record<string, Json>>;
  readonly origin: string;
}

/** A call in progress, and whether its row is committed. */
class AuditedRun {
  before: Json = null;
  after: Json = null;
  isWritten = false;
  /** Work that a call leaves behind, such as a timer, is no part of it. */
  isOver = false;

  constructor(readonly call: AuditedCall) {}

  /** Writes the row. A call that changed something and then failed has two: the change, and how the call ended. */
  async write(sql: Sql, outcome: string): Promise<void> {
    const { call, before, after, isWritten } = this;
    const request = isWritten ? `${call.request} end` : call.request;
    await sql.$executeRaw`
      INSERT INTO audit_entry (request, service, who, sign_in, key_id, role, call, targets, reason, asked, before, after, origin, outcome)
      VALUES (${request}, ${call.service}, ${call.who}, ${call.signIn}, ${call.keyId}, ${call.role}, ${call.call},
        ${[...call.targets]}::text[], ${call.reason}, ${JSON.stringify(call.asked)}::jsonb, ${jsonOrNull(before)}::jsonb,
        ${jsonOrNull(after)}::jsonb, ${call.origin}, ${outcome})
      ON CONFLICT DO NOTHING`;
  }
}

const jsonOrNull = (value: Json): string | null => (value === null ? null : JSON.stringify(value));

const runs = new AsyncLocalStorage<AuditedRun>();

/** The audited call whose next commit carries its row, if there is one. */
function pending(): AuditedRun | undefined {
  const run = runs.getStore();
  return run && !run.isWritten && !run.isOver ? run : undefined;
}

/** Writes the row of an audited call in its first transaction that changes rows; one that only locks them changes nothing. */
export const auditHook: CommitHook = {
  isDue: () => pending() !== undefined,
  async begin(sql) {
    const before = await changesOf(sql);
    return async () => {
      const run = pending();
      if (!run || (await changesOf(sql)) === before) return () => undefined;
      await run.write(sql, 'done');
      return () => void (run.isWritten = true);
    };
  },
};

/** Rows that this connection wrote and has not reported yet; what earlier transactions wrote may be among them. */
async function changesOf(sql: Sql): Promise<number> {
  const [row] = await sql.$queryRaw<{ changes: number }[]>`
    SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::float8 AS changes FROM pg_stat_xact_user_tables`;
  return row?.changes ?? 0;
}

/** Notes what was in force before and after the change of an audited call, within its transaction. No-op for other calls. */
export function noteChange(before: Json, after: Json): void {
  const run = pending();
  if (!run) return;
  run.before = before;
  run.after = after;
}

/**
 * Runs an audited call. Its row is written in the first transaction of it that changes something; a statement outside a
 * transaction gets one. A call that changes no table, or fails, has its row afterwards.
 *
 * @param outcomeOf the code of an error; null for one that leaves no row
 * @param lost called with the row when it could not be written after the call
 */
export async function audited<T>(
  db: { readonly $sql: Sql },
  call: AuditedCall,
  run: () => Promise<T>,
  outcomeOf: (error: unknown) => string | null,
  lost: (row: object, error: unknown) => void,
): Promise<T> {
  const state = new AuditedRun(call);
  const end = async (outcome: string | null): Promise<void> => {
    state.isOver = true;
    if (outcome === null || (state.isWritten && outcome === 'done')) return;
    await state.write(db.$sql, outcome).catch((error: unknown) => lost({ ...call, outcome }, error));
  };
  try {
    const result = await runs.run(state, run);
    await end('done');
    return result;
  } catch (error) {
    await end(outcomeOf(error));
    throw error;
  }
}
