import { describe, expect, it } from 'vitest';
import { byMatch, compare, decisionsAfter, type Conflict } from './conflict.js';

const report = (conflictId: number, matchId: string, body: unknown, as?: 'kept' | 'other'): Conflict => ({
  conflictId,
  matchId,
  reportedBy: 'eu-1',
  reason: 'A result counts already.',
  receivedAt: conflictId,
  body,
  decision: as ? { as, at: 1, by: 'ann', reason: 'seen' } : null,
});

const player = (playerId: string, team: number) => ({ playerId, team });
const match = {
  ranks: [1, 2],
  scores: [16, 9],
  players: [player('ben', 0), player('ann', 0), player('cat', 1)],
} as unknown as Parameters<typeof compare>[0];

describe('results that contradict each other', () => {
  it('are grouped by match, with the decision about it', () => {
    const groups = byMatch([report(3, 'mat_1', {}), report(2, 'mat_2', {}, 'kept'), report(1, 'mat_1', {})]);
    expect(groups.map(({ matchId, reports, decision }) => [matchId, reports.length, decision?.as])).toEqual([
      ['mat_1', 2, undefined],
      ['mat_2', 1, 'kept'],
    ]);
  });

  it('stand beside each other line by line', () => {
    const lines = compare(match, [
      report(1, 'mat_1', { winner: 1, scores: [9, 16], leavers: ['cat'] }),
      report(2, 'mat_1', { ranks: [1, 2], teams: [['ann', 'ben'], ['cat']] }),
    ]);
    expect(lines).toEqual([
      { what: 'Team 1, rank', counted: '1', others: ['2', '1'], differs: true },
      { what: 'Team 1, score', counted: '16', others: ['9', null], differs: true },
      { what: 'Team 1, players', counted: ['ann', 'ben'], others: [null, ['ann', 'ben']], differs: false },
      { what: 'Team 2, rank', counted: '2', others: ['1', '2'], differs: true },
      { what: 'Team 2, score', counted: '9', others: ['16', null], differs: true },
      { what: 'Team 2, players', counted: ['cat'], others: [null, ['cat']], differs: false },
      { what: 'Players who left', counted: null, others: [['cat'], null], differs: true },
    ]);
  });

  it('are shown as far as they are known', () => {
    expect(compare(match, [report(1, 'mat_1', { ranks: 'none' })])[0]).toEqual({
      what: 'Team 1, rank',
      counted: '1',
      others: [null],
      differs: false,
    });
  });
});

it('a later decision takes the place of a weaker one', () => {
  const decided = (as: 'kept' | 'other' | 'void') => decisionsAfter({ as, at: 1, by: 'ann', reason: 'seen' });
  expect(decisionsAfter(null)).toEqual(['kept', 'other', 'void']);
  expect(decided('kept')).toEqual(['other', 'void']);
  expect(decided('void')).toEqual([]);
});
