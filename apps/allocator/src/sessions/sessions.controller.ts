import { viewsOf, type ConflictList, type ResultAccepted } from '@muster/contracts';
import { NotAllowed } from '@muster/domain';
import { CoordinatorTokens, Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { Sessions } from './sessions.js';

@Controller()
export class SessionsController {
  constructor(
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(CoordinatorTokens) private readonly tokens: CoordinatorTokens,
  ) {}

  @Endpoint('reportResult')
  report(@Sent() { params: { sessionId }, body, who }: Sent<'reportResult'>): Promise<ResultAccepted> {
    if (who.kind !== 'server')
      throw new NotAllowed('Only the server that hosts a session can report its result.');
    return this.sessions.report(sessionId, who, body);
  }

  @Endpoint('abandonSession')
  abandon(
    @Sent() { params: { sessionId }, body, who }: Sent<'abandonSession'>,
  ): Promise<{ matchId: string; counted: boolean }> {
    if (who.kind !== 'server') throw new NotAllowed('Only the server that hosts a session can abandon it.');
    return this.sessions.abandon(sessionId, who, body);
  }

  @Endpoint('finishPlayers')
  finish(
    @Sent() { params: { sessionId }, body: { playerIds }, who }: Sent<'finishPlayers'>,
  ): Promise<{ matchId: string }> {
    if (who.kind !== 'server')
      throw new NotAllowed('Only the server that hosts a session can say who is finished in it.');
    return this.sessions.finish(sessionId, who, playerIds);
  }

  @Endpoint('endMatch')
  end(
    @Sent() { params: { matchId }, body, who }: Sent<'endMatch'>,
  ): Promise<{ matchId: string; ended: boolean }> {
    return this.sessions.end(matchId, { ...body, by: who.kind });
  }

  @Endpoint('listConflicts')
  async conflicts(): Promise<z.infer<typeof ConflictList>> {
    const conflicts = await this.sessions.conflicts();
    return {
      conflicts: conflicts.map(({ messages, ...conflict }) => ({
        ...conflict,
        reasonMessages: viewsOf(messages),
      })),
    };
  }

  @Endpoint('jwks')
  jwks(): object {
    return this.tokens.jwks;
  }
}
