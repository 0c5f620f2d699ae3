import {
  AskHandicap,
  AskScramble,
  AskSides,
  CheckBalance,
  PlacePlayer,
  PlanBots,
  type AdvantageView,
  type BalanceChecked,
  type BotsPlanned,
  type PlayerPlaced,
  type ScrambleAnswer,
  type SidesChosen,
} from '@muster/contracts';
import { Endpoint } from '@muster/platform';
import { Body, Controller, Inject } from '@nestjs/common';
import { LiveBalance } from './live-balance.js';

@Controller()
export class BalanceController {
  constructor(@Inject(LiveBalance) private readonly balance: LiveBalance) {}

  @Endpoint('checkBalance')
  check(@Body({ schema: CheckBalance }) body: CheckBalance): Promise<BalanceChecked> {
    return this.balance.check(body);
  }

  @Endpoint('placePlayer')
  place(@Body({ schema: PlacePlayer }) body: PlacePlayer): Promise<PlayerPlaced> {
    return this.balance.place(body);
  }

  @Endpoint('planBots')
  bots(@Body({ schema: PlanBots }) body: PlanBots): Promise<BotsPlanned> {
    return this.balance.bots(body);
  }

  @Endpoint('askHandicap')
  handicap(@Body({ schema: AskHandicap }) body: AskHandicap): Promise<AdvantageView> {
    return this.balance.handicap(body);
  }

  @Endpoint('askScramble')
  scramble(@Body({ schema: AskScramble }) body: AskScramble): Promise<ScrambleAnswer> {
    return this.balance.scramble(body);
  }

  @Endpoint('askSides')
  sides(@Body({ schema: AskSides }) body: AskSides): Promise<SidesChosen> {
    return this.balance.sides(body);
  }
}
