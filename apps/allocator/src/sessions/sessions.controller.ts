import { AbandonSession, SessionParams, SessionResult } from '@muster/contracts';
import { NotAllowed, type ResultConflict } from '@muster/domain';
import { CoordinatorTokens, Endpoint, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { Sessions } from './sessions.js';

@Controller()
export class SessionsController {
  constructor(
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(CoordinatorTokens) private readonly tokens: CoordinatorTokens,
  ) {}

  @Endpoint('reportResult')
  report(
    @Param({ schema: SessionParams }) { sessionId }: z.infer<typeof SessionParams>,
    @Body({ schema: SessionResult }) body: SessionResult,
    @Who() who: Identity,
  ): Promise<{ matchId: string; counted: boolean }> {
    if (who.kind !== 'server')
      throw new NotAllowed('Only the server that hosts a session reports its result.');
    return this.sessions.report(sessionId, who, body);
  }

  @Endpoint('abandonSession')
  abandon(
    @Param({ schema: SessionParams }) { sessionId }: z.infer<typeof SessionParams>,
    @Body({ schema: AbandonSession }) body: AbandonSession,
    @Who() who: Identity,
  ): Promise<{ matchId: string; counted: boolean }> {
    if (who.kind !== 'server') throw new NotAllowed('Only the server that hosts a session abandons it.');
    return this.sessions.abandon(sessionId, who, body);
  }

  @Endpoint('listConflicts')
  async conflicts(): Promise<{ conflicts: ResultConflict[] }> {
    return { conflicts: await this.sessions.conflicts() };
  }

  @Endpoint('jwks')
  jwks(): object {
    return this.tokens.jwks;
  }
}
