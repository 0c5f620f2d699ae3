import { rpc, type FindBoosterReply, type FindBoosterRequest } from '@muster/contracts';
import { BoosterRefused, UnknownPool } from '@muster/domain';
import { Controller, Inject } from '@nestjs/common';
import { GrpcMethod, RpcException } from '@nestjs/microservices';
import { Boosters } from './boosters.js';

/** gRPC's NOT_FOUND. */
const notFound = 5;

const none = { boosterId: '', division: '', higher: false, level: 0 };

@Controller()
export class BoostersRpc {
  constructor(@Inject(Boosters) private readonly boosters: Boosters) {}

  /** A booster that cannot be used is an answer, not an error: the caller tells the player why. */
  @GrpcMethod(rpc.rating.service, 'FindBooster')
  async findBooster({ pool, playerId }: FindBoosterRequest): Promise<FindBoosterReply> {
    try {
      return { refusal: '', ...(await this.boosters.usable(pool, playerId)) };
    } catch (error) {
      if (error instanceof BoosterRefused) return { ...none, refusal: error.message };
      if (error instanceof UnknownPool) throw new RpcException({ code: notFound, message: error.message });
      throw error;
    }
  }
}
