import type { RowReport } from './report.js';

type Plotted = Pick<
  RowReport,
  | 'row'
  | 'weights'
  | 'n'
  | 'operations'
  | 'p50Ms'
  | 'gosperOperations'
  | 'gosperP50Ms'
  | 'gosperCapped'
  | 'enumerationOperations'
  | 'enumerationP50Ms'
  | 'enumerationCapped'
>;

interface Point {
  readonly n: number;
  readonly value: number;
}

interface Line {
  readonly name: string;
  readonly style: 'one' | 'every' | 'plain';
  readonly dashed: boolean;
  readonly points: readonly Point[];
  /** Cut off: the true value lies above. */
  readonly above: readonly Point[];
}

interface Panel {
  readonly title: string;
  readonly left: number;
  readonly lines: readonly Line[];
}

const size = { width: 960, height: 470 };
const plot = { width: 370, height: 300, top: 70 };

/** How operations and time grow with the players, as SVG: doubles, log scales, one line a method. */
export function growthPlot(rows: readonly Plotted[]): string {
  const operations = panel('Operations (median)', 70, rows, (row) => [
    row.operations,
    row.gosperOperations,
    row.enumerationOperations,
  ]);
  const times = panel('Milliseconds (p50)', 550, rows, (row) => [
    row.p50Ms,
    row.gosperP50Ms,
    row.enumerationP50Ms,
  ]);
  const ns = [operations, times]
    .flatMap(({ lines }) => lines.flatMap(({ points }) => points))
    .map(({ n }) => n);
  const range = { from: Math.min(...ns, 16), to: Math.max(...ns, 40) };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="title what" font-family="system-ui, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="13">`,
    '  <title id="title">How the work grows with the players</title>',
    `  <desc id="what">${describe([operations, times])}</desc>`,
    style,
    `  <rect class="panel" x="0.5" y="0.5" width="${size.width - 1}" height="${size.height - 1}" rx="12" />`,
    ...[operations, times].flatMap((each) => drawPanel(each, range)),
    ...legend(operations.lines),
    '</svg>',
    '',
  ].join('\n');
}

const inks = { one: '#1f5fbf', every: '#b8500a', plain: '#5d6875' };
const inksInTheDark = { one: '#6ea8ff', every: '#ff9d5c', plain: '#a9b4c2' };

function inked(colours: typeof inks, indent: string): string {
  return Object.entries(colours)
    .map(
      ([kind, colour]) =>
        `${indent}.${kind} .line, .${kind} .above { stroke: ${colour}; }\n${indent}.${kind} .dot { fill: ${colour}; }`,
    )
    .join('\n');
}

const style = `  <style>
    /* The panel is opaque, so the picture can be read on any page; where a dark one is preferred it turns dark itself. */
    .panel { fill: #ffffff; stroke: #d3dae3; }
    .grid { stroke: #e3e8ee; }
    .word { fill: #3d4753; }
    .name { fill: #12171f; font-weight: 600; }
    .line { fill: none; stroke-width: 2; }
    .above { fill: none; stroke-width: 1.5; }
    .dashed { stroke-dasharray: 6 4; }
${inked(inks, '    ')}
    @media (prefers-color-scheme: dark) {
      .panel { fill: #12171f; stroke: #39424f; }
      .grid { stroke: #2a323d; }
      .word { fill: #b8c3d1; }
      .name { fill: #f0f4f9; }
${inked(inksInTheDark, '      ')}
    }
  </style>`;

type Values = (row: Plotted) => readonly [number, number | null, number | null];

