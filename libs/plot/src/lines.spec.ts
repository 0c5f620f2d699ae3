import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesPlot, type LinesPanel } from './lines.js';
import { flawOfXml } from '@muster/testing';

const x = { label: 'matches', kind: 'number' } as const;
const panelOf = (points: [number, number][], more: Partial<LinesPanel> = {}): LinesPanel => ({
  title: 'Log-loss',
  lines: [{ name: 'elo', points: points.map(([at, y]) => ({ x: at, y })) }],
  ...more,
});

function paths(svg: string): string[] {
  return [...svg.matchAll(/<path class="line[^"]*" d="([^"]*)"/g)].map(([, d = '']) => d);
}

describe('the lines plot', () => {
  it('draws a straight line straight, from left to right and upwards', () => {
    const [d = ''] = paths(
      linesPlot({
        title: 'T',
        x,
        panels: [
          panelOf([
            [0, 1],
            [5, 2],
            [10, 3],
          ]),
        ],
      }),
    );
    const [[x0 = 0, y0 = 0] = [], [x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = d
      .slice(1)
      .split('L')
      .map((pair) => pair.split(',').map(Number));
    expect(x1 - x0).toBeCloseTo(x2 - x1, 2);
    expect(y1 - y0).toBeCloseTo(y2 - y1, 2);
    expect(x1).toBeGreaterThan(x0);
    expect(y1).toBeLessThan(y0);
  });

  it('writes a name beside its last dot on request, within the panel', () => {
    const plot = (named: boolean): string =>
      linesPlot({
        title: 'T',
        x,
        panels: [
          {
            title: 'P',
            lines: [
              { name: 'first', named, dots: true, points: [{ x: 0, y: 1 }] },
              { name: 'second', named, dots: true, points: [{ x: 10, y: 2 }] },
            ],
          },
        ],
      });
    const anchors = (svg: string, name: string): string[] =>
      [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)].flatMap(([, attributes = '', text]) =>
        text === name && attributes.includes('text-anchor')
          ? [/text-anchor="(\w+)"/.exec(attributes)?.[1] ?? '']
          : [],
      );
    expect(anchors(plot(true), 'first')).toEqual(['start']);
    expect(anchors(plot(true), 'second')).toEqual(['end']);
    expect(anchors(plot(false), 'first')).toEqual([]);
    // A legend would repeat them.
    expect(plot(true).match(/>first<\/text>/g)).toHaveLength(1);
    expect(plot(false).match(/>first<\/text>/g)).toHaveLength(1);
  });

  it('writes names of close dots one below the other', () => {
    const dot = (name: string, y: number) => ({ name, named: true, points: [{ x: 1, y }] });
    const svg = linesPlot({
      title: 'T',
      x,
      panels: [{ title: 'P', lines: [dot('first', 5), dot('second', 5), dot('far', 0), dot('third', 5)] }],
    });
    const heights = ['first', 'second', 'third'].map((name) =>
      Number(new RegExp(`y="([\\d.]+)"[^>]*>${name}</text>`).exec(svg)?.[1]),
    );
    expect(heights[1]! - heights[0]!).toBeGreaterThanOrEqual(11);
    expect(heights[2]! - heights[1]!).toBeGreaterThanOrEqual(11);
  });

  it('uses powers on a logarithmic axis, and omits points without a logarithm', () => {
    const svg = linesPlot({
      title: 'T',
      x: { label: 'wait', kind: 'log' },
      panels: [
        panelOf([
          [-1, 5],
          [0, 5],
          [1, 1],
          [10, 2],
          [100, 3],
        ]),
      ],
    });
    const [d = ''] = paths(svg);
    const xs = d
      .slice(1)
      .split('L')
      .map((pair) => Number(pair.split(',')[0]));
    expect(xs).toHaveLength(3);
    expect((xs[1] ?? 0) - (xs[0] ?? 0)).toBeCloseTo((xs[2] ?? 0) - (xs[1] ?? 0), 1);
    for (const tick of ['1', '2', '5', '10', '20', '50', '100']) expect(svg).toContain(`>${tick}</text>`);
    expect(svg).toContain('elo goes from 1 to 3');
  });

  it('has round ticks on a short logarithmic axis', () => {
    const panels = [
      panelOf([
        [41, 1],
        [73, 2],
      ]),
    ];
    const svg = linesPlot({ title: 'T', x: { label: 'wait', kind: 'log' }, panels });
    for (const tick of ['45', '50', '55', '60', '65', '70']) expect(svg).toContain(`>${tick}</text>`);
  });

  it('marks each point on request, and otherwise the last', () => {
    const points = [
      { x: 1, y: 1 },
      { x: 3, y: NaN },
      { x: 2, y: 4 },
    ];
    const marks = (dots?: boolean): number => {
      const panels = [{ title: 'P', lines: [{ name: 'a', points, dots }] }];
      return linesPlot({ title: 'T', x, panels }).match(/<circle/g)?.length ?? 0;
    };
    expect(marks()).toBe(1);
    expect(marks(true)).toBe(2);
  });

  it('leaves a gap where no value was measured', () => {
    const [d = ''] = paths(
      linesPlot({
        title: 'T',
        x,
        panels: [
          panelOf([
            [0, 1],
            [1, 2],
            [2, NaN],
            [3, 1],
            [4, 2],
          ]),
        ],
      }),
    );
    expect(d.match(/M/g)).toHaveLength(2);
  });

  it('shows guides and units, and one legend for all panels', () => {
    const lines = ['elo', 'glicko2'].map((name) => ({
      name,
      points: [
        { x: 0, y: 0.6 },
        { x: 1, y: 0.7 },
      ],
    }));
    const panels = [
      { title: 'Log-loss', lines, guide: [{ y: Math.LN2, label: 'coin flip' }] },
      { title: 'Drift', unit: 'points', lines },
    ];
    const svg = linesPlot({ title: 'T', x, panels });
    expect(svg.match(/class="guide"/g)).toHaveLength(1);
    expect(svg).toContain('>coin flip</text>');
    expect(svg).toContain('>Drift (points)</text>');
    expect(svg.match(/>glicko2<\/text>/g)).toHaveLength(1);
    expect(svg).toContain('Log-loss: elo goes from 0.6 to 0.7, glicko2 goes from 0.6 to 0.7.');
  });

  it('writes labels of guides beside the panel, one below the other', () => {
    const heights = fc.array(
      fc.record({ y: fc.double({ min: -5, max: 5, noNaN: true }), label: fc.string() }),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    fc.assert(
      fc.property(heights, fc.integer({ min: 1, max: 3 }), (guide, number) => {
        const panels = Array.from({ length: number }, () =>
          panelOf(
            [
              [0, -1],
              [9, 1],
            ],
            { guide },
          ),
        );
        const svg = linesPlot({ title: 'T', x, panels });
        const ends = [...svg.matchAll(/class="guide"[^>]* x2="([\d.]+)"/g)].map(([, end]) => Number(end));
        const labels = [
          ...svg.matchAll(
            /<text class="word" x="([\d.]+)" y="([-\d.]+)" text-anchor="start" font-size="[\d.]+"/g,
          ),
        ].map(([, at, height]) => ({ x: Number(at), y: Number(height) }));

        expect(labels).toHaveLength(guide.length * number);
        for (const [i, each] of labels.entries()) {
          expect(each.x).toBeGreaterThan(ends[i]!);
          const next = labels[i + 1];
          if (next && i % guide.length < guide.length - 1)
            expect(next.y - each.y).toBeGreaterThanOrEqual(10.8);
        }
      }),
    );
  });

  it('labels an axis of time in UTC', () => {
    const points: [number, number][] = [
      [Date.UTC(2024, 0, 1), 1],
      [Date.UTC(2024, 11, 31), 2],
    ];
    const svg = linesPlot({ title: 'T', x: { label: 'time', kind: 'time' }, panels: [panelOf(points)] });
    expect(svg).toMatch(/>(2024|April|July|October)<\/text>/);
  });

  it('says when there is no data', () => {
    expect(linesPlot({ title: 'T', x, panels: [] })).toContain('There is nothing to draw yet.');
    expect(linesPlot({ title: 'T', x, panels: [panelOf([])] })).toContain('Nothing measured yet.');
    expect(linesPlot({ title: 'T', x, panels: [{ title: 'A', lines: [] }] })).toContain(
      'Nothing measured yet.',
    );
  });

  it('draws a single point, a flat line and a long one', () => {
    const long = Array.from({ length: 200_000 }, (_, i): [number, number] => [i, 1]);
    for (const points of [
      [[3, 4]],
      [
        [0, 1],
        [1, 1],
      ],
      long,
    ] as [number, number][][]) {
      const svg = linesPlot({ title: 'T', x, panels: [panelOf(points)] });
      expect(flawOfXml(svg)).toBeNull();
      expect(paths(svg)[0]).not.toMatch(/NaN|Infinity/);
    }
  });

  it('is valid XML without NaN for any input, and deterministic', () => {
    const point = fc.record({ x: fc.double(), y: fc.double() });
    const line = fc.record({
      name: fc.string({ unit: 'binary' }),
      points: fc.array(point, { maxLength: 6 }),
    });
    const panel = fc.record({
      title: fc.string(),
      unit: fc.option(fc.string(), { nil: undefined }),
      lines: fc.array(line, { maxLength: 4 }),
      guide: fc.option(fc.array(fc.record({ y: fc.double(), label: fc.string() }), { maxLength: 2 }), {
        nil: undefined,
      }),
    });
    const kind = fc.constantFrom('time' as const, 'number' as const, 'log' as const);
    fc.assert(
      fc.property(fc.string(), kind, fc.array(panel, { maxLength: 4 }), (title, of, panels) => {
        const given = { title, x: { label: 'x', kind: of }, panels };
        const svg = linesPlot(given);
        expect(flawOfXml(svg)).toBeNull();
        expect(paths(svg).join(' ')).not.toMatch(/NaN|Infinity/);
        expect(linesPlot(given)).toBe(svg);
      }),
    );
  });
});
