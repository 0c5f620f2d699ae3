import { Every, LOG, type Log } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ScaleOut } from './scale-out.js';

/** Requests servers in a loop of its own, so that an unresponsive scaler does not delay placement. */
@Injectable()
export class ScaleOutLoop {
  constructor(
    @Inject(ScaleOut) private readonly scaleOut: ScaleOut | null,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @Every('scale-out', 1_000, { whileSound: true })
  async request(): Promise<void> {
    for (const { shortage, error } of (await this.scaleOut?.run()) ?? [])
      if (error === null) this.log.info({ shortage }, 'servers were requested');
      else this.log.warn({ shortage, err: error }, 'servers could not be requested');
  }
}
