import { describe, expect, it } from 'vitest';
import { processorMsOf } from './processor-time.js';
import { timeReport, type FileTime } from './time-report.js';

const time = (file: string, ms: number, processorMs: number, kind = 'unit'): FileTime => ({
  kind,
  file,
  tests: 3,
  ms,
  processorMs,
});

describe('the time report', () => {
  it('sums files by kind', () => {
    const report = timeReport(
      [time('a.spec.ts', 1_500, 1_000), time('b.spec.ts', 500, 250), time('c.spec.ts', 9_000, 100, 'e2e')],
      6_400,
    );
    expect(report).toContain('The run took 6 s.');
    expect(report).toMatch(/^ {2}unit +2 +6 +2\.0 +1\.3$/m);
    expect(report).toMatch(/^ {2}e2e +1 +3 +9\.0 +0\.1$/m);
    expect(report).toMatch(/^ {2}all +3 +9 +11\.0 +1\.4$/m);
  });

  it('lists the slowest files first, by processor time and by elapsed time', () => {
    const many = Array.from({ length: 30 }, (_, i) => time(`${i}.spec.ts`, 10 + i, 10 + i));
    const report = timeReport(
      [...many, time('waits.spec.ts', 60_000, 10), time('works.spec.ts', 20_000, 20_000)],
      1,
    );
    const files = [...report.matchAll(/\S+\.spec\.ts/g)].map(([file]) => file);
    expect(files).toHaveLength(15);
    expect(files.slice(0, 3)).toEqual(['works.spec.ts', 'waits.spec.ts', '29.spec.ts']);
  });
});

it.runIf(process.platform === 'linux')('the processor time of a process equals node’s count', () => {
  const [before, counted] = [processorMsOf('self'), process.cpuUsage()];
  const until = performance.now() + 100;
  while (performance.now() < until);
  const { user, system } = process.cpuUsage(counted);
  expect(Math.abs(processorMsOf('self') - before - (user + system) / 1_000)).toBeLessThan(30);
  expect(processorMsOf(2 ** 30)).toBe(0);
});
