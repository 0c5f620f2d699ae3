import { describe, expect, it } from 'vitest';
import { besideText, comparisons, moreThan, type Round } from './beside.js';

const cost = (all: number) => ({
  all,
  withIdle: all + 1,
  by: { queue: all / 2, redis: all / 2 },
  tickets: 900,
  series: 700,
});
const rounds: Round[] = [
  [cost(1.02), cost(1)],
  [cost(2.08), cost(2)],
];

describe('what a part of Muster costs', () => {
  it('is the mean of the rounds, each against its own neighbour, with the standard error', () => {
    const { percent, error } = moreThan(rounds);
    expect(percent).toBeCloseTo(3, 10);
    expect(error).toBeCloseTo(1, 10);
  });

  it('is told by round and process, with a verdict and a line of JSON', () => {
    const { metrics } = comparisons;
    if (!metrics) throw new Error('there is such a comparison');
    const text = besideText('metrics', metrics, rounds, (_, words) => words);
    expect(text).toContain(
      'with metrics: 3.00 % ± 1.00 more (1.83 % with the idle share); under 3 %: missed.',
    );
    expect(text).toContain('after 900 tickets: 700.');
    expect(text).toMatch(/\| redis +\| +0\.775 +\| +0\.750 +\| +0\.025 +\|/);
    expect(JSON.parse(text.slice(text.lastIndexOf('\n') + 1))).toMatchObject({
      beside: 'metrics',
      mostPercent: 3,
    });
  });
});
