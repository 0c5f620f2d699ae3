import {
  RebalanceTeams,
  RoundScramble,
  SplitPool,
  SplitTeams,
  type PoolSplits,
  type Rebalanced,
  type RoundSplits,
  type TeamSplit,
} from '@muster/contracts';
import { Endpoint } from '@muster/platform';
import { Body, Controller, Inject } from '@nestjs/common';
import { ScrambleRound } from './scramble-round.js';
import { SolverThreads } from './solver-threads.client.js';

@Controller()
export class TeamsController {
  constructor(
    @Inject(SolverThreads) private readonly teams: SolverThreads,
    @Inject(ScrambleRound) private readonly scrambles: ScrambleRound,
  ) {}

  @Endpoint('splitTeams')
  split(@Body({ schema: SplitTeams }) body: SplitTeams): Promise<TeamSplit> {
    return this.teams.split(body);
  }

  @Endpoint('splitPool')
  splits(@Body({ schema: SplitPool }) body: SplitPool): Promise<PoolSplits> {
    return this.teams.splits(body);
  }

  @Endpoint('rebalanceTeams')
  rebalance(@Body({ schema: RebalanceTeams }) body: RebalanceTeams): Promise<Rebalanced> {
    return this.teams.rebalance(body);
  }

  @Endpoint('scrambleRound')
  scramble(@Body({ schema: RoundScramble }) body: RoundScramble): Promise<RoundSplits> {
    return this.scrambles.run(body);
  }
}
