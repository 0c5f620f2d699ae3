import type { CaseList, CaseView } from '@muster/contracts';
import { actorOf, Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { caseView } from './case.view.js';
import { Cases } from './cases.js';

@Controller()
export class IntegrityController {
  constructor(@Inject(Cases) private readonly cases: Cases) {}

  @Endpoint('listCases')
  async list(@Sent() { query: page }: Sent<'listCases'>): Promise<CaseList> {
    return { cases: (await this.cases.list(page)).map(caseView) };
  }

  @Endpoint('readCase')
  async one(@Sent() { params: { caseId } }: Sent<'readCase'>): Promise<CaseView> {
    return caseView(await this.cases.one(caseId));
  }

  @Endpoint('closeCase')
  async close(@Sent() { params: { caseId }, body, who }: Sent<'closeCase'>): Promise<CaseView> {
    return caseView(await this.cases.close(caseId, body, actorOf(who)));
  }
}
