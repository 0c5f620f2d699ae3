import { describe, expect, it } from 'vitest';
import { asJsonLine, table, type Summary } from './summary.js';

const summary: Summary = {
  file: 'season.csv',
  pool: 'season',
  matches: 12,
  new: 8,
  known: 3,
  refused: 1,
  scored: { matches: 10, decided: 9, accuracy: 2 / 3, logLoss: 0.61234, brier: 0.2 },
  last80: { matches: 0, decided: 0, accuracy: 0, logLoss: 0, brier: 0 },
  manyTeams: 1,
};

describe('table', () => {
  it('shows the counts and the quality of the predictions', () => {
    expect(table(summary).split('\n')).toEqual([
      'season.csv in pool season',
      '',
      '  matches read           12',
      '  rated now               8 new',
      '  known before            3',
      '  refused rows            1',
      '',
      'Predictions made before each match   matches  decided  accuracy  log-loss   Brier',
      '  two teams                               10        9     0.667     0.612   0.200',
      '  last 80 % of the decided                 0        0         –         –       –',
      '  more than two teams                      1  (not scored)',
      '',
    ]);
  });
});

describe('asJsonLine', () => {
  it('is one line; a figure without matches is null', () => {
    const line = asJsonLine(summary);
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(JSON.parse(line)).toEqual({
      ...summary,
      last80: { matches: 0, decided: 0, accuracy: null, logLoss: null, brier: null },
    });
  });
});
