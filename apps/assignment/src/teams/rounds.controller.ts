import { RoundScramble, type RoundSplits } from '@muster/contracts';
import { Endpoint } from '@muster/platform';
import { Body, Controller, Inject } from '@nestjs/common';
import { ScrambleRound } from './scramble-round.js';

@Controller()
export class RoundsController {
  constructor(@Inject(ScrambleRound) private readonly scrambles: ScrambleRound) {}

  @Endpoint('scrambleRound')
  scramble(@Body({ schema: RoundScramble }) body: RoundScramble): Promise<RoundSplits> {
    return this.scrambles.run(body);
  }
}
