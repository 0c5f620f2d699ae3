import { describe, expect, it } from 'vitest';
import { differences } from './differences.js';

describe('what a call changed', () => {
  it('is what differs in a row, which is known by its key', () => {
    const before = [
      { table: 'server', id: 'eu-1', drained_by_operator: false, state: 'ready' },
      { table: 'server', id: 'eu-2', drained_by_operator: false },
    ];
    const after = [
      { table: 'server', id: 'eu-2', drained_by_operator: true },
      { table: 'server', id: 'eu-1', drained_by_operator: true, state: 'draining' },
    ];
    expect(differences(before, after)).toEqual([
      {
        what: 'Server eu-1 changed',
        fields: ['drained by operator: no → yes', 'state: ready → draining'],
      },
      { what: 'Server eu-2 changed', fields: ['drained by operator: no → yes'] },
    ]);
  });

  it('is a row that was made or deleted', () => {
    expect(
      differences(null, [{ table: 'operator_key', id: 'key_1', role: 'viewer', expires_at: null }]),
    ).toEqual([{ what: 'Operator key created', fields: ['id: key_1', 'role: viewer', 'expires at: none'] }]);
    expect(differences([{ table: 'pause', queue: '5v5' }], [{ table: 'pause', queue: '1v1' }])).toEqual([
      { what: 'Pause deleted', fields: ['queue: 5v5'] },
      { what: 'Pause created', fields: ['queue: 1v1'] },
    ]);
  });

  it('is the answer of a call that changed no table', () => {
    expect(differences(null, [{ matchId: 'mat_1', teams: ['a', 'b'], ok: true }])).toEqual([
      { what: 'Answer', fields: ['match id: mat_1', 'teams: a, b', 'ok: yes'] },
    ]);
    expect(differences(null, null)).toEqual([]);
  });
});
