import { describe, expect, it } from 'vitest';
import { figuresOf, type Judged } from './figures.js';

const win = (chance: number): Judged => ({ prediction: [chance, 1 - chance], ranks: [1, 2] });
const loss = (chance: number): Judged => ({ prediction: [chance, 1 - chance], ranks: [2, 1] });
const draw = (chance: number): Judged => ({ prediction: [chance, 1 - chance], ranks: [1, 1] });

describe('figuresOf', () => {
  it('counts a draw as ½ in log-loss and Brier, and not in accuracy', () => {
    const { scored } = figuresOf([win(0.8), loss(0.8), draw(0.8)]);
    expect(scored).toMatchObject({ matches: 3, decided: 2, accuracy: 0.5 });
    const [yes, no] = [-Math.log(0.8), -Math.log(0.2)];
    expect(scored.logLoss).toBeCloseTo((yes + no + (yes + no) / 2) / 3, 12);
    expect(scored.brier).toBeCloseTo((0.04 + 0.64 + 0.09) / 3, 12);
  });

  it('scores only the last 80 % of the decided matches', () => {
    const early = Array.from({ length: 2 }, () => loss(0.9));
    const late = Array.from({ length: 8 }, () => win(0.9));
    const { last80 } = figuresOf([...early, draw(0.5), ...late, draw(0.5)]);
    expect(last80).toMatchObject({ matches: 8, decided: 8, accuracy: 1 });
    expect(last80.logLoss).toBeCloseTo(-Math.log(0.9), 12);
  });

  it('counts matches of more teams separately', () => {
    const { scored, manyTeams } = figuresOf([win(0.6), { prediction: [0.2, 0.3, 0.5], ranks: [3, 2, 1] }]);
    expect(scored.matches).toBe(1);
    expect(manyTeams).toBe(1);
  });

  it('is null without matches', () => {
    expect(figuresOf([])).toMatchObject({ scored: { matches: 0 }, last80: { matches: 0 }, manyTeams: 0 });
  });
});
