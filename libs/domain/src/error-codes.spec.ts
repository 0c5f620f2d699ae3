import { describe, expect, it } from 'vitest';
import { errorCodes } from './error-codes.js';

describe('the codes of an error', () => {
  it('include those of its causes, outermost first', () => {
    const driver = Object.assign(new Error('conflict'), { code: '40001' });
    const client = Object.assign(new Error('failed', { cause: driver }), { code: 'retries-used-up' });
    expect(errorCodes(new Error('used up', { cause: client }))).toEqual(['retries-used-up', '40001']);
  });

  it('are not searched for in messages', () => {
    expect(errorCodes(new Error('match 23505 is not placed'))).toEqual([]);
  });

  it('are those of every address that was tried', () => {
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    expect(errorCodes(new AggregateError([refused, refused]))).toEqual(['ECONNREFUSED', 'ECONNREFUSED']);
  });

  it('terminate in a cycle of causes', () => {
    const error = Object.assign(new Error('round'), { code: 'A' });
    error.cause = error;
    expect(new Set(errorCodes(error))).toEqual(new Set(['A']));
  });

  it.each([null, undefined, '23505', 5])('are empty for %j', (value) => {
    expect(errorCodes(value)).toEqual([]);
  });
});
