import { Background, LOG, SharedClock, whileSound, type Log } from '@muster/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ScaleOut } from './scale-out.js';

/** How often unrequested shortages are looked up. */
const shortagePollMs = 1_000;

/** Requests servers in a loop of its own, so that an unresponsive scaler does not delay placement. */
@Injectable()
export class ScaleOutLoop implements OnApplicationBootstrap {
  constructor(
    @Inject(ScaleOut) private readonly scaleOut: ScaleOut | null,
    @Inject(Background) private readonly background: Background,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const { scaleOut } = this;
    if (scaleOut)
      this.background.every(
        'scale-out',
        shortagePollMs,
        whileSound(this.clock, () => this.request(scaleOut)),
      );
  }

  private async request(scaleOut: ScaleOut): Promise<void> {
    for (const { shortage, error } of await scaleOut.run())
      if (error === null) this.log.info({ shortage }, 'servers were requested');
      else this.log.warn({ shortage, err: error }, 'servers could not be requested');
  }
}
