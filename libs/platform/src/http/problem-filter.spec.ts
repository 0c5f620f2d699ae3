import { TooBusy } from '@muster/domain';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { describe, expect, it } from 'vitest';
import { ProblemFilter } from './problem-filter.js';

/** A filter with a recorded log, and what it does with an error of a call. */
function aFilter(): { errors: string[]; warnings: object[]; refuse: (error: unknown) => void } {
  const [errors, warnings]: [string[], object[]] = [[], []];
  const filter = new ProblemFilter({
    error: (_facts: object, message: string) => void errors.push(message),
    warn: (facts: object) => void warnings.push(facts),
  } as never);
  const host = new ExecutionContextHost([
    { url: '/v1/tickets', method: 'POST' },
    { raw: { headersSent: true } },
  ]);
  return { errors, warnings, refuse: (error) => filter.catch(error, host) };
}

describe('the log of failed calls', () => {
  it('has one line for many refusals of a busy service', () => {
    const { errors, warnings, refuse } = aFilter();
    for (let n = 0; n < 100; n++) refuse(new TooBusy('500 tickets are being created already.'));
    expect(errors).toEqual([]);
    expect(warnings).toMatchObject([{ what: 'calls (too-busy)', times: 1 }]);
  });

  it('has a line for every unexpected error', () => {
    const { errors, warnings, refuse } = aFilter();
    for (let n = 0; n < 2; n++) refuse(new Error('a slip'));
    expect(errors).toHaveLength(2);
    expect(warnings).toEqual([]);
  });

  it('has none for a caller’s mistake', () => {
    const { errors, warnings, refuse } = aFilter();
    refuse(Object.assign(new Error('too large'), { statusCode: 413 }));
    expect([...errors, ...warnings]).toEqual([]);
  });
});
