import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { message } from '../messages/index.js';
import { decideReport, firstReports, type ReportFacts } from './report.js';

const now = 1_700_000_000_000;
const report: ReportFacts = {
  externalId: 'ext',
  digest: 'd',
  reportedBy: 'a-server',
  teams: [['ann'], ['bob']],
  ranks: [1, 2],
};
const known = { matchId: 'm', digest: 'd', prediction: [0.4, 0.6] };

describe('decideReport', () => {
  it('counts the first report of a match', () => {
    expect(decideReport(null, report, now)).toEqual({
      outcome: { outcome: 'fresh' },
      changes: null,
      jobs: [],
    });
  });

  it('answers a repeat as the report that counted, and changes nothing', () => {
    expect(decideReport(known, { ...report, reportedBy: 'another' }, now)).toEqual({
      outcome: { outcome: 'again', matchId: 'm', prediction: [0.4, 0.6] },
      changes: null,
      jobs: [],
    });
  });

  it.each(['e', null])('keeps a report for operators when another one counted (%s)', (digest) => {
    expect(decideReport({ ...known, digest }, report, now)).toEqual({
      outcome: { outcome: 'contradicts', matchId: 'm', prediction: [0.4, 0.6] },
      changes: {
        matchId: 'm',
        conflict: {
          reportedBy: 'a-server',
          reason: message('result.other-known', { externalId: 'ext' }),
          digest: 'd',
          body: { teams: [['ann'], ['bob']], ranks: [1, 2] },
          receivedAt: now,
        },
      },
      jobs: [],
    });
  });
});

describe('firstReports', () => {
  it('takes of those that come at once the first of each match, in the order given', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 });
    fc.assert(
      fc.property(ids, (externalIds) => {
        const reports = externalIds.map((externalId, i) => ({ i, match: { externalId } }));
        expect(firstReports(reports).map(({ i }) => i)).toEqual(
          [...new Set(externalIds)].map((externalId) => externalIds.indexOf(externalId)),
        );
      }),
    );
  });
});
