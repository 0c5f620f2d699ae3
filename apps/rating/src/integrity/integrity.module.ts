import { construct, DB, IDS, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { CaseFiguresModule } from './case-figures.module.js';
import { PostgresCases } from './cases.store.js';
import { Cases } from './cases.js';
import { IntegrityRetention } from './integrity-retention.store.js';
import { IntegrityController } from './integrity.controller.js';
import { IntegrityLoops } from './integrity.loops.js';
import { RaiseUncertainty } from './raise.store.js';
import { IntegrityWatch } from './watch.store.js';

/** Signals of integrity: evidence from results and habits, cases for operators, and the uncertainty that the pool allows them to raise. */
@Module({
  imports: [CoreModule, CaseFiguresModule],
  controllers: [IntegrityController],
  providers: [
    IntegrityLoops,
    construct(IntegrityWatch, [DB, IDS]),
    construct(RaiseUncertainty, [DB]),
    construct(IntegrityRetention, [DB]),
    construct(PostgresCases, [DB]),
    construct(Cases, [PostgresCases, SharedClock]),
  ],
})
export class IntegrityModule {}
