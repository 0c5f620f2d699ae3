import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { KeepBoards } from './keep-boards.js';

/** The loop that keeps leaderboards; a call that finds none wakes it. */
export const leaderboardsLoop = 'leaderboards';

@Injectable()
export class LeaderboardsLoops {
  constructor(@Inject(KeepBoards) private readonly boards: KeepBoards) {}

  @Every(leaderboardsLoop, 500, { mayTakeLong: true })
  keep(): Promise<boolean> {
    return this.boards.turn();
  }
}
