import type { Reporter, TestModule } from 'vitest/node';
import { timeOf, timeReport } from './time-report.js';

/** Fewer files are a developer's own choice, whose time the default reporter shows. */
const fewFiles = 10;

/** Says at the end of a run where its time went: by project, and the slowest files. */
export default class TimeReporter implements Reporter {
  private startedAt = performance.now();

  onTestRunStart(): void {
    this.startedAt = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= fewFiles) return;
    console.log(timeReport(modules.map(timeOf), performance.now() - this.startedAt));
  }
}
