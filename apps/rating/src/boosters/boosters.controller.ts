import type { BoosterView, MyBoostersView } from '@muster/contracts';
import { actorOf, Endpoint, playerOf, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { boosterView, myBoosterView } from './booster.view.js';
import { Boosters } from './boosters.js';

/** Boosters that a player sees: those with matches left, and the latest of the others. */
const shownToPlayer = 20;

@Controller()
export class BoostersController {
  constructor(@Inject(Boosters) private readonly boosters: Boosters) {}

  @Endpoint('grantBooster')
  async grant(@Sent() { params: { pool }, body, who }: Sent<'grantBooster'>): Promise<BoosterView> {
    return boosterView(await this.boosters.grant(pool, body, actorOf(who)));
  }

  @Endpoint('listBoosters')
  async list(
    @Sent() { params: { pool }, query: { playerId, limit } }: Sent<'listBoosters'>,
  ): Promise<{ boosters: BoosterView[] }> {
    return { boosters: (await this.boosters.list(pool, playerId, limit)).map(boosterView) };
  }

  @Endpoint('revokeBooster')
  async revoke(
    @Sent() { params: { pool, boosterId }, query: { reason }, who }: Sent<'revokeBooster'>,
  ): Promise<BoosterView> {
    return boosterView(await this.boosters.revoke(pool, boosterId, reason, actorOf(who)));
  }

  @Endpoint('myBoosters')
  async mine(@Sent() { query: { pool }, who }: Sent<'myBoosters'>): Promise<MyBoostersView> {
    const boosters = await this.boosters.list(pool, playerOf(who), shownToPlayer);
    return { pool, boosters: boosters.map(myBoosterView) };
  }
}
