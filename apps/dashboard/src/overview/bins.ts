/** How many matches had a favourite of a chance within a range. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const width = 0.05;
const bins = 0.5 / width;

/** The chances of the favourites of matches of two teams, counted by twentieths from even to certain. */
export function binsOf(predictions: readonly (readonly number[])[]): Bin[] {
  const counts = Array.from({ length: bins }, () => 0);
  for (const chances of predictions) {
    if (chances.length !== 2) continue;
    const i = Math.min(bins - 1, Math.max(0, Math.floor((Math.max(...chances) - 0.5) / width + 1e-9)));
    counts[i] = (counts[i] ?? 0) + 1;
  }
  return counts.map((count, i) => ({ from: 0.5 + i * width, to: 0.5 + (i + 1) * width, count }));
}
