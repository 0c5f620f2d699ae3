/** A line of a chart. */
export interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** The area between this and the next series is filled. */
  readonly isBand?: boolean;
  /** Among dots, drawn as a line through its values. */
  readonly isTrend?: boolean;
  /** An edge of the band around the first series: faint, in its colour. */
  readonly isEdge?: boolean;
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
  /** Where the axis of values begins, unless one is below; by default it fits the values. */
  readonly from?: number;
  readonly height?: number;
  /** Dots instead of lines. */
  readonly isScatter?: boolean;
}

export const drawingHeight = 180;
const legendHeight = 32;

/** What a chart takes with its legend, before it is drawn as well. */
export const heightOf = ({ height = drawingHeight }: Pick<ChartProps, 'height'>): number =>
  height + legendHeight;

/** The values that have none before and none after them: a line does not show them. */
export function alone(values: readonly (number | null | undefined)[]): number[] {
  const isThere = (i: number): boolean => typeof values[i] === 'number';
  return values.flatMap((_, i) => (isThere(i) && !isThere(i - 1) && !isThere(i + 1) ? [i] : []));
}
