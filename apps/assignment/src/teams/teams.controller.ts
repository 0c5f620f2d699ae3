import type { PoolSplits, Rebalanced, RoundSplits, TeamSplit } from '@muster/contracts';
import { Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { ScrambleRound } from './scramble-round.js';
import { SolverThreads } from './solver-threads.client.js';

@Controller()
export class TeamsController {
  constructor(
    @Inject(SolverThreads) private readonly teams: SolverThreads,
    @Inject(ScrambleRound) private readonly scrambles: ScrambleRound,
  ) {}

  @Endpoint('splitTeams')
  split(@Sent() { body }: Sent<'splitTeams'>): Promise<TeamSplit> {
    return this.teams.split(body);
  }

  @Endpoint('splitPool')
  splits(@Sent() { body }: Sent<'splitPool'>): Promise<PoolSplits> {
    return this.teams.splits(body);
  }

  @Endpoint('rebalanceTeams')
  rebalance(@Sent() { body }: Sent<'rebalanceTeams'>): Promise<Rebalanced> {
    return this.teams.rebalance(body);
  }

  @Endpoint('scrambleRound')
  scramble(@Sent() { body }: Sent<'scrambleRound'>): Promise<RoundSplits> {
    return this.scrambles.run(body);
  }
}
