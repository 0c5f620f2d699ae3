import { Every, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { PostgresPlayerRequests } from './player-requests.store.js';

const retentionEveryMs = 60_000;
const retentionBatch = 500;

/** Deletes requests that were done; then a player may ask again. */
@Injectable()
export class PlayerRequestLoops {
  constructor(
    @Inject(PostgresPlayerRequests) private readonly store: Pick<PostgresPlayerRequests, 'deleteDone'>,
    @Inject(QUEUE_SETTINGS)
    private readonly settings: Pick<QueueSettings, 'DATA_REQUEST_DAYS'>,
    @Inject(SharedClock) private readonly clock: Pick<SharedClock, 'now'>,
  ) {}

  @Every('retention', retentionEveryMs, { whileSound: true })
  forget(): Promise<boolean> {
    const keptMs = this.settings.DATA_REQUEST_DAYS * 86_400_000;
    return this.store.deleteDone(this.clock.now() - keptMs, retentionBatch);
  }
}
