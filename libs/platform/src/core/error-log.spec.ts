import { ServerIdTaken } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { ErrorLog } from './error-log.js';

describe('a repeated error', () => {
  it('is logged immediately, then every ten seconds with its count, and every one is counted', () => {
    const lines: { what: string; times: number; inAll: number }[] = [];
    let now = 0;
    const warn = (facts: { what: string; times: number; inAll: number }): void => void lines.push(facts);
    const errorLog = new ErrorLog(
      { warn } as never,
      () => now,
      () => undefined,
    );
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

  it('is counted at the end of the ten seconds, also if none follows', () => {
    const lines: { err: unknown; times: number }[] = [];
    let now = 0;
    const waiting: { act: () => void; ms: number }[] = [];
    const warn = (facts: { err: unknown; times: number }): void => void lines.push(facts);
    const errorLog = new ErrorLog(
      { warn } as never,
      () => now,
      (act, ms) => void waiting.push({ act, ms }),
    );
    for (now = 0; now < 500; now += 100) errorLog.report('Redis', now);
    expect(waiting.map(({ ms }) => ms)).toEqual([9_900]);
    now = 10_000;
    waiting[0]?.act();
    expect(lines).toMatchObject([
      { err: 0, times: 1 },
      { err: 400, times: 4 },
    ]);
    waiting[0]?.act();
    expect(lines).toHaveLength(2);
  });

  it('has its stack in the log only if nobody foresaw it', () => {
    const lines: object[] = [];
    const errorLog = new ErrorLog({ warn: (facts: object) => void lines.push(facts) } as never);
    const fault = new TypeError('x is not a function');
    errorLog.report('servers', new ServerIdTaken('eu-1 has another address.', {}));
    errorLog.report('Redis', new Error('Connection is closed.'));
    errorLog.report('matcher', fault);
    expect(lines).toMatchObject([
      { reason: 'eu-1 has another address.' },
      { reason: 'Connection is closed.' },
      { err: fault },
    ]);
    for (const line of lines.slice(0, 2)) expect(line).not.toHaveProperty('err');
  });
});
