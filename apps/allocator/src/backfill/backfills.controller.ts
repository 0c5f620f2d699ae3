import { IdempotencyKey } from '@muster/contracts';
import { NotAllowed, type BackfillView, type ServerIdentity } from '@muster/domain';
import { Endpoint, InvalidRequest, Sent, type Identity } from '@muster/platform';
import { Controller, Headers, Inject } from '@nestjs/common';
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
    @Sent() { params: { sessionId }, body, who }: Sent<'requestBackfill'>,
    @Headers('idempotency-key') idempotencyKey?: string,
  ): Promise<BackfillView> {
    if (idempotencyKey !== undefined && !IdempotencyKey.safeParse(idempotencyKey).success)
      throw new InvalidRequest('The Idempotency-Key must be 1 to 128 visible ASCII characters.');
    return this.backfills.request(sessionId, hostOf(who), body, idempotencyKey);
  }

  @Endpoint('readBackfill')
  read(@Sent() { params: { sessionId, backfillId }, who }: Sent<'readBackfill'>): Promise<BackfillView> {
    return this.backfills.read(sessionId, backfillId, hostOf(who).serverId);
  }

  @Endpoint('withdrawBackfill')
  withdraw(
    @Sent() { params: { sessionId, backfillId }, who }: Sent<'withdrawBackfill'>,
  ): Promise<BackfillView> {
    return this.backfills.withdraw(sessionId, backfillId, hostOf(who).serverId);
  }
}
