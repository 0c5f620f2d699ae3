import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reliabilityPlot, type ReliabilityBin } from './reliability.js';
import { flawOfXml } from '@muster/testing';

const bin = (predicted: number, happened: number, count = 100): ReliabilityBin => ({
  predicted,
  happened,
  count,
});
const one = (bins: ReliabilityBin[]) => [{ name: 'elo', bins }];

interface Dot {
  readonly cx: number;
  readonly cy: number;
  readonly r: number;
}

function dots(svg: string): Dot[] {
  return [...svg.matchAll(/<circle class="dot" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"><title>/g)].map(
    ([, cx, cy, r]) => ({ cx: Number(cx), cy: Number(cy), r: Number(r) }),
  );
}

describe('the reliability plot', () => {
  it('puts calibrated chances on the diagonal, and others off it', () => {
    const svg = reliabilityPlot({ title: 'T', series: one([bin(0.2, 0.2), bin(0.8, 0.8), bin(0.6, 0.9)]) });
    const [, x1 = 0, x2 = 0, y1 = 0, y2 = 0] =
      /class="guide" x1="([\d.]+)" x2="([\d.]+)" y1="([\d.]+)" y2="([\d.]+)"/.exec(svg)?.map(Number) ?? [];
    const onDiagonal = ({ cx }: Dot): number => y1 + ((cx - x1) / (x2 - x1)) * (y2 - y1);
    const [a, b, c] = dots(svg);
    expect(a?.cy).toBeCloseTo(a ? onDiagonal(a) : NaN, 0);
    expect(b?.cy).toBeCloseTo(b ? onDiagonal(b) : NaN, 0);
    // Events more frequent than predicted are above, where y is smaller.
    expect(c?.cy).toBeLessThan((c ? onDiagonal(c) : NaN) - 20);
  });

  it('gives four times the predictions twice the radius', () => {
    const [a, b] = dots(
      reliabilityPlot({ title: 'T', series: one([bin(0.2, 0.2, 100), bin(0.8, 0.8, 400)]) }),
    );
    expect(b?.r).toBeCloseTo(2 * (a?.r ?? NaN), 1);
  });

  it('draws series of one panel together, with a legend', () => {
    const series = ['elo', 'glicko2'].flatMap((panel) =>
      ['calibrated', 'raw'].map((name) => ({ name, panel, bins: [bin(0.4, 0.5), bin(0.7, 0.6)] })),
    );
    const svg = reliabilityPlot({ title: 'T', series });
    expect(svg.match(/class="guide"/g)).toHaveLength(2);
    expect(dots(svg)).toHaveLength(8);
    expect(svg.match(/>raw<\/text>/g)).toHaveLength(1);
    expect(svg).toContain('glicko2: calibrated is off by 10.0 percentage points on average');
  });

  it('says when there is no data', () => {
    expect(reliabilityPlot({ title: 'T', series: [] })).toContain('There are no predictions to draw yet.');
    expect(reliabilityPlot({ title: 'T', series: one([]) })).toContain('No predictions to show.');
    expect(reliabilityPlot({ title: 'T', series: one([bin(0.5, 0.5, 0)]) })).toContain(
      'No predictions to show.',
    );
  });

  it('is valid XML without NaN for any input, and deterministic', () => {
    const part = fc.oneof(fc.double(), fc.double({ min: 0, max: 1 }));
    const series = fc.record({
      name: fc.string({ unit: 'binary' }),
      panel: fc.option(fc.string(), { nil: undefined }),
      bins: fc.array(fc.record({ predicted: part, happened: part, count: fc.double() }), { maxLength: 10 }),
    });
    fc.assert(
      fc.property(fc.string(), fc.array(series, { maxLength: 12 }), (title, all) => {
        const svg = reliabilityPlot({ title, series: all });
        expect(flawOfXml(svg)).toBeNull();
        expect(svg.replace(/>[^<]*</g, '><').replace(/="[^"0-9]*"/g, '')).not.toMatch(
          /NaN|Infinity|undefined/,
        );
        expect(reliabilityPlot({ title, series: all })).toBe(svg);
      }),
    );
  });
});
