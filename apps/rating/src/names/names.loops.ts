import { Every, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RATING_SETTINGS, type RatingSettings } from '../settings.js';
import { PostgresPlayerNames } from './names.store.js';

const retentionEveryMs = 60_000;
const retentionBatch = 500;

/** Deletes names that nobody told for long. */
@Injectable()
export class NamesLoops {
  constructor(
    @Inject(PostgresPlayerNames) private readonly store: Pick<PostgresPlayerNames, 'deleteUnseen'>,
    @Inject(RATING_SETTINGS) private readonly settings: Pick<RatingSettings, 'NAME_RETENTION_DAYS'>,
    @Inject(SharedClock) private readonly clock: Pick<SharedClock, 'now'>,
  ) {}

  @Every('retention', retentionEveryMs, { whileSound: true })
  forget(): Promise<boolean> {
    const keptMs = this.settings.NAME_RETENTION_DAYS * 86_400_000;
    return this.store.deleteUnseen(this.clock.now() - keptMs, retentionBatch);
  }
}
