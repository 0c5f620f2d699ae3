import type { CaseView } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { inkFor } from '@muster/command-line/terminal/ink';
import { caseText, listText } from './cases.js';

const plainInk = inkFor({}, {});

const found: CaseView = {
  caseId: 'cas_4fb6a88a01',
  pool: 'ladder',
  kind: 'collusion',
  players: ['ann', 'ben'],
  server: null,
  state: 'open',
  evidence: 412,
  byChance: 0.0243,
  matches: 9,
  matchId: 'mat_1',
  pro: [{ code: 'integrity.pair-met', params: {}, text: 'They met 9 times in 20 matches.' }],
  contra: [{ code: 'integrity.pair-hours', params: {}, text: 'Players of quiet hours meet again.' }],
  outdated: true,
  openedAt: 0,
  updatedAt: 0,
  raised: true,
  verdict: null,
  note: null,
  closedBy: null,
  closedAt: null,
};

describe('a case', () => {
  it('says what speaks for it and what against', () => {
    const text = caseText(found, plainInk).join('\n');
    expect(text).toContain('ann and ben: opponents who agree on outcomes (ladder, cas_4fb6a88a01)');
    expect(text).toContain('evidence 412 from 9 matches; by luck at most 2.4 % of honest ones');
    expect(text).toContain('the pool was rebuilt since, and the signal was not found again');
    expect(text).toMatch(/for\n +They met 9 times in 20 matches\.\n\nagainst\n +Players of quiet hours/);
    expect(text).not.toContain('closed');
  });

  it('says how it was closed', () => {
    const closed = {
      ...found,
      verdict: 'cleared',
      closedBy: 'operator',
      closedAt: 0,
      note: 'Brothers.',
    } as const;
    expect(caseText(closed, plainInk).at(-1)).toMatch(/^closed .+ by operator: cleared\. Brothers\.$/);
  });

  it('is a line of a list', () => {
    expect(listText([], false)).toEqual(['No case is open.']);
    expect(listText([], true)).toEqual(['No case was closed.']);
    const [head, line] = listText([found], false);
    expect(head).toMatch(/case +opened +pool +kind +about +evidence +remarks/);
    expect(line).toMatch(/cas_4fb6a88a01 .+ ladder +collusion +ann and ben +412 +the pool was rebuilt/);
  });
});
