import { describe, expect, it } from 'vitest';
import { ErrorLog } from './error-log.js';

describe('a repeated error', () => {
  it('is logged immediately, then every ten seconds with its count, and every one is counted', () => {
    const lines: { what: string; times: number; inAll: number }[] = [];
    let now = 0;
    const warn = (facts: { what: string; times: number; inAll: number }): void => void lines.push(facts);
    const errorLog = new ErrorLog({ warn } as never, () => now);
    const redis = errorLog.of('Redis');
    for (now = 0; now < 25_000; now += 100) redis(new Error('refused'));
    errorLog.report('jobs', new Error('away'));

    expect(lines.map(({ what, times, inAll }) => [what, times, inAll])).toEqual([
      ['Redis', 1, 1],
      ['Redis', 100, 101],
      ['Redis', 100, 201],
      ['jobs', 1, 1],
    ]);
    expect(errorLog.counts()).toEqual(
      new Map([
        ['Redis', 250],
        ['jobs', 1],
      ]),
    );
  });
});
