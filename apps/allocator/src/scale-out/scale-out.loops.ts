import { Background, LOG, SharedClock, whileSound, type Log } from '@muster/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ScaleOut } from './scale-out.js';

/** How often shortages are looked for that nobody has asked about. */
const shortageLookMs = 1_000;

/** Asks for servers, in a loop of its own: a scaler that does not answer holds up no placement. */
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
        shortageLookMs,
        whileSound(this.clock, () => this.ask(scaleOut)),
      );
  }

  private async ask(scaleOut: ScaleOut): Promise<void> {
    for (const { shortage, error } of await scaleOut.run())
      if (error === null) this.log.info({ shortage }, 'servers were requested');
      else this.log.warn({ shortage, err: error }, 'servers could not be requested');
  }
}
