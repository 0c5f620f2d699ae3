import { describe, expect, it } from 'vitest';
import { idsIn, namedBy } from './ids.js';

describe('the ids in a document', () => {
  it('are told by their form, or by their field', () => {
    expect(namedBy('mat_1', 'target')).toBe('match');
    expect(namedBy('ann', 'playerId')).toBe('player');
    expect(namedBy('ses_1', 'sessionId')).toBeNull();
  });

  it('are found at any depth, each once', () => {
    const job = {
      matchId: 'mat_1',
      queue: '5v5',
      tickets: [
        { ticketId: 'tkt_1', playerIds: ['ann', 'ben'], levels: { ann: 3 } },
        { ticketId: 'tkt_2', playerIds: ['ann'] },
      ],
      teams: [['ben'], ['cat']],
      regions: ['eu'],
    };
    expect(idsIn(job)).toEqual([
      { of: 'match', id: 'mat_1' },
      { of: 'queue', id: '5v5' },
      { of: 'ticket', id: 'tkt_1' },
      { of: 'player', id: 'ann' },
      { of: 'player', id: 'ben' },
      { of: 'ticket', id: 'tkt_2' },
      { of: 'player', id: 'cat' },
    ]);
    expect(idsIn(job, 2)).toHaveLength(2);
    expect(idsIn(null)).toEqual([]);
  });
});
