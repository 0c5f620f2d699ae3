import { describe, expect, it } from 'vitest';
import { reportLines, type ArenaReport } from './report.js';

const report: ArenaReport = {
  demo: 'arena',
  seconds: 30.25,
  plot: '/data/arena.svg',
  servers: [
    { policy: 'synelo', fairShare: 0.754, moves: 12, playersMoved: 9, scrambles: 1, roundsRated: 6 },
    { policy: 'none', fairShare: null, moves: 0, playersMoved: 0, scrambles: 0, roundsRated: 6 },
  ],
};

describe('reportLines', () => {
  it('shows both servers side by side, and the path of the plot', () => {
    expect(reportLines(report)).toEqual([
      '',
      '30 s                 with synelo  without',
      'fair time (40–60 %)       75.4 %        -',
      'moves                         12        0',
      'players moved                  9        0',
      'scrambles                      1        0',
      'rounds rated                   6        6',
      '',
      'So short a run is mostly chance; some minutes show what the policy does.',
      'The win probability of both matches over time: /data/arena.svg',
    ]);
  });

  it('omits the warning about chance after some minutes', () => {
    expect(reportLines({ ...report, seconds: 150 }).join('\n')).not.toContain('chance');
  });

  it('omits a plot that was not drawn, and says when nobody played', () => {
    expect(reportLines({ ...report, plot: null }).join('\n')).not.toContain('over time');
    expect(reportLines({ ...report, servers: [] })).toEqual(['Nobody has played yet.']);
  });
});
