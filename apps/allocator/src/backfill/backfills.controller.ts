import { BackfillParams, IdempotencyKey, RequestBackfill, SessionParams } from '@muster/contracts';
import { NotAllowed, type BackfillView, type ServerIdentity } from '@muster/domain';
import { Endpoint, InvalidRequest, Who, type Identity } from '@muster/platform';
import { Body, Controller, Headers, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { Backfills } from './backfills.js';

function hostOf(who: Identity): ServerIdentity {
  if (who.kind !== 'server')
    throw new NotAllowed('Only the server that hosts a session can request players for it.');
  return who;
}

@Controller()
export class BackfillsController {
  constructor(@Inject(Backfills) private readonly backfills: Backfills) {}

  @Endpoint('requestBackfill')
  request(
    @Param({ schema: SessionParams }) { sessionId }: z.infer<typeof SessionParams>,
    @Body({ schema: RequestBackfill }) body: RequestBackfill,
    @Who() who: Identity,
    @Headers('idempotency-key') idempotencyKey?: string,
  ): Promise<BackfillView> {
    if (idempotencyKey !== undefined && !IdempotencyKey.safeParse(idempotencyKey).success)
      throw new InvalidRequest('The Idempotency-Key must be 1 to 128 visible ASCII characters.');
    return this.backfills.request(sessionId, hostOf(who), body, idempotencyKey);
  }

  @Endpoint('readBackfill')
  read(
    @Param({ schema: BackfillParams }) { sessionId, backfillId }: z.infer<typeof BackfillParams>,
    @Who() who: Identity,
  ): Promise<BackfillView> {
    return this.backfills.read(sessionId, backfillId, hostOf(who).serverId);
  }

  @Endpoint('withdrawBackfill')
  withdraw(
    @Param({ schema: BackfillParams }) { sessionId, backfillId }: z.infer<typeof BackfillParams>,
    @Who() who: Identity,
  ): Promise<BackfillView> {
    return this.backfills.withdraw(sessionId, backfillId, hostOf(who).serverId);
  }
}
