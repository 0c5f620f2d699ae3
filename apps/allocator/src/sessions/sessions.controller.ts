import {
  AbandonSession,
  EndMatch,
  FinishPlayers,
  MatchParams,
  SessionParams,
  SessionResult,
  viewsOf,
  type ConflictList,
  type ResultAccepted,
} from '@muster/contracts';
import { NotAllowed } from '@muster/domain';
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
  ): Promise<ResultAccepted> {
    if (who.kind !== 'server')
      throw new NotAllowed('Only the server that hosts a session can report its result.');
    return this.sessions.report(sessionId, who, body);
  }

  @Endpoint('abandonSession')
  abandon(
    @Param({ schema: SessionParams }) { sessionId }: z.infer<typeof SessionParams>,
    @Body({ schema: AbandonSession }) body: AbandonSession,
    @Who() who: Identity,
  ): Promise<{ matchId: string; counted: boolean }> {
    if (who.kind !== 'server') throw new NotAllowed('Only the server that hosts a session can abandon it.');
    return this.sessions.abandon(sessionId, who, body);
  }

  @Endpoint('finishPlayers')
  finish(
    @Param({ schema: SessionParams }) { sessionId }: z.infer<typeof SessionParams>,
    @Body({ schema: FinishPlayers }) { playerIds }: z.infer<typeof FinishPlayers>,
    @Who() who: Identity,
  ): Promise<{ matchId: string }> {
    if (who.kind !== 'server')
      throw new NotAllowed('Only the server that hosts a session can say who is finished in it.');
    return this.sessions.finish(sessionId, who, playerIds);
  }

  @Endpoint('endMatch')
  end(
    @Param({ schema: MatchParams }) { matchId }: z.infer<typeof MatchParams>,
    @Body({ schema: EndMatch }) body: z.infer<typeof EndMatch>,
    @Who() who: Identity,
  ): Promise<{ matchId: string; ended: boolean }> {
    return this.sessions.end(matchId, { ...body, by: who.kind });
  }

  @Endpoint('listConflicts')
  async conflicts(): Promise<z.infer<typeof ConflictList>> {
    const conflicts = await this.sessions.conflicts();
    return {
      conflicts: conflicts.map(({ messages, ...conflict }) => {
        const reasonMessages = viewsOf(messages);
        return { ...conflict, ...(reasonMessages ? { reasonMessages } : {}) };
      }),
    };
  }

  @Endpoint('jwks')
  jwks(): object {
    return this.tokens.jwks;
  }
}
