import type { Db } from '@muster/db';
import { signalKinds } from '@muster/domain';
import { construct, DB, IDS, Metrics, SharedClock, type Samples } from '@muster/platform';
import { Inject, Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { openCases } from './case-figures.store.js';
import { PostgresCases } from './cases.store.js';
import { Cases } from './cases.js';
import { IntegrityRetention } from './integrity-retention.store.js';
import { IntegrityController } from './integrity.controller.js';
import { IntegrityLoops } from './integrity.loops.js';
import { RaiseUncertainty } from './raise.store.js';
import { IntegrityWatch } from './watch.store.js';

/** Signals of integrity: evidence from results and habits, cases for operators, and the uncertainty that the pool allows them to raise. */
@Module({
  imports: [CoreModule],
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
export class IntegrityModule {
  /** Exports how many cases wait for an operator. */
  constructor(@Inject(Metrics) metrics: Metrics, @Inject(DB) db: Db) {
    const read = async (): Promise<Samples> => {
      const counts = await openCases(db);
      return { openCases: signalKinds.map((kind) => ({ labels: { kind }, value: counts.get(kind) ?? 0 })) };
    };
    metrics.add({ name: 'cases', asksStore: true, read });
  }
}
