import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, type ReactElement } from 'react';
import uPlot from 'uplot';
import { alone, drawingHeight, type ChartProps, type Series } from './chart-props.js';
import { numberWords, timeWords } from '../values/words.js';

const mostSeries = 5;

/** Times at the axis by their distance in seconds: the format, and that where a year or a day begins. */
const timeAxis: uPlot.Axis.TimeValuesConfig = [
  [86_400, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', null, null, null, null, null, null, 1],
];

/** What a variable of the style sheet is in the theme in use: a canvas does not know `light-dark()`. */
function colours(of: HTMLElement): (name: string) => string {
  return (name) => {
    of.style.color = `var(${name})`;
    const { color } = getComputedStyle(of);
    of.style.color = '';
    return color;
  };
}
const faint = (colour: string): string => colour.replace('rgb(', 'rgba(').replace(')', ', 0.18)');

/** The drawing of a chart. It is loaded on demand. */
export function Drawing({
  label,
  x,
  xUnit,
  series,
  words = numberWords,
  from,
  height = drawingHeight,
  isScatter,
}: ChartProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const scheme = useComputedColorScheme('light');
  const names = series.map((each) => each.label).join('\n');

  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const colour = colours(parent);
    const axis = {
      stroke: colour('--chart-axis'),
      grid: { stroke: colour('--chart-grid'), width: 1 },
      ticks: { show: false },
    };
    const lines = series.slice(0, mostSeries).map((each, i): uPlot.Series => {
      const isTrend = each.isTrend ?? false;
      const isDots = (isScatter ?? false) && !isTrend;
      const own = colour(`--series-${each.isEdge ? 1 : i + 1}`);
      const stroke = each.isEdge ? faint(own) : own;
      return {
        label: each.label,
        stroke,
        width: isDots ? 0 : isTrend ? 2.5 : 1.5,
        spanGaps: isTrend,
        points: isDots
          ? { show: true, size: 5, fill: stroke }
          : { show: true, size: 4, fill: stroke, filter: (u, index) => alone([...(u.data[index] ?? [])]) },
        ...(isDots ? { paths: () => null } : {}),
        value: (_, value: number | null) => (value === null ? '' : words(value)),
      };
    });
    const bands = series.flatMap(({ isBand, isEdge }, i) =>
      isBand
        ? [
            {
              series: [i + 2, i + 1] as [number, number],
              fill: faint(colour(`--series-${isEdge ? 1 : i + 1}`)),
            },
          ]
        : [],
    );
    plot.current = new uPlot(
      {
        width: Math.max(200, parent.clientWidth),
        height,
        scales: {
          x: { time: xUnit === undefined },
          y: from === undefined ? {} : { range: (_, min, max) => rangeOf(from, min, max) },
        },
        series: [
          {
            label: xUnit ?? 'time',
            value: (_, value: number | null) =>
              value === null ? '' : xUnit === undefined ? timeWords(1_000 * value) : numberWords(value),
          },
          ...lines,
        ],
        axes: [
          { ...axis, ...(xUnit === undefined ? { values: timeAxis } : {}) },
          {
            ...axis,
            size: (_, ticks: readonly string[] | null) => widthOf(ticks ?? []),
            values: (_, ticks) => ticks.map((tick) => words(tick)),
          },
        ],
        bands,
        legend: { live: true, markers: { width: 2 } },
        padding: [8, 20, null, null],
        cursor: { drag: { x: false, y: false } },
      },
      dataOf(x, xUnit, series),
      parent,
    );
    const observer = new ResizeObserver(() =>
      plot.current?.setSize({ width: Math.max(200, parent.clientWidth), height }),
    );
    observer.observe(parent);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
    // It is drawn anew for other series and colours; other numbers are set below.
  }, [names, scheme, from, height, xUnit, isScatter]);

  useEffect(() => plot.current?.setData(dataOf(x, xUnit, series)), [x, xUnit, series]);

  return <div ref={place} role="img" aria-label={`${label}. The numbers are a press away.`} />;
}

/** What the labels of the values take, in pixels. */
const widthOf = (ticks: readonly string[]): number =>
  24 + 6.5 * Math.max(0, ...ticks.map((tick) => tick.length));

/** Some space above; the same values over and over have a place, too. */
function rangeOf(from: number, min: number | null, max: number | null): uPlot.Range.MinMax {
  const low = Math.min(from, min ?? from);
  const high = Math.max(max ?? low, low);
  return [low, high === low ? low + 1 : high + 0.08 * (high - low)];
}

const dataOf = (
  x: readonly number[],
  xUnit: string | undefined,
  series: readonly Series[],
): uPlot.AlignedData => [
  x.map((each) => (xUnit === undefined ? each / 1_000 : each)),
  ...series.slice(0, mostSeries).map(({ values }) => [...values]),
];
