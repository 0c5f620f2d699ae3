import { operatorRoles, signInKinds, type AuditEntry, type AuditPage } from '@muster/contracts';
import { oneOf } from '@muster/domain';
import type { AuditQuery, AuditRow, PostgresAudit } from './audit.store.js';

const pageOfExport = 500;

/** Reads the audit log. */
export class AuditLog {
  constructor(private readonly store: Pick<PostgresAudit, 'page'>) {}

  /** @param before the `next` of an earlier page */
  async page(query: AuditQuery, limit: number, before: bigint | null): Promise<AuditPage> {
    const rows = await this.store.page(query, before, limit);
    const last = rows.at(-1);
    return { entries: rows.map(entryOf), next: last && rows.length === limit ? String(last.id) : null };
  }

  /** All rows, newest first. */
  async *all(query: AuditQuery): AsyncGenerator<AuditEntry> {
    let before: bigint | null = null;
    do {
      const page: AuditPage = await this.page(query, pageOfExport, before);
      yield* page.entries;
      before = page.next === null ? null : BigInt(page.next);
    } while (before !== null);
  }
}

/** Reads a cursor. @returns null for what no page gave */
export function readAuditCursor(text: string): bigint | null {
  return /^\d{1,18}$/.test(text) ? BigInt(text) : null;
}

function entryOf(row: AuditRow): AuditEntry {
  const { service, who, call, targets, reason, asked, before, after, outcome } = row;
  return {
    auditId: String(row.id),
    at: row.at.getTime(),
    service,
    who,
    signIn: oneOf(signInKinds, row.sign_in),
    keyId: row.key_id,
    role: oneOf(operatorRoles, row.role),
    call,
    targets,
    reason,
    asked,
    before,
    after,
    from: row.origin,
    outcome,
  };
}
