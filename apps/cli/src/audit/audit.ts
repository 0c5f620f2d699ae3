import type { AuditEntry, QueryOf } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { boldTable } from '@muster/command-line/terminal/table';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

type Which = QueryOf<'exportAudit'>;

const whichOf = ({ who, call, target, from, to }: Which): Which => ({ who, call, target, from, to });

/** Tells of changes by operators. */
export async function listAudit(ask: Ask, options: QueryOf<'listAudit'>): Promise<Answer> {
  const { limit, cursor } = options;
  const page = await ask((operator) => operator.audit({ ...whichOf(options), limit, cursor }));
  return { json: page, text: (ink) => auditText(page.entries, ink) };
}

/** Writes changes by operators as JSON lines. */
export async function exportAudit(ask: Ask, options: Which, to: NodeJS.WritableStream): Promise<void> {
  const { body } = await ask((operator) => operator.calls.exportAudit({ query: whichOf(options) }));
  if (body) await pipeline(Readable.fromWeb(body), to, { end: false });
}

/** Rows of the audit log as a table. */
export function auditText(entries: readonly AuditEntry[], ink: Ink): string[] {
  if (entries.length === 0) return ['No such change is in the audit log.'];
  return boldTable(
    ink,
    ['at', 'who', 'role', 'call', 'about', 'outcome', 'why'],
    entries.map(({ at, who, role, call, targets, outcome, reason }) => [
      moment(at),
      who,
      role,
      call,
      targets.join(' '),
      outcome,
      reason ?? '',
    ]),
  );
}
