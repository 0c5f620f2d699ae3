import { Button, Table, Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import uPlot from 'uplot';
import { numberWords, timeWords } from './words.js';

/** A line of a chart. */
export interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** Drawn as an area between this and the next series, which is not drawn by itself. */
  readonly isBand?: boolean;
}

/** What is drawn over what. */
export interface ChartProps {
  /** What it shows, for those who do not see it, and over its numbers. */
  readonly label: string;
  /** Of the values, at the axis. */
  readonly unit: string;
  /** Times in milliseconds, or other numbers by `xUnit`. */
  readonly x: readonly number[];
  /** The unit of other numbers than times. */
  readonly xUnit?: string;
  readonly series: readonly Series[];
  /** How a value is written; as a number by default. */
  readonly words?: (value: number) => string;
  readonly height?: number;
  /** Dots instead of lines. */
  readonly isScatter?: boolean;
}

const mostSeries = 5;
const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A chart over time, or over another number; its numbers as a table at a press. */
export function Chart(props: ChartProps): ReactElement {
  const [isTable, setTable] = useState(false);
  const { label, unit, x, xUnit, series, words = numberWords } = props;
  const xWords = xUnit === undefined ? timeWords : (value: number) => `${numberWords(value)} ${xUnit}`;
  return (
    <div>
      {isTable ? (
        <div role="region" tabIndex={0} aria-label={label} style={{ maxHeight: 260, overflow: 'auto' }}>
          <Table stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{xUnit === undefined ? 'time' : xUnit}</Table.Th>
                {series.map((each) => (
                  <Table.Th key={each.label} className="number">
                    {each.label}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {x.map((at, i) => (
                <Table.Tr key={at}>
                  <Table.Td>{xWords(at)}</Table.Td>
                  {series.map((each) => {
                    const value = each.values[i];
                    return (
                      <Table.Td key={each.label} className="number">
                        {value === null || value === undefined ? '–' : words(value)}
                      </Table.Td>
                    );
                  })}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      ) : (
        <Drawing {...props} />
      )}
      <Text size="xs" c="dimmed" component="div">
        {unit}{' '}
        <Button size="compact-xs" variant="subtle" onClick={() => setTable(!isTable)}>
          {isTable ? 'Show the chart' : 'Show the numbers'}
        </Button>
      </Text>
    </div>
  );
}

function Drawing({
  label,
  x,
  xUnit,
  series,
  words = numberWords,
  height = 180,
  isScatter,
}: ChartProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const scheme = useComputedColorScheme('light');
  const names = series.map((each) => each.label).join('\n');

  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const axis = {
      stroke: colour('--chart-axis'),
      grid: { stroke: colour('--chart-grid'), width: 1 },
      ticks: { show: false },
    };
    const lines = series.slice(0, mostSeries).map((each, i): uPlot.Series => {
      const stroke = colour(`--series-${i + 1}`);
      return {
        label: each.label,
        stroke,
        width: isScatter ? 0 : 1.5,
        spanGaps: false,
        points: isScatter ? { show: true, size: 5, fill: stroke } : { show: false },
        ...(isScatter ? { paths: () => null } : {}),
        value: (_, value: number | null) => (value === null ? '–' : words(value)),
      };
    });
    const bands = series.flatMap(({ isBand }, i) =>
      isBand
        ? [{ series: [i + 2, i + 1] as [number, number], fill: `${colour(`--series-${i + 1}`)}33` }]
        : [],
    );
    plot.current = new uPlot(
      {
        width: Math.max(200, parent.clientWidth),
        height,
        scales: { x: { time: xUnit === undefined } },
        series: [
          xUnit === undefined ? {} : { label: xUnit, value: (_, value: number | null) => numberWords(value) },
          ...lines,
        ],
        axes: [axis, { ...axis, size: 62, values: (_, ticks) => ticks.map((tick) => words(tick)) }],
        bands,
        legend: { live: true },
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
  }, [names, scheme, height, xUnit, isScatter]);

  useEffect(() => plot.current?.setData(dataOf(x, xUnit, series)), [x, xUnit, series]);

  return <div ref={place} role="img" aria-label={`${label}. The numbers are a press away.`} />;
}

const dataOf = (
  x: readonly number[],
  xUnit: string | undefined,
  series: readonly Series[],
): uPlot.AlignedData => [
  x.map((each) => (xUnit === undefined ? each / 1_000 : each)),
  ...series.slice(0, mostSeries).map(({ values }) => [...values]),
];
