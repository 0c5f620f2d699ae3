import { traceHeaders } from '@muster/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextIn, contextOf, originOf, textOf } from './trace-context.js';

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''))
    .filter((text) => /[^0]/.test(text));
const parent = fc
  .tuple(hex(32), hex(16), fc.constantFrom('00', '01'))
  .map(([traceId, spanId, flags]) => `00-${traceId}-${spanId}-${flags}`);
const member = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/), fc.stringMatching(/^[a-z0-9 ]{0,20}[a-z0-9]$/))
  .map((pair) => pair.join('='));
const state = fc
  .uniqueArray(member, { minLength: 1, maxLength: 8, selector: (text) => text.split('=')[0] })
  .map((members) => members.join(','));

describe('the context of a trace', () => {
  it('is the same after it was stored as text', () => {
    fc.assert(
      fc.property(parent, fc.option(state, { nil: undefined }), (traceparent, tracestate) => {
        const context = contextIn({ traceparent, tracestate });
        const text = context ? textOf(context) : '';
        expect(text).toBe(tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`);
        expect(traceHeaders(text)).toEqual({ traceparent, ...(tracestate ? { tracestate } : {}) });
        const again = contextOf(text);
        expect(again && textOf(again)).toBe(text);
      }),
    );
  });

  it('is ignored where it is malformed, and never throws', () => {
    for (const traceparent of [
      '',
      'x',
      `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
      `00-${'1'.repeat(32)}-${'0'.repeat(16)}-01`,
      `ff-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
      `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01-more`,
      `00-${'A'.repeat(32)}-${'1'.repeat(16)}-01`,
    ])
      expect(contextIn({ traceparent })).toBeUndefined();
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (traceparent, tracestate) => {
        contextIn({ traceparent, tracestate });
      }),
    );
  });

  it('is stored in at most 600 characters, whatever its tracestate', () => {
    fc.assert(
      fc.property(parent, fc.string({ maxLength: 20_000 }), (traceparent, tracestate) => {
        const context = contextIn({ traceparent, tracestate });
        expect(context && textOf(context).length).toBeLessThanOrEqual(600);
      }),
    );
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    const huge = Array.from({ length: 400 }, (_, i) => `k${i}=${'v'.repeat(30)}`).join(',');
    const context = contextIn({ traceparent, tracestate: huge });
    expect(context && textOf(context)).toBe(traceparent);
  });

  it('of a caller is continued only where callers are trusted', () => {
    fc.assert(
      fc.property(parent, (traceparent) => {
        expect(originOf({ traceparent }, true)).toEqual({ parent: traceparent });
        expect(originOf({ traceparent }, false)).toEqual({ parent: null, links: [traceparent] });
      }),
    );
    for (const trusts of [true, false])
      expect(originOf({ traceparent: 'x' }, trusts)).toEqual({ parent: null });
  });
});
