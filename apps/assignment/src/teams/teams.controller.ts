import {
  RebalanceTeams,
  SplitPool,
  SplitTeams,
  type PoolSplits,
  type Rebalanced,
  type TeamSplit,
} from '@muster/contracts';
import { Endpoint } from '@muster/platform';
import { Body, Controller, Inject } from '@nestjs/common';
import { SolverThreads } from './solver-threads.client.js';

@Controller()
export class TeamsController {
  constructor(@Inject(SolverThreads) private readonly teams: SolverThreads) {}

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
}
