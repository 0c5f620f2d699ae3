import type { TestModule } from 'vitest/node';
import { kindOf } from './longest-first.js';

/** The duration of one test file. */
export interface FileTime {
  readonly kind: string;
  readonly file: string;
  readonly tests: number;
  /** Import, hooks and tests. */
  readonly ms: number;
  /** Of the worker and of the file's ended child processes; 0 if the system does not report it. */
  readonly processorMs: number;
}

const slowestShown = 15;

/** Reads the duration of a finished file. */
export function timeOf(module: TestModule): FileTime {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return {
    kind: kindOf(module.relativeModuleId),
    file: module.relativeModuleId,
    tests: [...module.children.allTests()].length,
    ms: setupDuration + collectDuration + duration,
    processorMs: module.meta().processorMs ?? 0,
  };
}

const seconds = (ms: number, width: number): string => (ms / 1000).toFixed(1).padStart(width);
const sum = (times: readonly FileTime[], key: 'ms' | 'processorMs' | 'tests'): number =>
  times.reduce((total, time) => total + time[key], 0);

const rowOf = (name: string, times: readonly FileTime[]): string =>
  `  ${name.padEnd(8)}${String(times.length).padStart(6)}${String(sum(times, 'tests')).padStart(8)}` +
  `${seconds(sum(times, 'ms'), 10)}${seconds(sum(times, 'processorMs'), 13)}`;

/**
 * Two tables: kinds of tests, and the files that used most processor time. Files run concurrently, so their seconds exceed
 * the duration of the run.
 */
export function timeReport(times: readonly FileTime[], runMs: number): string {
  const kinds = [...new Set(times.map(({ kind }) => kind))].toSorted();
  const rows = [
    ...kinds.map((name) =>
      rowOf(
        name,
        times.filter(({ kind }) => kind === name),
      ),
    ),
    rowOf('all', times),
  ];
  const slowest = times
    .toSorted((a, b) => Math.max(b.processorMs, b.ms / 4) - Math.max(a.processorMs, a.ms / 4))
    .slice(0, slowestShown)
    .map(({ file, ms, processorMs }) => `${seconds(ms, 9)}${seconds(processorMs, 12)}  ${file}`);
  return [
    '',
    `The run took ${(runMs / 1000).toFixed(0)} s.`,
    '',
    '  kind     files   tests   seconds  processor s',
    ...rows,
    '',
    '  seconds processor s  slowest files',
    ...slowest,
    '',
  ].join('\n');
}
