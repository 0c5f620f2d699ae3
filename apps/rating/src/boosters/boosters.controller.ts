import {
  BoosterParams,
  BoostersOfPlayer,
  GrantBooster,
  MyBoosters,
  PoolParams,
  RevokeBooster,
  type BoosterView,
  type MyBoostersView,
} from '@muster/contracts';
import { Endpoint, playerOf, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { boosterView, myBoosterView } from './booster.view.js';
import { Boosters } from './boosters.js';

/** Boosters that a player sees: those with matches left, and the latest of the others. */
const shownToPlayer = 20;

@Controller()
export class BoostersController {
  constructor(@Inject(Boosters) private readonly boosters: Boosters) {}

  @Endpoint('grantBooster')
  async grant(
    @Param({ schema: PoolParams }) { pool }: z.infer<typeof PoolParams>,
    @Body({ schema: GrantBooster }) body: GrantBooster,
    @Who() who: Identity,
  ): Promise<BoosterView> {
    return boosterView(await this.boosters.grant(pool, body, who.kind));
  }

  @Endpoint('listBoosters')
  async list(
    @Param({ schema: PoolParams }) { pool }: z.infer<typeof PoolParams>,
    @Query({ schema: BoostersOfPlayer }) { playerId, limit }: z.infer<typeof BoostersOfPlayer>,
  ): Promise<{ boosters: BoosterView[] }> {
    return { boosters: (await this.boosters.list(pool, playerId, limit)).map(boosterView) };
  }

  @Endpoint('revokeBooster')
  async revoke(
    @Param({ schema: BoosterParams }) { pool, boosterId }: z.infer<typeof BoosterParams>,
    @Query({ schema: RevokeBooster }) { reason }: z.infer<typeof RevokeBooster>,
    @Who() who: Identity,
  ): Promise<BoosterView> {
    return boosterView(await this.boosters.revoke(pool, boosterId, reason, who.kind));
  }

  @Endpoint('myBoosters')
  async mine(
    @Query({ schema: MyBoosters }) { pool }: z.infer<typeof MyBoosters>,
    @Who() who: Identity,
  ): Promise<MyBoostersView> {
    const boosters = await this.boosters.list(pool, playerOf(who), shownToPlayer);
    return { pool, boosters: boosters.map(myBoosterView) };
  }
}
