/**
 * The assignment of rows to columns, each at most once, with the largest sum of values: the Hungarian method with
 * potentials, O(n²m). There are at most as many rows as columns.
 *
 * @param values by row and column; finite
 * @returns the column of each row
 * @see Kuhn (1955), The Hungarian method for the assignment problem
 */
export function bestAssignment(values: readonly (readonly number[])[]): number[] {
  const columns = values[0]?.length ?? 0;
  const rowPotential = new Float64Array(values.length + 1);
  const columnPotential = new Float64Array(columns + 1);
  /** The row of each column, from 1; 0 for none. Column 0 stands for the row that is being placed. */
  const rowOf = new Int32Array(columns + 1);
  for (let row = 1; row <= values.length; row++) {
    rowOf[0] = row;
    const cameFrom = new Int32Array(columns + 1);
    const slack = new Float64Array(columns + 1).fill(Infinity);
    const isUsed = new Uint8Array(columns + 1);
    let at = 0;
    do {
      at = widen(at, { values, rowPotential, columnPotential, rowOf, cameFrom, slack, isUsed });
    } while (rowOf[at] !== 0);
    while (at !== 0) {
      const before = cameFrom[at]!;
      rowOf[at] = rowOf[before]!;
      at = before;
    }
  }
  const columnOf: number[] = values.map(() => -1);
  for (let column = 1; column <= columns; column++)
    if (rowOf[column]! > 0) columnOf[rowOf[column]! - 1] = column - 1;
  return columnOf;
}

interface Search {
  readonly values: readonly (readonly number[])[];
  readonly rowPotential: Float64Array;
  readonly columnPotential: Float64Array;
  readonly rowOf: Int32Array;
  readonly cameFrom: Int32Array;
  readonly slack: Float64Array;
  readonly isUsed: Uint8Array;
}

/** Reaches one more column on the shortest augmenting path. @returns it */
function widen(
  at: number,
  { values, rowPotential, columnPotential, rowOf, cameFrom, slack, isUsed }: Search,
): number {
  isUsed[at] = 1;
  const row = rowOf[at]!;
  let least = Infinity;
  let next = 0;
  for (let column = 1; column < slack.length; column++) {
    if (isUsed[column]) continue;
    const cost = -values[row - 1]![column - 1]! - rowPotential[row]! - columnPotential[column]!;
    if (cost < slack[column]!) {
      slack[column] = cost;
      cameFrom[column] = at;
    }
    if (slack[column]! < least) {
      least = slack[column]!;
      next = column;
    }
  }
  for (let column = 0; column < slack.length; column++) {
    if (isUsed[column]) {
      rowPotential[rowOf[column]!]! += least;
      columnPotential[column]! -= least;
    } else slack[column]! -= least;
  }
  return next;
}
