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
import type { TeamsSolver } from './solve-teams.js';

export const TEAMS_SOLVER = Symbol('TeamsSolver');

@Controller()
export class TeamsController {
  constructor(@Inject(TEAMS_SOLVER) private readonly teams: TeamsSolver) {}

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
