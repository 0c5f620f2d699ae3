import type { BanPage, BanOfPlayer } from '@muster/contracts';
import { Endpoint, operatorOf, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { Bans, banViewOf } from '../standing/bans.js';
import { BanPlayer } from './ban-player.js';
import { PardonPenalties } from './pardon-penalties.js';

/** Operators ban players from queues, and forgive penalties in bulk. */
@Controller()
export class BansController {
  constructor(
    @Inject(Bans) private readonly bans: Bans,
    @Inject(BanPlayer) private readonly banPlayer: BanPlayer,
    @Inject(PardonPenalties) private readonly pardon: PardonPenalties,
  ) {}

  @Endpoint('listBans')
  async list(@Sent() { query: { cursor, limit } }: Sent<'listBans'>): Promise<BanPage> {
    const { bans, next } = await this.bans.list(cursor ?? '', limit);
    return { bans: bans.map((ban) => ({ playerId: ban.playerId, ban: banViewOf(ban) })), next };
  }

  @Endpoint('banPlayer')
  async put(@Sent() { params: { playerId }, body, who }: Sent<'banPlayer'>): Promise<BanOfPlayer> {
    return {
      playerId,
      ban: banViewOf(await this.banPlayer.run(playerId, { ...body, by: operatorOf(who).name })),
    };
  }

  @Endpoint('forgivePenalties')
  async forgive(@Sent() { body }: Sent<'forgivePenalties'>): Promise<{ forgiven: number }> {
    const { from, to, queue = null, region = null, reason } = body;
    return { forgiven: await this.pardon.run({ from, to, queue, region }, reason) };
  }

  @Endpoint('liftBan')
  async lift(@Sent() { params: { playerId } }: Sent<'liftBan'>): Promise<BanOfPlayer> {
    await this.bans.lift(playerId);
    return { playerId, ban: null };
  }
}
