/** The pth percentile (0 to 100) by nearest rank; NaN without values. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil((p / 100) * sorted.length) - 1))] ?? NaN;
}

/** p50 and p99, to a tenth. */
export function spread(values: readonly number[]): { p50: number; p99: number } {
  const round = (value: number): number => Math.round(value * 10) / 10;
  return { p50: round(percentile(values, 50)), p99: round(percentile(values, 99)) };
}
