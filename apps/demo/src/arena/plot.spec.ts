import { describe, expect, it } from 'vitest';
import { tracesPlot } from './plot.js';

describe('tracesPlot', () => {
  it('draws a line for each server, with the limits of fairness', () => {
    const moments = [
      { at: 0.25, chance: 0.5 },
      { at: 0.5, chance: 0.7 },
    ];
    const svg = tracesPlot([
      { policy: 'synelo', moments },
      { policy: 'none', moments },
    ]);
    expect(svg).toMatch(/^<svg/);
    expect([...svg.matchAll(/<path class="line"/g)]).toHaveLength(2);
    expect(svg).toContain('synelo goes from 50 to 70, none: nobody is moved goes from 50 to 70');
    expect(svg).toContain('>40 %<');
    expect(svg).toContain('>60 %<');
  });
});
