import { Module } from '@nestjs/common';
import { EventsModule } from './events/events.module.js';
import { FormingModule } from './forming/forming.module.js';
import { HistoryModule } from './history/history.module.js';
import { LiveBalanceModule } from './live-balance/live-balance.module.js';
import { TeamsModule } from './teams/teams.module.js';

/** Forms matches, serves match history, keeps running matches balanced, and delivers events. */
@Module({ imports: [FormingModule, HistoryModule, TeamsModule, LiveBalanceModule, EventsModule] })
export class AssignmentModule {}
