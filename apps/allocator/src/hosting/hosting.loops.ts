import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Hosting } from './hosting.js';

/** Sends requests to providers, and compares allocations with servers and providers. Without HOSTING_FILE there is nothing to do. */
@Injectable()
export class HostingLoops {
  constructor(@Inject(Hosting) private readonly hosting: Hosting | null) {}

  @Every('hosting', 500, { whileSound: true })
  async start(): Promise<void> {
    await this.hosting?.start();
  }

  @Every('hosting, both sides', 30_000, { whileSound: true })
  async reconcile(): Promise<void> {
    await this.hosting?.reconcile();
  }
}
