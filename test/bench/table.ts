import { aimsOf, growthOf, type RowReport } from './report.js';

/** Colours a verdict, or returns it unchanged. */
export type Paint = (isGood: boolean, text: string) => string;

const columns = (
  'row, weights, players, pools, p50 ms, p99 ms, proven, MB, operations, ' +
  'Gosper p50 ms, enumeration p50 ms, ratio to Gosper, slowest pool, aim'
).split(', ');

/** The rows and the growth of the work as Markdown tables. */
export function tablesOf(rows: readonly RowReport[], paint: Paint): string {
  const growth = growthOf(rows).map((step) => [
    step.row,
    `${step.from} → ${step.to}`,
    `${step.ours.toFixed(2)}×`,
    step.gosper === null ? '–' : `${step.gosper.toFixed(2)}×`,
    step.enumeration === null ? '–' : `${step.enumeration.toFixed(2)}×`,
    verdict({ met: [], missed: [], [step.ours <= step.most ? 'met' : 'missed']: [`≤ ${step.most}×`] }, paint),
  ]);
  return [
    grid(
      columns,
      rows.map((row) => cellsOf(row, paint)),
    ),
    ...(growth.length > 0
      ? [
          'Growth of the operations for four players more (doubles):',
          grid(['row', 'players', 'ours', 'Gosper', 'enumeration', 'aim'], growth),
        ]
      : []),
  ].join('\n\n');
}

function cellsOf(row: RowReport, paint: Paint): string[] {
  return [
    row.row,
    row.weights,
    `${row.n}${row.shape === null ? '' : ` (${row.shape})`}`,
    `${row.pools}`,
    number(row.p50Ms),
    number(row.p99Ms),
    row.proven === 1 ? 'all' : `${number(100 * row.proven)} %`,
    number(row.peakMb),
    row.operations.toLocaleString('en-US'),
    besideCell(row.gosperP50Ms, row.gosperCapped),
    besideCell(row.enumerationP50Ms, row.enumerationCapped),
    besideCell(row.ratio, row.gosperCapped),
    row.slowest,
    verdict(aimsOf(row), paint),
  ];
}

function besideCell(value: number | null, capped: boolean): string {
  return value === null ? '–' : `${capped ? '> ' : ''}${number(value)}`;
}

function verdict({ met, missed }: { met: string[]; missed: string[] }, paint: Paint): string {
  return [
    ...met.map((says) => paint(true, `${says}: met`)),
    ...missed.map((says) => paint(false, `${says}: missed`)),
  ].join(', ');
}

/** Three digits; integers in full. */
export function number(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value === 0 ? '0' : value < 0.001 ? value.toExponential(0) : `${Number(value.toPrecision(3))}`;
}

/** A Markdown table with minimal column widths. */
export function grid(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) =>
    Math.max(...[title, ...lines.map((line) => line[i] ?? '')].map(seen)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - seen(cell))).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...lines.map(line)].join(
    '\n',
  );
}

/** The width of a text on a terminal, without colour codes. */
function seen(text: string): number {
  const [first = '', ...coloured] = text.split('\u001b');
  return coloured.reduce((length, part) => length + part.length - part.indexOf('m') - 1, first.length);
}
