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

/** Plain fields. */
export type Told = Readonly<Record<string, Json>>;

/** A call in progress, and whether its row is committed. */
class AuditedRun {
  isWritten = false;
  /** Work that a call leaves behind, such as a timer, is no part of it. */
  isOver = false;

  constructor(readonly call: AuditedCall) {}

  /**
   * Writes the row, with what the transaction changed. A call that changed something and then failed has two: the change, and how
   * the call ended.
   *
   * @param answer what a call that changed no table answered
   */
  async write(sql: Sql, outcome: string, answer: Told | null = null): Promise<void> {
    const { call, isWritten } = this;
    const request = isWritten ? `${call.request} end` : call.request;
    const told = answer && JSON.stringify([answer]);
    await sql.$executeRaw`
      INSERT INTO audit_entry (request, service, who, sign_in, key_id, role, call, targets, reason, asked, before, after, origin, outcome)
      SELECT ${request}, ${call.service}, ${call.who}, ${call.signIn}, ${call.keyId}, ${call.role}, ${call.call},
        ${[...call.targets]}::text[], ${call.reason}, ${JSON.stringify(call.asked)}::jsonb, nullif(noted -> 'before', '[]'),
        coalesce(${told}::jsonb, nullif(noted -> 'after', '[]')), ${call.origin}, ${outcome}
      FROM (SELECT nullif(current_setting('muster.changes', true), '')::jsonb AS noted) AS transaction
      ON CONFLICT DO NOTHING`;
  }
}

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
    // Triggers note what changes.
    await sql.$queryRaw`SELECT set_config('muster.changes', '{"before": [], "after": []}', true)`;
    return async () => {
      const run = pending();
      if (!run || (await changesOf(sql)) === before) return () => undefined;
      await run.write(sql, 'done');
      return () => void (run.isWritten = true);
    };
  },
};

/** Whether the next change belongs to an audited call: it has a transaction of its own, not one with changes of others. */
export const isAudited = (): boolean => pending() !== undefined;

/** Runs what an audited call causes and an operator did not ask for: it is no part of the row. */
export const apartFromCall = <T>(step: () => T): T => runs.exit(step);

/** Rows that this connection wrote and has not reported yet; what earlier transactions wrote may be among them. */
async function changesOf(sql: Sql): Promise<number> {
  const [row] = await sql.$queryRaw<{ changes: number }[]>`
    SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::float8 AS changes FROM pg_stat_xact_user_tables`;
  return row?.changes ?? 0;
}

/**
 * Runs an audited call. Its row is written in the first transaction of it that changes something; a statement outside a
 * transaction gets one. A call that changes no table, or fails, has its row afterwards.
 *
 * @param told reads the answer, which the row of a call that changes no table has
 * @param outcomeOf the code of an error; null for one that leaves no row
 * @param lost called with the row when it could not be written after the call
 */
export async function audited<T>(
  db: { readonly $sql: Sql },
  call: AuditedCall,
  run: () => Promise<T>,
  told: (answer: T) => Told,
  outcomeOf: (error: unknown) => string | null,
  lost: (row: object, error: unknown) => void,
): Promise<T> {
  const state = new AuditedRun(call);
  const end = async (outcome: string | null, answer: Told | null = null): Promise<void> => {
    state.isOver = true;
    if (outcome === null || (state.isWritten && outcome === 'done')) return;
    await state.write(db.$sql, outcome, answer).catch((error: unknown) => lost({ ...call, outcome }, error));
  };
  try {
    const result = await runs.run(state, run);
    await end('done', state.isWritten ? null : told(result));
    return result;
  } catch (error) {
    await end(outcomeOf(error));
    throw error;
  }
}
