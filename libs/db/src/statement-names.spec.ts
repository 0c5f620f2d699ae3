import { describe, expect, it } from 'vitest';
import { statementNames } from './statement-names.js';

describe('statementNames', () => {
  it('names a statement from its second use on, each text uniquely', () => {
    const nameOf = statementNames();
    const [one, other] = [{ sql: 'SELECT 1' }, { sql: 'SELECT 2' }];
    expect([one, other, one, other, one].map(nameOf)).toEqual(['', '', 'muster_1', 'muster_2', 'muster_1']);
  });

  it.each([
    'SELECT * FROM thing',
    'SELECT thing.id, part.* FROM thing JOIN part ON true',
    'select * from thing',
    'INSERT INTO thing (id) VALUES ($1) RETURNING *',
  ])('does not name a statement that selects all columns: %s', (sql) => {
    const nameOf = statementNames();
    expect([nameOf({ sql }), nameOf({ sql }), nameOf({ sql })]).toEqual(['', '', '']);
  });

  it('names one that counts or multiplies', () => {
    const nameOf = statementNames();
    const statement = { sql: 'SELECT count(*), 2 * a FROM t' };
    nameOf(statement);
    expect(nameOf(statement)).toBe('muster_1');
  });

  it('stops naming at the maximum number of texts', () => {
    const nameOf = statementNames();
    for (let i = 0; i < 500; i++) nameOf({ sql: `SELECT ${i}` });
    expect([nameOf({ sql: 'SELECT 1' }), nameOf({ sql: 'late' }), nameOf({ sql: 'late' })]).toEqual([
      'muster_1',
      '',
      '',
    ]);
  });
});
