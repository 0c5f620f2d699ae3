import type { Db } from '@muster/db';
import { signalKinds } from '@muster/domain';
import { DB, Metrics, type Samples } from '@muster/platform';
import { Inject, Module } from '@nestjs/common';
import { openCases } from './case-figures.store.js';

/** Exports how many cases wait for an operator. */
@Module({})
export class CaseFiguresModule {
  constructor(
    @Inject(Metrics) metrics: Metrics,
    @Inject(DB) private readonly db: Db,
  ) {
    metrics.add({ name: 'cases', asksStore: true, read: () => this.read() });
  }

  private async read(): Promise<Samples> {
    const counts = await openCases(this.db);
    return { openCases: signalKinds.map((kind) => ({ labels: { kind }, value: counts.get(kind) ?? 0 })) };
  }
}
