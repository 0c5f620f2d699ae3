import { Connections, construct } from '@muster/platform';
import { Module } from '@nestjs/common';
import { RatingClient } from '../ratings/rating.client.js';
import { RatingModule } from '../ratings/rating.module.js';
import { ASSIGNMENT_SETTINGS, type AssignmentSettings } from '../settings.js';
import { ScrambleRound } from './scramble-round.js';
import { SolverThreads } from './solver-threads.client.js';
import { TeamsController } from './teams.controller.js';

/** Team problems of callers, solved in separate threads. */
@Module({
  imports: [RatingModule],
  controllers: [TeamsController],
  providers: [
    {
      provide: SolverThreads,
      inject: [ASSIGNMENT_SETTINGS, Connections],
      useFactory: ({ SOLVER_THREADS }: AssignmentSettings, connections: Connections): SolverThreads => {
        const threads = new SolverThreads(SOLVER_THREADS);
        connections.add(() => threads.close());
        return threads;
      },
    },
    construct(ScrambleRound, [RatingClient, SolverThreads]),
  ],
  exports: [SolverThreads],
})
export class TeamsModule {}
