import type { RoundAdminAnswer, RoundUpdated } from '@muster/contracts';
import { actorOf, Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { Rounds } from './rounds.js';

@Controller()
export class RoundsController {
  constructor(@Inject(Rounds) private readonly rounds: Rounds) {}

  @Endpoint('updateRound')
  update(@Sent() { body, who }: Sent<'updateRound'>): Promise<RoundUpdated> {
    return this.rounds.update(body, who.kind);
  }

  @Endpoint('administerRounds')
  admin(@Sent() { body, who }: Sent<'administerRounds'>): Promise<RoundAdminAnswer> {
    return this.rounds.admin(body, actorOf(who), who.kind === 'operator');
  }
}
