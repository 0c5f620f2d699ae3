import { scaleLinear, scaleSqrt } from 'd3-scale';
import { line } from 'd3-shape';
import { fitting, framed, headHeight, margin } from './frame.js';
import { inkOf } from './inks.js';
import { legendOf } from './legend.js';
import { element, escapeXml, label, smallLabel } from './xml.js';

/** Predictions of about the same chance, and how often they came true. */
export interface ReliabilityBin {
  /** Mean of the chances predicted, 0 to 1. */
  readonly predicted: number;
  /** Share that came true, 0 to 1. */
  readonly happened: number;
  /** Number of predictions. A bin with 0 is omitted. */
  readonly count: number;
}

export interface ReliabilitySeries {
  readonly name: string;
  /** Series of the same panel are drawn together; its own name when absent. */
  readonly panel?: string | undefined;
  readonly bins: readonly ReliabilityBin[];
}

export interface Reliability {
  readonly title: string;
  readonly series: readonly ReliabilitySeries[];
}

interface Panel {
  readonly title: string;
  readonly series: readonly ReliabilitySeries[];
}

const gap = { across: 60, down: 78 };
const largestDot = 9;
const smallestDot = 1.5;

/**
 * The calibration of predictions, as SVG: a small panel per model, in which dots on the diagonal are chances that came true
 * as often as predicted. The area of a dot is its number of predictions.
 */
export function reliabilityPlot({ title, series }: Reliability): string {
  const panels = panelsOf(series);
  const columns = Math.max(1, Math.min(3, panels.length));
  const side = columns === 3 ? 230 : 320;
  const rows = Math.max(1, Math.ceil(panels.length / columns));
  const content = columns * side + (columns - 1) * gap.across;
  const names = [
    ...new Set(panels.some((panel) => panel.series.length > 1) ? series.map(({ name }) => name) : []),
  ];
  const legend = legendOf(names, content);
  const bottom = headHeight + 24 + rows * (side + gap.down);
  return framed({
    title,
    description: panels.length === 0 ? nothing : panels.map(describe).join(' '),
    width: 2 * margin + content,
    height: bottom + legend.height + 12,
    content: [
      ...(panels.length === 0 ? [label(nothing, { class: 'word', x: margin, y: headHeight + 24 })] : []),
      ...panels.flatMap((panel, i) =>
        drawPanel(panel, names, {
          left: margin + (i % columns) * (side + gap.across),
          top: headHeight + 24 + Math.floor(i / columns) * (side + gap.down),
          side,
        }),
      ),
      ...legend.draw(margin, bottom - 10),
    ],
  });
}

const nothing = 'There are no predictions to draw yet.';

function panelsOf(series: readonly ReliabilitySeries[]): Panel[] {
  const panels = new Map<string, ReliabilitySeries[]>();
  for (const each of series) {
    const title = each.panel ?? each.name;
    panels.set(title, [...(panels.get(title) ?? []), { ...each, bins: each.bins.filter(isDrawn) }]);
  }
  return [...panels].map(([title, own]) => ({ title, series: own }));
}

function isDrawn({ predicted, happened, count }: ReliabilityBin): boolean {
  const within = (part: number): boolean => part >= 0 && part <= 1;
  return within(predicted) && within(happened) && count > 0 && Number.isFinite(count);
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** Where a panel puts chances, and the size of a dot for a number of predictions. */
interface Scales {
  x(chance: number): number;
  y(chance: number): number;
  radius(count: number): number;
}

function drawPanel({ title, series }: Panel, names: readonly string[], place: Place): string[] {
  const { left, top, side } = place;
  const scales = scalesOf(series, place);
  const isEmpty = series.every(({ bins }) => bins.length === 0);
  return [
    label(title, { class: 'name', x: left, y: top - 12, 'font-size': fitting(title, side, 13) }),
    ...drawAxes(scales, place),
    element('line', { class: 'guide', x1: left, x2: left + side, y1: top + side, y2: top }),
    ...(isEmpty
      ? [label('No predictions to show.', { class: 'word', x: left + 12, y: top + 22 })]
      : series.map((each) => drawSeries(each, Math.max(0, names.indexOf(each.name)), scales))),
  ];
}

function scalesOf(series: readonly ReliabilitySeries[], { left, top, side }: Place): Scales {
  const most = Math.max(...series.flatMap(({ bins }) => bins.map(({ count }) => count)), 1);
  const x = scaleLinear([0, 1], [left, left + side]);
  const y = scaleLinear([0, 1], [top + side, top]);
  const radius = scaleSqrt([0, most], [0, largestDot]);
  return {
    x: (chance) => x(chance),
    y: (chance) => y(chance),
    radius: (count) => Math.max(smallestDot, radius(count)),
  };
}

/** The grid, and its labels. */
function drawAxes({ x, y }: Scales, { left, top, side }: Place): string[] {
  return [
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
      element('line', { class: 'grid', x1: left, x2: left + side, y1: y(part), y2: y(part) }),
      element('line', { class: 'grid', x1: x(part), x2: x(part), y1: top, y2: top + side }),
    ]),
    ...[0, 0.5, 1].flatMap((part) => [
      smallLabel(percent(part), { x: left - 6, y: y(part) + 4, anchor: 'end' }),
      smallLabel(percent(part), { x: x(part), y: top + side + 14, anchor: 'middle' }),
    ]),
    smallLabel('across: predicted, up: came true', {
      x: left + side / 2,
      y: top + side + 30,
      anchor: 'middle',
    }),
  ];
}

function drawSeries({ name, bins }: ReliabilitySeries, nth: number, { x, y, radius }: Scales): string {
  const ink = inkOf(nth);
  const path = line<ReliabilityBin>(
    (bin) => x(bin.predicted),
    (bin) => y(bin.happened),
  )([...bins]);
  return element(
    'g',
    { class: ink.group },
    element('title', {}, escapeXml(name)),
    ...(path !== null && bins.length > 1 ? [element('path', { class: ink.line, d: path })] : []),
    ...bins.map((bin) =>
      element(
        'circle',
        { class: 'dot', cx: x(bin.predicted), cy: y(bin.happened), r: radius(bin.count) },
        element('title', {}, escapeXml(wordsOf(name, bin))),
      ),
    ),
  );
}

function wordsOf(name: string, { predicted, happened, count }: ReliabilityBin): string {
  const predictions = Number(count.toFixed(1)).toLocaleString('en-US');
  return `${name}: predicted ${percent(predicted)}, came true ${percent(happened)} (${predictions})`;
}

function describe({ title, series }: Panel): string {
  const said = series.map(({ name, bins }) => {
    const counted = bins.reduce((sum, { count }) => sum + count, 0);
    if (counted === 0) return `${name} has no predictions`;
    const off =
      bins.reduce((sum, bin) => sum + bin.count * Math.abs(bin.predicted - bin.happened), 0) / counted;
    return `${name} is off by ${(100 * off).toFixed(1)} percentage points on average`;
  });
  return `${title}: ${said.join(', ')}.`;
}

function percent(part: number): string {
  return `${Number((100 * part).toFixed(1))} %`;
}
