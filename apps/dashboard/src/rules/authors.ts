import type { AnswerOf } from '@muster/contracts';

/** Who applied each version, by entries of the audit log: the row that a change wrote has its version. */
export function authorsOf(entries: AnswerOf<'listAudit'>['entries']): ReadonlyMap<number, string> {
  const authors = new Map<number, string>();
  for (const { who, after, outcome } of entries) {
    if (outcome !== 'done') continue;
    for (const { version } of after ?? []) if (typeof version === 'number') authors.set(version, who);
  }
  return authors;
}
