import type { Reporter, TestModule } from 'vitest/node';
import { timeOf, timeReport } from './time-report.js';

/** For fewer files the default reporter shows the times. */
const fewFiles = 10;

/** Prints the time by project and the slowest files at the end of a run. */
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
