import type { LeaderboardView } from '@muster/contracts';
import { Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { Leaderboards } from './leaderboards.js';
import { Names } from '../names/names.js';

@Controller()
export class LeaderboardsController {
  constructor(
    @Inject(Leaderboards) private readonly boards: Leaderboards,
    @Inject(Names) private readonly names: Names,
  ) {}

  @Endpoint('readLeaderboard')
  async read(@Sent() { params: { pool }, query, who }: Sent<'readLeaderboard'>): Promise<LeaderboardView> {
    // The game's login vouches for the name.
    if (who.kind === 'player') await this.names.noteVouched(who);
    return this.boards.read(pool, query, { playerId: who.kind === 'player' ? who.playerId : null });
  }

  @Endpoint('namePlayers')
  async name(@Sent() { body: { names } }: Sent<'namePlayers'>): Promise<{ named: number }> {
    return { named: await this.names.note(names) };
  }
}
