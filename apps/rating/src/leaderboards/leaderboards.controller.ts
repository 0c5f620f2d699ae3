import { NamePlayers, PoolParams, ReadLeaderboard, type LeaderboardView } from '@muster/contracts';
import { Endpoint, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { Leaderboards } from './leaderboards.js';
import { Names } from '../names/names.js';

@Controller()
export class LeaderboardsController {
  constructor(
    @Inject(Leaderboards) private readonly boards: Leaderboards,
    @Inject(Names) private readonly names: Names,
  ) {}

  @Endpoint('readLeaderboard')
  async read(
    @Param({ schema: PoolParams }) { pool }: z.infer<typeof PoolParams>,
    @Query({ schema: ReadLeaderboard }) query: ReadLeaderboard,
    @Who() who: Identity,
  ): Promise<LeaderboardView> {
    // The game's login vouches for the name.
    if (who.kind === 'player') await this.names.noteVouched(who);
    return this.boards.read(pool, query, { playerId: who.kind === 'player' ? who.playerId : null });
  }

  @Endpoint('namePlayers')
  async name(@Body({ schema: NamePlayers }) { names }: NamePlayers): Promise<{ named: number }> {
    return { named: await this.names.note(names) };
  }
}
