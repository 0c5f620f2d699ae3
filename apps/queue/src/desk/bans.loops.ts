import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { BanPlayer } from './ban-player.js';

const everyMs = 5_000;

/** Ends waiting tickets of players who were banned a short while ago. */
@Injectable()
export class BansLoop {
  constructor(@Inject(BanPlayer) private readonly bans: BanPlayer) {}

  @Every('bans', everyMs)
  sweep(): Promise<void> {
    return this.bans.sweep();
  }
}
