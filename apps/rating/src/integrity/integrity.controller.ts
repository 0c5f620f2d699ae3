import { CaseParams, CloseCase, PageOfCases, type CaseList, type CaseView } from '@muster/contracts';
import { Endpoint, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { caseView } from './case.view.js';
import { Cases } from './cases.js';

type Named = z.infer<typeof CaseParams>;

@Controller()
export class IntegrityController {
  constructor(@Inject(Cases) private readonly cases: Cases) {}

  @Endpoint('listCases')
  async list(@Query({ schema: PageOfCases }) page: z.infer<typeof PageOfCases>): Promise<CaseList> {
    return { cases: (await this.cases.list(page)).map(caseView) };
  }

  @Endpoint('readCase')
  async one(@Param({ schema: CaseParams }) { caseId }: Named): Promise<CaseView> {
    return caseView(await this.cases.one(caseId));
  }

  @Endpoint('closeCase')
  async close(
    @Param({ schema: CaseParams }) { caseId }: Named,
    @Body({ schema: CloseCase }) body: CloseCase,
    @Who() who: Identity,
  ): Promise<CaseView> {
    return caseView(await this.cases.close(caseId, body, who.kind));
  }
}
