import { scaleLinear, scaleLog, scaleUtc } from 'd3-scale';
import { line } from 'd3-shape';
import { fitting, framed, headHeight, margin } from './frame.js';
import { inkOf } from './inks.js';
import { legendOf } from './legend.js';
import { element, escapeXml, label, smallLabel } from './xml.js';

export interface Point {
  /** Milliseconds since the epoch where the axis is of time. */
  readonly x: number;
  /** A value that is not finite is a gap in the line. */
  readonly y: number;
}

export interface PlottedLine {
  readonly name: string;
  /** In the order of `x`; with `dots` in the order of the line. */
  readonly points: readonly Point[];
  /** Marks each point, not only the last: for few separate measurements. */
  readonly dots?: boolean | undefined;
  /** Writes the name beside the last point, for more lines than there are colours. When all do, there is no legend. */
  readonly named?: boolean | undefined;
}

export interface LinesPanel {
  readonly title: string;
  readonly unit?: string | undefined;
  readonly lines: readonly PlottedLine[];
  /** Reference heights. */
  readonly guide?: readonly { readonly y: number; readonly label: string }[] | undefined;
}

export interface Lines {
  readonly title: string;
  /** All panels share one axis. Times are shown in UTC; a logarithmic axis omits points at 0 or below. */
  readonly x: { readonly label: string; readonly kind: 'time' | 'number' | 'log' };
  readonly panels: readonly LinesPanel[];
}

const size = { width: 400, height: 200 };
const gapDown = 92;
/** The width of an axis's figures to the left of a panel, with a margin. */
const figures = 44;
/** Between a panel and the text to its right. */
const aside = 6;
/** The height of a small text. */
const small = 11;
const nothing = 'There is nothing to draw yet.';

/** Figures over time or another variable, as SVG: a panel per figure, all over the same axis. */
export function linesPlot({ title, x, panels: given }: Lines): string {
  const panels = given.map((panel) => within(panel, x.kind));
  const columns = panels.length > 1 ? 2 : 1;
  const rows = Math.max(1, Math.ceil(panels.length / columns));
  const beside = besidePanels(panels);
  const across = figures + Math.max(40, beside);
  const content = columns * size.width + (columns - 1) * across;
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  // Names beside their lines need no legend.
  const areAllNamed = panels.every(({ lines }) => lines.every(({ named }) => named === true));
  const legend = legendOf(areAllNamed ? [] : names, content);
  const axis = axisOf(x.kind, panels);
  const bottom = headHeight + 24 + rows * (size.height + gapDown);
  return framed({
    title,
    description: panels.length === 0 ? nothing : panels.map(describe).join(' '),
    width: margin + content + Math.max(margin, beside + 2 * aside),
    height: bottom + legend.height,
    content: [
      ...(panels.length === 0 ? [label(nothing, { class: 'word', x: margin, y: headHeight + 24 })] : []),
      ...panels.flatMap((panel, i) =>
        drawPanel(panel, names, axis, x.label, {
          beside,
          left: margin + (i % columns) * (size.width + across),
          top: headHeight + 24 + Math.floor(i / columns) * (size.height + gapDown),
        }),
      ),
      ...legend.draw(margin, bottom - 24),
    ],
  });
}

/** The panel without points that are off the axis: times beyond the calendar, numbers without a logarithm. */
function within(panel: LinesPanel, kind: Lines['x']['kind']): LinesPanel {
  if (kind === 'number') return panel;
  const hasPlace = (x: number): boolean => (kind === 'time' ? Math.abs(x) < lastTime : x >= leastLog);
  const lines = panel.lines.map((each) => ({
    ...each,
    points: each.points.filter((point) => hasPlace(point.x)),
  }));
  return { ...panel, lines };
}

interface Tick {
  readonly at: number;
  readonly label: string;
}

interface Axis {
  /** 0 to 1 across the panel. */
  at(x: number): number;
  readonly ticks: readonly Tick[];
}

/** A scale with about five ticks. */
function ticked<T>(scale: {
  (value: T | number): number;
  ticks(count: number): T[];
  tickFormat(count: number): (value: T) => string;
}): Axis {
  const format = scale.tickFormat(5);
  return {
    at: (x) => scale(x),
    ticks: scale.ticks(5).map((tick) => ({ at: scale(tick), label: format(tick) })),
  };
}

