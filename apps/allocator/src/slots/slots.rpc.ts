import { rpc, type CountSlotsReply } from '@muster/contracts';
import { RpcMethod } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { SlotWalk } from './slot-walk.js';

@Controller()
export class SlotsRpc {
  constructor(@Inject(SlotWalk) private readonly walk: SlotWalk) {}

  @RpcMethod(rpc.allocator, 'CountSlots')
  async countSlots(): Promise<CountSlotsReply> {
    const regions = await this.walk.next();
    const sum = (of: 'used' | 'free'): number => (regions ?? []).reduce((total, each) => total + each[of], 0);
    return { known: regions !== null, used: sum('used'), free: sum('free') };
  }
}
