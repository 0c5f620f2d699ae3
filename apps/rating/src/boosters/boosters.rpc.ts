import { rpc, type FindBoosterReply, type FindBoosterRequest } from '@muster/contracts';
import { BoosterRefused } from '@muster/domain';
import { RpcMethod } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { Boosters } from './boosters.js';

const none = { boosterId: '', division: '', higher: false, level: 0 };

@Controller()
export class BoostersRpc {
  constructor(@Inject(Boosters) private readonly boosters: Boosters) {}

  /** A booster that cannot be used is an answer, not an error: the caller tells the player why. */
  @RpcMethod(rpc.rating, 'FindBooster')
  async findBooster({ pool, playerId }: FindBoosterRequest): Promise<FindBoosterReply> {
    try {
      return { refusal: '', ...(await this.boosters.usable(pool, playerId)) };
    } catch (error) {
      if (error instanceof BoosterRefused) return { ...none, refusal: error.message };
      throw error;
    }
  }
}
