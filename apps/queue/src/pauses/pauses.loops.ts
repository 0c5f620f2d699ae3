import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Pauses } from './pauses.js';

/** Interval at which pauses are read, and waiting tickets returned, in milliseconds. */
const followMs = 1_000;

/** Follows the pauses that any replica puts in force. */
@Injectable()
export class PausesLoop {
  constructor(@Inject(Pauses) private readonly pauses: Pauses) {}

  @Every('pauses', followMs)
  async follow(): Promise<void> {
    await this.pauses.refresh();
    await this.pauses.returnWaiting();
  }
}
