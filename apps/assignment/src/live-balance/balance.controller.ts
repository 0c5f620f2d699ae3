import type {
  AdvantageView,
  BalanceChecked,
  BotsPlanned,
  PlayerPlaced,
  ScrambleAnswer,
  SidesChosen,
} from '@muster/contracts';
import { Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { LiveBalance } from './live-balance.js';

@Controller()
export class BalanceController {
  constructor(@Inject(LiveBalance) private readonly balance: LiveBalance) {}

  @Endpoint('checkBalance')
  check(@Sent() { body }: Sent<'checkBalance'>): Promise<BalanceChecked> {
    return this.balance.check(body);
  }

  @Endpoint('placePlayer')
  place(@Sent() { body }: Sent<'placePlayer'>): Promise<PlayerPlaced> {
    return this.balance.place(body);
  }

  @Endpoint('planBots')
  bots(@Sent() { body }: Sent<'planBots'>): Promise<BotsPlanned> {
    return this.balance.bots(body);
  }

  @Endpoint('askHandicap')
  handicap(@Sent() { body }: Sent<'askHandicap'>): Promise<AdvantageView> {
    return this.balance.handicap(body);
  }

  @Endpoint('askScramble')
  scramble(@Sent() { body }: Sent<'askScramble'>): Promise<ScrambleAnswer> {
    return this.balance.scramble(body);
  }

  @Endpoint('askSides')
  sides(@Sent() { body }: Sent<'askSides'>): Promise<SidesChosen> {
    return this.balance.sides(body);
  }
}
