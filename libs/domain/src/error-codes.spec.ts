import { describe, expect, it } from 'vitest';
import { errorCodes } from './error-codes.js';

describe('the codes of an error', () => {
  it('include those of its causes, outermost first', () => {
    const driver = Object.assign(new Error('conflict'), {
      cause: { originalCode: '40001', kind: 'TransactionWriteConflict' },
    });
    const client = Object.assign(new Error('raw'), { code: 'P2010', meta: { driverAdapterError: driver } });
    expect(errorCodes(new Error('used up', { cause: client }))).toEqual([
      'P2010',
      '40001',
      'TransactionWriteConflict',
    ]);
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

  it.each([null, undefined, 'P2002', 5])('are empty for %j', (value) => {
    expect(errorCodes(value)).toEqual([]);
  });
});
