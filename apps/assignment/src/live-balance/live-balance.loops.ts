import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { LiveSessions } from './live-sessions.js';

/** Evaluates running matches whose delay has run out, and removes the state of those that ended. */
@Injectable()
export class LiveBalanceLoops {
  constructor(@Inject(LiveSessions) private readonly sessions: LiveSessions) {}

  @Every('live balance', 500)
  sweep(): Promise<boolean | void> {
    return this.sessions.sweep();
  }

  @Every('live balance, over', 60_000)
  deleteEnded(): Promise<boolean | void> {
    return this.sessions.deleteEnded();
  }
}
