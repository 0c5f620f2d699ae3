import { RoundAdmin, RoundUpdate, type RoundAdminAnswer, type RoundUpdated } from '@muster/contracts';
import { Endpoint, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject } from '@nestjs/common';
import { Rounds } from './rounds.js';

@Controller()
export class RoundsController {
  constructor(@Inject(Rounds) private readonly rounds: Rounds) {}

  @Endpoint('updateRound')
  update(@Body({ schema: RoundUpdate }) body: RoundUpdate, @Who() who: Identity): Promise<RoundUpdated> {
    return this.rounds.update(body, who.kind);
  }

  @Endpoint('administerRounds')
  admin(@Body({ schema: RoundAdmin }) body: RoundAdmin, @Who() who: Identity): Promise<RoundAdminAnswer> {
    return this.rounds.admin(body, who.kind, who.kind === 'operator');
  }
}
