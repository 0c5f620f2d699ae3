import { Module } from '@nestjs/common';
import { FormingModule } from './forming/forming.module.js';
import { HistoryModule } from './history/history.module.js';
import { LiveBalanceModule } from './live-balance/live-balance.module.js';
import { TeamsModule } from './teams/teams.module.js';

/** Teams are made, matches are told of, and running matches are kept even. */
@Module({ imports: [FormingModule, HistoryModule, TeamsModule, LiveBalanceModule] })
export class AssignmentModule {}
