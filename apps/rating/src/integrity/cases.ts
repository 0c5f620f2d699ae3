import type { CloseCase, PageOfCases } from '@muster/contracts';
import { CaseClosed, CaseNotFound, type Clock } from '@muster/domain';
import type { IntegrityCase, PostgresCases } from './cases.store.js';

/** Cases of integrity for operators. */
export class Cases {
  constructor(
    private readonly store: PostgresCases,
    private readonly clock: Clock,
  ) {}

  /** @throws CaseNotFound for an unknown `after`: an empty page would pass for the end of the list */
  async list(query: PageOfCases): Promise<IntegrityCase[]> {
    if (query.after !== undefined) await this.one(query.after);
    return this.store.list(query);
  }

  /** @throws CaseNotFound */
  async one(caseId: string): Promise<IntegrityCase> {
    return (await this.store.one(caseId)) ?? notFound(caseId);
  }

  /** Closes a case; a repeat with the same verdict changes nothing. @throws CaseNotFound, CaseClosed */
  async close(caseId: string, { verdict, note }: CloseCase, by: string): Promise<IntegrityCase> {
    const closing = { verdict, note: note ?? null, by };
    const closed = (await this.store.close(caseId, closing, this.clock.now())) ?? notFound(caseId);
    if (closed.verdict !== verdict)
      throw new CaseClosed(`Case ${caseId} was closed as ${closed.verdict} by ${closed.closedBy}.`, {
        caseId,
      });
    return closed;
  }
}

function notFound(caseId: string): never {
  throw new CaseNotFound(
    `There is no case ${caseId}; GET /v1/integrity/cases lists them. Closed ones are kept for a year.`,
    { caseId },
  );
}
