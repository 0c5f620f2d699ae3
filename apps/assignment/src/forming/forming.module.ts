import { construct, DB, Metrics, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { HistoryModule } from '../history/history.module.js';
import { RatingModule } from '../ratings/rating.module.js';
import { AssignmentRpc } from './assignment.rpc.js';
import { FillSeat } from './fill-seat.js';
import { FormTeams } from './form-teams.js';
import { FormingLoops } from './forming.loops.js';
import { FormingProcessor } from './forming.processor.js';
import { PostgresLiveTickets } from './live-tickets.store.js';
import { PostgresMatchStore } from './match.store.js';
import { RatingClient } from '../ratings/rating.client.js';

/** Turns proposals into matches: forms teams, and fills seats of running matches. */
@Module({
  imports: [RatingModule, HistoryModule],
  controllers: [AssignmentRpc],
  providers: [
    FormingLoops,
    FormingProcessor,
    construct(PostgresLiveTickets, [DB]),
    construct(PostgresMatchStore, [DB]),
    construct(FormTeams, [RatingClient, PostgresMatchStore, SharedClock, Metrics]),
    construct(FillSeat, [RatingClient, PostgresMatchStore, SharedClock]),
  ],
})
export class FormingModule {}
