import { Every, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PostgresTrust } from './trust.store.js';

const reviewEveryMs = 1_000;
const forgiveEveryMs = 60_000;

/** Suspects newcomers of a fleet whose servers stay silent, and gives silent servers another trial. */
@Injectable()
export class TrustLoops {
  constructor(
    @Inject(PostgresTrust) private readonly trust: PostgresTrust,
    @Inject(SharedClock) private readonly clock: SharedClock,
  ) {}

  @Every('suspected servers', reviewEveryMs)
  review(): Promise<boolean> {
    return this.trust.review();
  }

  @Every('silent servers', forgiveEveryMs)
  forgive(): Promise<void> {
    return this.trust.forgive(this.clock.now());
  }
}
