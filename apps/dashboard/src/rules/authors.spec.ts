import type { AnswerOf } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { authorsOf } from './authors.js';

const entry = (who: string, version: unknown, outcome = 'done') =>
  ({
    who,
    outcome,
    after: [{ table: 'queue_rules', version }],
  }) as unknown as AnswerOf<'listAudit'>['entries'][number];

describe('who applied rules', () => {
  it('is told by the rows that were written, not by attempts', () => {
    const refused = { ...entry('cid', 3, 'rules-changed'), after: null };
    expect([...authorsOf([entry('ann', 3), refused, entry('ben', 2), entry('dan', undefined)])]).toEqual([
      [3, 'ann'],
      [2, 'ben'],
    ]);
  });
});