function panel(title: string, left: number, rows: readonly Plotted[], values: Values): Panel {
  const line = (
    name: string,
    row: Plotted['row'],
    style_: Line['style'],
    which: 0 | 1 | 2,
    isCapped: (row: Plotted) => boolean,
  ): Line => {
    const own = rows
      .filter((each) => each.row === row && each.weights === 'doubles')
      .toSorted((a, b) => a.n - b.n);
    const points = (capped: boolean): Point[] =>
      own.flatMap((each) => {
        const value = values(each)[which];
        return value !== null && value > 0 && isCapped(each) === capped ? [{ n: each.n, value }] : [];
      });
    return { name, style: style_, dashed: which > 0, points: points(false), above: points(true) };
  };
  const never = (): boolean => false;
  const gosper = (row: Plotted): boolean => row.gosperCapped;
  const lines = [
    line('two teams: Muster', 'T1', 'one', 0, never),
    line('two teams: Gosper', 'T1', 'one', 1, gosper),
    line('every size: Muster', 'T2-top', 'every', 0, never),
    line('every size: Gosper', 'T2-top', 'every', 1, gosper),
    line('two teams: enumeration', 'T1', 'plain', 2, (row) => row.enumerationCapped),
  ];
  return { title, left, lines: lines.filter(({ points, above }) => points.length + above.length > 0) };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function drawPanel({ title, left, lines }: Panel, players: Range): string[] {
  const values = lines.flatMap(({ points, above }) => [...points, ...above]).map(({ value }) => value);
  const low = Math.floor(Math.log10(Math.min(...values, 1e3)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values, 1e-3))));
  const x = (n: number): number =>
    round(left + ((n - players.from) / (players.to - players.from || 1)) * plot.width);
  const y = (value: number): number =>
    round(plot.top + plot.height * (1 - (Math.log10(value) - low) / (high - low)));
  const bottom = plot.top + plot.height;
  const powers = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  const sizes = Array.from(
    { length: Math.floor((players.to - players.from) / 4) + 1 },
    (_, i) => players.from + 4 * i,
  );
  return [
    `  <text class="name" x="${left}" y="${plot.top - 22}">${title}</text>`,
    ...powers.flatMap((power) => [
      `  <line class="grid" x1="${left}" x2="${left + plot.width}" y1="${y(10 ** power)}" y2="${y(10 ** power)}" />`,
      `  <text class="word" x="${left - 8}" y="${y(10 ** power) + 4}" text-anchor="end">${powerOfTen(power)}</text>`,
    ]),
    ...sizes.map(
      (n) => `  <text class="word" x="${x(n)}" y="${bottom + 20}" text-anchor="middle">${n}</text>`,
    ),
    `  <text class="word" x="${left + plot.width / 2}" y="${bottom + 38}" text-anchor="middle">players</text>`,
    ...lines.flatMap((line) => drawLine(line, x, y)),
  ];
}

function drawLine(
  { name, style: kind, dashed, points, above }: Line,
  x: (n: number) => number,
  y: (value: number) => number,
): string[] {
  const path = points.map(({ n, value }) => `${x(n)},${y(value)}`).join(' ');
  return [
    `  <g class="${kind}"><title>${name}</title>`,
    ...(points.length > 1
      ? [`    <polyline class="line${dashed ? ' dashed' : ''}" points="${path}" />`]
      : []),
    ...points.map(({ n, value }) => `    <circle class="dot" cx="${x(n)}" cy="${y(value)}" r="3" />`),
    ...above.map(
      ({ n, value }) =>
        `    <path class="above" d="M${x(n) - 5} ${y(value) + 4} h10 l-5 -9 z"><title>more than this</title></path>`,
    ),
    '  </g>',
  ];
}

function legend(lines: readonly Line[]): string[] {
  const top = plot.top + plot.height + 62;
  return [
    ...lines.flatMap(({ name, style: kind, dashed }, i) => {
      const left = 70 + (i % 3) * 230;
      const middle = top + Math.floor(i / 3) * 20;
      return [
        `  <g class="${kind}"><line class="line${dashed ? ' dashed' : ''}" x1="${left}" x2="${left + 34}" y1="${middle}" y2="${middle}" /></g>`,
        `  <text class="word" x="${left + 42}" y="${middle + 4}">${name}</text>`,
      ];
    }),
    `  <g class="plain"><path class="above" d="M772 ${top + 4} h10 l-5 -9 z" /></g>`,
    `  <text class="word" x="790" y="${top + 4}">cut off: more than this</text>`,
  ];
}

function describe(panels: readonly Panel[]): string {
  return panels
    .map(({ title, lines }) => {
      const said = lines.flatMap(({ name, points }) => {
        const last = points.at(-1);
        return last
          ? [`${name} ${Number(last.value.toPrecision(2)).toLocaleString('en-US')} at ${last.n} players`]
          : [];
      });
      return `${title}: ${said.join(', ')}.`;
    })
    .join(' ');
}

/** Four digits are written, more as a power. */
function powerOfTen(power: number): string {
  if (power >= -2 && power <= 3) return `${Number((10 ** power).toPrecision(1))}`;
  return `10<tspan dy="-5" font-size="9">${power}</tspan>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
