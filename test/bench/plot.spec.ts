import { describe, expect, it } from 'vitest';
import { growthPlot } from './plot.js';

type Plotted = Parameters<typeof growthPlot>[0][number];

function row(n: number, more: Partial<Plotted> = {}): Plotted {
  return {
    row: 'T1',
    weights: 'doubles',
    n,
    operations: 4 ** (n / 4),
    p50Ms: n / 10,
    gosperOperations: null,
    gosperP50Ms: null,
    gosperCapped: false,
    enumerationOperations: null,
    enumerationP50Ms: null,
    enumerationCapped: false,
    ...more,
  };
}

/** Heights of the dots of a panel's line, left to right. */
function heights(svg: string, name: string, panel: number): number[] {
  const group = svg.split(`<title>${name}</title>`)[panel + 1]?.split('</g>')[0] ?? '';
  return [...group.matchAll(/cy="([\d.]+)"/g)].map(([, y]) => Number(y));
}

describe('the growth plot', () => {
  it('draws exponential growth as a straight line', () => {
    const [a = 0, b = 0, c = 0] = heights(growthPlot([row(16), row(20), row(24)]), 'two teams: Muster', 0);

    expect(b - a).toBeLessThan(0);
    expect(c - b).toBeCloseTo(b - a, 0);
  });

  it('draws no line through cut-off values, but marks that they lie above', () => {
    const svg = growthPlot([
      row(16, { gosperOperations: 100, gosperP50Ms: 5 }),
      row(20, { gosperP50Ms: 20_000, gosperCapped: true }),
    ]);

    expect(heights(svg, 'two teams: Gosper', 0)).toHaveLength(1);
    expect(heights(svg, 'two teams: Gosper', 1)).toHaveLength(1);
    expect(svg.match(/more than this<\/title>/g)).toHaveLength(1);
  });

  it('omits integers and lines without points', () => {
    const svg = growthPlot([row(16), row(20), row(100, { weights: 'integers' })]);

    expect(svg).not.toContain('every size');
    expect(heights(svg, 'two teams: Muster', 0)).toHaveLength(2);
  });

  it('is one image with a title for every input', () => {
    for (const rows of [[], [row(16)], [row(16, { operations: 0 })]]) {
      const svg = growthPlot(rows);

      expect(svg).toMatch(/^<svg [^>]+>/);
      expect(svg).toContain('<title id="title">');
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});
