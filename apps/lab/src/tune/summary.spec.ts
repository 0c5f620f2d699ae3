import { defaultPoolRules } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import type { Attempt, Tuned } from './search.js';
import { tunedText } from './summary.js';

const attempt = (model: string, choosing: number, from: number, to: number): Attempt => ({
  rules: { ...defaultPoolRules, model, parameters: {} },
  choosing,
  judged: 0.6,
  gain: { mean: (from + to) / 2, from, to },
  stacked: null,
});
const now = attempt('elo', 0.65, 0, 0);

function verdictOf(attempts: readonly Attempt[], best: Attempt | null): string {
  const tuned: Tuned = {
    matches: 500,
    choosingMatches: 300,
    judgedMatches: 100,
    now,
    attempts,
    notApplicable: [],
    same: [],
    lead: null,
    better: null,
    best,
  };
  return tunedText('a pool', null, tuned).at(-1) ?? '';
}

describe('the verdict of tuning', () => {
  it('does not call a gain chance whose interval is above 0: the choosing matches spoke against it', () => {
    const other = attempt('glicko2', 0.66, 0.0012, 0.015);
    expect(verdictOf([other], other)).toMatch(
      /predict the choosing matches no better \(log-loss 0.6600, now 0.6500\)/,
    );
  });

  it('names rules that may be chosen only', () => {
    const [refused, other] = [attempt('glicko2', 0.6, 0.001, 0.01), attempt('trueskill', 0.64, -0.001, 0.01)];
    expect(verdictOf([refused, other], other)).toMatch(/trueskill.* may be chance/);
    expect(verdictOf([refused], null)).toMatch(/no others/);
  });

  it('calls a loss a loss', () => {
    const other = attempt('glicko2', 0.64, -0.02, -0.01);
    expect(verdictOf([other], other)).toMatch(/a loss/);
  });
});