function axisOf(kind: Lines['x']['kind'], panels: readonly LinesPanel[]): Axis {
  const xs = panels.flatMap(({ lines }) =>
    lines.flatMap(({ points }) => points.filter(isDrawn).map(({ x }) => x)),
  );
  if (kind === 'log') return logAxis(least(xs, 1), greatest(xs, 10));
  const [from, to] = wide(least(xs, 0), greatest(xs, 1), kind === 'time' ? 86_400_000 : 1);
  return kind === 'time' ? ticked(scaleUtc([from, to], [0, 1])) : ticked(scaleLinear([from, to], [0, 1]));
}

/**
 * Ticks: below one power of ten round numbers, over a few powers also 2 and 5 times each, over more the powers or some of
 * them.
 */
function logAxis(low: number, high: number): Axis {
  const [from, to] = high / low > 1.5 ? [low, high] : [low / 1.5, high * 1.5];
  const scale = scaleLog([from, to], [0, 1]);
  const powers = Math.log10(to / from);
  const each = Math.max(1, Math.ceil(powers / 8));
  const isShown = (tick: number): boolean => {
    const power = Math.floor(Math.log10(tick) + 1e-9);
    const digit = Math.round(tick / 10 ** power);
    return powers <= 3 ? [1, 2, 5].includes(digit) : digit === 1 && power % each === 0;
  };
  const ticks = powers < 1 ? scaleLinear([from, to], [0, 1]).ticks(5) : scale.ticks(10).filter(isShown);
  return { at: (x) => scale(x), ticks: ticks.map((tick) => ({ at: scale(tick), label: figure(tick) })) };
}

/** The width of guide labels to the right of a panel. */
function besidePanels(panels: readonly LinesPanel[]): number {
  const longest = panels.flatMap(({ guide = [] }) => guide.map(({ label: text }) => text.length));
  return longest.length === 0 ? 0 : Math.min(120, aside + 5.8 * greatest(longest, 0));
}

interface Place {
  readonly left: number;
  readonly top: number;
  /** The width available to the right of the panel. */
  readonly beside: number;
}

/** Where a panel puts the points of its axes. */
interface Scales {
  x(at: number): number;
  y(value: number): number;
  readonly yTicks: readonly Tick[];
}

function drawPanel(
  panel: LinesPanel,
  names: readonly string[],
  axis: Axis,
  xLabel: string,
  place: Place,
): string[] {
  const { title, unit, lines } = panel;
  const { left, top } = place;
  const guides = (panel.guide ?? []).filter(({ y }) => Math.abs(y) < most);
  const ys = lines.flatMap(({ points }) => points.filter(isDrawn).map(({ y }) => y));
  const scales = scalesOf([...ys, ...guides.map(({ y }) => y)], axis, place);
  const heading = unit === undefined ? title : `${title} (${unit})`;
  const nameBeside = besideDots(left + size.width);
  return [
    label(heading, { class: 'name', x: left, y: top - 12, 'font-size': fitting(heading, size.width, 13) }),
    ...drawAxes(scales, axis, xLabel, place),
    ...drawGuides(guides, scales, place),
    ...(ys.length === 0
      ? [label('Nothing measured yet.', { class: 'word', x: left + 12, y: top + 22 })]
      : []),
    ...lines.flatMap((each) => drawLine(each, names.indexOf(each.name), scales, nameBeside)),
  ];
}

function scalesOf(values: readonly number[], axis: Axis, { left, top }: Place): Scales {
  const range = wide(least(values, 0), greatest(values, 1), 1);
  const { at: y, ticks: yTicks } = ticked(scaleLinear(range, [top + size.height, top]).nice(5));
  return { x: (at) => left + size.width * axis.at(at), y, yTicks };
}

/** The grid with its figures to the left, and the figures and the label below. */
function drawAxes({ yTicks }: Scales, { ticks }: Axis, xLabel: string, { left, top }: Place): string[] {
  const { width, height } = size;
  return [
    ...yTicks.flatMap((tick) => [
      element('line', { class: 'grid', x1: left, x2: left + width, y1: tick.at, y2: tick.at }),
      smallLabel(tick.label, { x: left - 6, y: tick.at + 4, anchor: 'end' }),
    ]),
    ...ticks.map((tick) =>
      smallLabel(tick.label, { x: left + width * tick.at, y: top + height + 16, anchor: 'middle' }),
    ),
    label(xLabel, { class: 'word', x: left + width / 2, y: top + height + 34, 'text-anchor': 'middle' }),
  ];
}

