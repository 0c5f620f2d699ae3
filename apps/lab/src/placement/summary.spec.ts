import type { SkillRegression } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { asJsonLine, asText } from './summary.js';

const column = (name: string) => ({
  feature: { kind: 'number' as const, name },
  mean: 0,
  deviation: 1,
  least: 0,
  most: 1,
});
const model: SkillRegression = {
  columns: [column('kills'), column('deaths')],
  weights: [0.5, -1.25],
  intercept: 25,
  ridge: 0.1,
  window: 9.87,
  wobble: 1,
  fit: {
    rows: 2_000,
    players: 40,
    matches: 250,
    samples: 200,
    r2: 0.4,
    heldOutR2: 0.35,
    heldOutError: 1.5,
    heldOutAbsoluteError: 1.2,
    errorOfMean: 1.9,
  },
};
const summary = { file: 'stats.csv', refused: 2, incomplete: 0, ratedBy: 'some-model', model, poor: null };

describe('asText', () => {
  it('shows the quality of the fit and its coefficients', () => {
    const text = asText(summary);
    expect(text).toMatch(/^stats\.csv: 2,000 rows, 250 matches, 40 players, 2 refused\n/);
    expect(text).toMatch(/^ {2}R², held out +0\.350 /m);
    expect(text).toMatch(/^ {2}error, held out +1\.500 .*\n {2}error of the mean +1\.900 /m);
    expect(text).toMatch(/\n {2}deaths +−1\.250\n {2}kills +\+0\.500\n$/);
    expect(text).toContain('Good enough to place newcomers.');
    expect(asText({ ...summary, incomplete: 30 })).toMatch(/, 2 refused, 30 rows left out as incomplete\n/);
    expect(asText({ ...summary, poor: 'Too poor.' })).toContain(
      'would not place newcomers by this: Too poor.',
    );
  });
});

describe('asJsonLine', () => {
  it('is one line', () => {
    const line = asJsonLine(summary);
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(JSON.parse(line)).toMatchObject({
      rows: 2_000,
      players: 40,
      r2: 0.4,
      heldOutR2: 0.35,
      rmse: 1.5,
      rmseOfMean: 1.9,
      usable: true,
      coefficients: [
        { stat: 'deaths', weight: -1.25 },
        { stat: 'kills', weight: 0.5 },
      ],
    });
  });
});
