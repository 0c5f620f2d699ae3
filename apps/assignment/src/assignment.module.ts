import { Module } from '@nestjs/common';
import { FormingModule } from './forming/forming.module.js';
import { HistoryModule } from './history/history.module.js';
import { LiveBalanceModule } from './live-balance/live-balance.module.js';
import { TeamsModule } from './teams/teams.module.js';

/** Forms matches, serves match history, and keeps running matches balanced. */
@Module({ imports: [FormingModule, HistoryModule, TeamsModule, LiveBalanceModule] })
export class AssignmentModule {}
