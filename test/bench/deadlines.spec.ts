import { describe, expect, it } from 'vitest';
import { deadlineTable, summaryOf } from './deadlines.js';

describe('the report on deadlines', () => {
  const outcome = { bySwaps: 10, least: 1, rounding: 1e-9 };

  it('counts results worse than swaps, and worse than with a shorter deadline', () => {
    const reports = summaryOf([
      { ...outcome, differences: [12, 5, 6, 1] },
      { ...outcome, differences: [4, 2, 1, 1] },
      { ...outcome, differences: [3, 3, 3, 3], least: null },
    ]);

    expect(reports).toEqual([
      { ms: 5, problems: 3, worse: 1, rises: 0, ofSwaps: 0.4, known: 2, best: 0 },
      { ms: 20, problems: 3, worse: 0, rises: 0, ofSwaps: 0.3, known: 2, best: 0 },
      { ms: 100, problems: 3, worse: 0, rises: 1, ofSwaps: 0.3, known: 2, best: 1 },
      { ms: 1_000, problems: 3, worse: 0, rises: 0, ofSwaps: 0.1, known: 2, best: 2 },
    ]);
    expect(deadlineTable(reports, (_, text) => text)).toContain('never worse: missed');
  });

  it('tolerates rounding of sums', () => {
    const [report] = summaryOf([{ ...outcome, differences: [10 + 1e-10, 1, 1, 1] }]);

    expect(report?.worse).toBe(0);
  });
});
