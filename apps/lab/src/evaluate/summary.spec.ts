import { describe, expect, it } from 'vitest';
import { asJsonLine, asTable, type Summary } from './summary.js';
import type { Timed } from './trials.js';

function timed(model: string, logLoss: number, more: Partial<Timed> = {}): Timed {
  const judgement = {
    accuracy: 2 / 3,
    logLoss,
    brier: 0.2,
    reliability: [{ count: 30, predicted: 0.62, happened: 0.6 }],
  };
  return {
    model,
    raw: { ...judgement, logLoss: 0.7 },
    calibrated: judgement,
    scored: 80,
    skipped: 0,
    skippedFor: null,
    scale: { mean: 0.5, sd: 0.1 },
    offsets: {},
    seconds: 1.26,
    ...more,
  };
}

const summary: Summary = {
  file: 'season.csv',
  matches: 1_000,
  players: 20,
  refused: 1,
  scored: 80,
  scoredRaces: 0,
  aggregation: 'mean',
  situations: 'none, as asked.',
  models: [timed('elo', 0.61234), timed('glicko2', 0.6)],
  notApplicable: [{ model: 'pub-power', reason: 'It needs places.' }],
};

describe('asTable', () => {
  it('lists the models from the best, and the inapplicable ones', () => {
    expect(asTable(summary).split('\n')).toEqual([
      'season.csv: 1,000 matches, 20 players, 1 row refused',
      'Situations: none, as asked.',
      'Teams of different size: mean (a team counts as if it were of mean size).',
      '',
      'Every match is predicted, then rated. The figures are over the last 80 % of the decided matches: 80.',
      'Calibrated: scaled by what was learned up to each match; the scale shown is that of the end. * is the best.',
      '',
      '                                  raw                      calibrated',
      '  model    accuracy  log-loss   Brier      accuracy  log-loss   Brier   scale   seconds',
      '* glicko2     0.667    0.7000  0.2000         0.667    0.6000  0.2000    0.50       1.3',
      '  elo         0.667    0.7000  0.2000         0.667    0.6123  0.2000    0.50       1.3',
      '',
      'Not applicable to this file:',
      '  pub-power: It needs places.',
      '',
    ]);
  });

  it('explains the scoring of races, and lists skipped matches', () => {
    const models = [timed('elo', 0.6, { skipped: 3, skippedFor: 'It knows two sides.' })];
    const text = asTable({ ...summary, models, scoredRaces: 7 });
    expect(text).toContain('\n7 of them are of more than two teams: there every pair of teams');
    expect(text).toContain('\n  elo: 3 of 1000. It knows two sides.\n');
    expect(asTable({ ...summary, scoredRaces: 80 })).toContain('\nAll are of more than two teams');
    expect(asTable({ ...summary, models: [] })).toContain('No model could be evaluated.');
  });
});

describe('models that predict the same', () => {
  const models = [timed('elo', 0.61234), timed('one', 0.6), timed('other', 0.6)];

  it('are shown once, and named', () => {
    const text = asTable({ ...summary, models });
    expect(text).toContain('\n* one ');
    expect(text).not.toContain('\n  other ');
    expect(text).toContain('\nModels that predict the same on this file, so shown once:\n  one, other.\n');
    expect(asTable(summary)).not.toContain('shown once');
  });

  it('are all in the JSON line, each with its twin', () => {
    const parsed = JSON.parse(asJsonLine({ ...summary, models })) as { models: unknown[] };
    expect(parsed.models).toMatchObject([
      { model: 'one', sameAs: null },
      { model: 'other', sameAs: 'one' },
      { model: 'elo', sameAs: null },
    ]);
  });
});

describe('asJsonLine', () => {
  it('is one line with the figures of each model', () => {
    const line = asJsonLine(summary);
    expect(line.indexOf('\n')).toBe(line.length - 1);
    const { models, ...rest } = JSON.parse(line) as { models: unknown[] };
    expect(rest).toMatchObject({
      file: 'season.csv',
      matches: 1_000,
      refused: 1,
      notApplicable: [{ model: 'pub-power', reason: 'It needs places.' }],
    });
    expect(models[0]).toMatchObject({
      model: 'glicko2',
      raw: { accuracy: 2 / 3, logLoss: 0.7, brier: 0.2 },
      calibrated: { logLoss: 0.6, reliability: [{ count: 30, predicted: 0.62, happened: 0.6 }] },
    });
  });
});
