import { Piscina } from 'piscina';
import type { FitResult, FitTask } from './stats-fit.worker.js';

/** An idle thread ends after this time: there is a fit every few hundred matches. */
const idleMs = 5_000;

/** Fits in a thread of its own, so that results are rated meanwhile. */
export class FitThread {
  private readonly pool = new Piscina<FitTask, FitResult>({
    filename: new URL('./stats-fit.worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
  });

  readonly fit = (task: FitTask): Promise<FitResult> => this.pool.run(task);

  async close(): Promise<void> {
    await this.pool.close({ force: true });
  }
}
