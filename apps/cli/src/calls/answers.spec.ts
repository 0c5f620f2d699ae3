import { inkFor } from '@muster/command-line/terminal/ink';
import { describe, expect, it } from 'vitest';
import { factsOf, shown, tableOf } from './answers.js';

const ink = inkFor({}, {});
const at = Date.UTC(2026, 10, 27, 3, 5);

describe('a field', () => {
  it.each([
    ['endedAt', at, '2026-11-27 03:05'],
    ['until', at, '2026-11-27 03:05'],
    ['waitedMs', 750_000, '12 min'],
    ['matches', 12_345, '12,345'],
    ['position', 12_345, '12345'],
    ['share', 0.123_456_789, '0.123457'],
    ['silent', true, 'yes'],
    ['silent', false, ''],
    ['note', null, ''],
    ['players', ['ann', 'ben'], 'ann, ben'],
    ['before', { mu: 25, sigma: 8.3333 }, '25.00 ± 8.33'],
    ['after', { mu: 1_500, sigma: 350 }, '1500 ± 350'],
    ['division', { name: 'Gold', step: 3, of: 7 }, 'Gold'],
    ['ban', { reason: 'insults', until: at }, 'reason=insults until=2026-11-27 03:05'],
    ['session', { draining: false, note: '' }, 'draining=no'],
    ['reason', 'a\n  b', 'a b'],
  ])('%s %j is %j', (name, value, text) => {
    expect(shown(name, value)).toBe(text);
  });
});

describe('a table', () => {
  it('has words for names, and numbers to the right', () => {
    const items = [{ serverId: 'eu-1', slotsInUse: 12, heartbeatAt: at }];
    expect(tableOf(items, ['serverId', 'slotsInUse', 'heartbeatAt'], ink)).toEqual([
      'server  slots in use  heartbeat (UTC)',
      'eu-1              12  2026-11-27 03:05',
    ]);
  });
});

describe('facts', () => {
  it('are lines, objects below their name, and lists of objects as tables', () => {
    const answer = {
      matchId: 'mat_1',
      voided: true,
      reasonMessages: [{ code: 'x' }],
      absent: null,
      note: '',
      why: ['They are near.', 'They waited.'],
      rebuild: { matchId: 'mat_1', pool: 'ladder', state: 'running' },
      penalties: { matchId: 'mat_1', penalties: [] },
      pro: [{ code: 'a', text: 'They met.' }],
      players: [
        { playerId: 'ann', team: 0 },
        { playerId: 'ben', team: 1, leftAt: at },
      ],
    };
    expect(factsOf(answer, ink)).toEqual([
      'match   mat_1',
      'voided  yes',
      '',
      'why',
      '  They are near.',
      '  They waited.',
      '',
      'rebuild',
      '  pool   ladder',
      '  state  running',
      '',
      'pro',
      '  They met.',
      '',
      'players',
      '  player  team  left (UTC)',
      '  ann        0',
      '  ben        1  2026-11-27 03:05',
    ]);
  });
});