/** Reference heights. Their labels are to the right: within the panel they would cover the lines. */
function drawGuides(
  guides: NonNullable<LinesPanel['guide']>,
  { y }: Scales,
  { left, beside }: Place,
): string[] {
  const end = left + size.width;
  return [
    ...guides.map((each) =>
      element('line', { class: 'guide', x1: left, x2: end, y1: y(each.y), y2: y(each.y) }),
    ),
    ...apart(guides.map((each) => ({ text: each.label, at: y(each.y) + 4 }))).map(({ text, at }) =>
      smallLabel(text, { x: end + aside, y: at, anchor: 'start' }, fitting(text, beside - aside, 10)),
    ),
  ];
}

function drawLine(
  { name, points, dots, named }: PlottedLine,
  nth: number,
  { x, y }: Scales,
  nameBeside: (name: string, x: number, y: number) => string,
): string[] {
  const drawn = points.filter(isDrawn);
  const last = drawn.at(-1);
  if (!last) return [];
  const ink = inkOf(nth);
  const path = line<Point>()
    .defined(isDrawn)
    .x((point) => x(point.x))
    .y((point) => y(point.y));
  return [
    element(
      'g',
      { class: ink.group },
      element('title', {}, escapeXml(name)),
      element('path', { class: ink.line, d: path([...points]) ?? '' }),
      // A single point makes no line, so the ends are dots.
      ...(dots === true ? drawn : [last]).map((point) =>
        element('circle', { class: 'dot', cx: x(point.x), cy: y(point.y), r: 3 }),
      ),
    ),
    ...(named === true ? [nameBeside(name, x(last.x), y(last.y))] : []),
  ];
}

interface Written {
  readonly text: string;
  /** Its height. */
  readonly at: number;
}

/** Texts one above the other, moved down where they would overlap. */
function apart(texts: readonly Written[]): Written[] {
  let free = -Infinity;
  return texts
    .toSorted((a, b) => a.at - b.at)
    .map(({ text, at }) => {
      const place = Math.max(at, free);
      free = place + small;
      return { text, at: place };
    });
}

/** Writes names to the right of dots, or to the left at the panel's edge, and lower where another name is already. */
function besideDots(end: number): (name: string, x: number, y: number) => string {
  const taken: { readonly from: number; readonly to: number; readonly y: number }[] = [];
  return (name, x, y) => {
    const width = 5.6 * name.length;
    const fits = x + 6 + width <= end;
    const from = fits ? x + 6 : x - 6 - width;
    const overlaps = (at: number): boolean =>
      taken.some((other) => Math.abs(other.y - at) < small && other.from < from + width && from < other.to);
    let at = y + 3;
    while (overlaps(at)) at += 1;
    taken.push({ from, to: from + width, y: at });
    return smallLabel(name, fits ? { x: x + 6, y: at, anchor: 'start' } : { x: x - 6, y: at, anchor: 'end' });
  };
}

/** Beyond this the span of an axis could overflow. */
const most = 1e100;
/** The last millisecond with a date is a little later. */
const lastTime = 8e15;
/** Below this a number counts as 0, which is off a logarithmic axis. */
const leastLog = 1e-100;

function isDrawn({ x, y }: Point): boolean {
  return Math.abs(x) < most && Math.abs(y) < most;
}

/** Not by spreading into `Math.min`: a long history has more points than a call may have arguments. */
function least(values: readonly number[], ofNone: number): number {
  return values.length === 0 ? ofNone : values.reduce((a, b) => Math.min(a, b));
}

function greatest(values: readonly number[], ofNone: number): number {
  return values.length === 0 ? ofNone : values.reduce((a, b) => Math.max(a, b));
}

/** A range with room for ticks: a flat line has none, and too narrow a one exceeds the precision of numbers. */
function wide(from: number, to: number, about: number): [from: number, to: number] {
  const largest = Math.max(Math.abs(from), Math.abs(to));
  if (to - from > Math.max(1e-12, 1e-9 * largest)) return [from, to];
  const room = Math.max(about / 2, largest * 1e-3);
  return [from - room, to + room];
}

function describe({ title, unit, lines }: LinesPanel): string {
  const said = lines.map(({ name, points }) => {
    const drawn = points.filter(isDrawn);
    const [first] = drawn;
    const last = drawn.at(-1);
    if (!first || !last) return `${name} has nothing measured yet`;
    return first === last
      ? `${name} is ${figure(last.y)}`
      : `${name} goes from ${figure(first.y)} to ${figure(last.y)}`;
  });
  const heading = unit === undefined ? title : `${title} (${unit})`;
  return `${heading}: ${said.length === 0 ? 'nothing measured yet' : said.join(', ')}.`;
}

function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}
