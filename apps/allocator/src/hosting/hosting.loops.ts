import { Background, SharedClock, whileSound } from '@muster/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Hosting } from './hosting.js';

/** How often due requests are looked up. */
const duePollMs = 500;
/** How often allocations are compared with servers and with what providers hold. */
const compareMs = 30_000;

/** Sends requests to providers, and compares both sides. Without HOSTING_FILE there is nothing to do. */
@Injectable()
export class HostingLoops implements OnApplicationBootstrap {
  constructor(
    @Inject(Hosting) private readonly hosting: Hosting | null,
    @Inject(Background) private readonly background: Background,
    @Inject(SharedClock) private readonly clock: SharedClock,
  ) {}

  onApplicationBootstrap(): void {
    const { hosting } = this;
    if (!hosting) return;
    this.background.every(
      'hosting',
      duePollMs,
      whileSound(this.clock, async () => void (await hosting.start())),
    );
    this.background.every(
      'hosting, both sides',
      compareMs,
      whileSound(this.clock, () => hosting.reconcile()),
    );
  }
}
