import { CholeskyDecomposition, Matrix } from 'ml-matrix';

/** Sums over rows of features x and a target y, from which any ridge regression on them can be solved. */
export interface Sums {
  readonly rows: number;
  readonly x: Float64Array;
  readonly y: number;
  /** Cross products of the features, row by row; and of features with the target. */
  readonly xx: Float64Array;
  readonly xy: Float64Array;
}

export interface Ridge {
  readonly intercept: number;
  readonly weights: readonly number[];
}

export function sumsOf(xs: readonly (readonly number[])[], ys: readonly number[], width: number): Sums {
  const x = new Float64Array(width);
  const xx = new Float64Array(width * width);
  const xy = new Float64Array(width);
  let total = 0;
  xs.forEach((row, r) => {
    const y = ys[r] ?? 0;
    total += y;
    for (let i = 0; i < width; i++) {
      const a = row[i] ?? 0;
      x[i] = (x[i] ?? 0) + a;
      xy[i] = (xy[i] ?? 0) + a * y;
      for (let j = 0; j <= i; j++) xx[i * width + j] = (xx[i * width + j] ?? 0) + a * (row[j] ?? 0);
    }
  });
  return { rows: xs.length, x, y: total, xx, xy };
}

/** Sums over the rows of both, or with `sign` −1 over those of `a` that are not of `b`. */
export function joined(a: Sums, b: Sums, sign: 1 | -1 = 1): Sums {
  const both = (one: Float64Array, other: Float64Array): Float64Array =>
    one.map((value, i) => value + sign * (other[i] ?? 0));
  return {
    rows: a.rows + sign * b.rows,
    x: both(a.x, b.x),
    y: a.y + sign * b.y,
    xx: both(a.xx, b.xx),
    xy: both(a.xy, b.xy),
  };
}

/**
 * Minimises mean squared error + strength · Σ weight². The intercept is free. With a strength above 0 the matrix is
 * positive definite even for collinear columns, so the solution is unique and finite.
 *
 * @param strength at least 1e-9; features are expected to be of order 1
 * @see Hoerl and Kennard (1970), Ridge regression: biased estimation for nonorthogonal problems
 */
export function solveRidge({ rows, x, y, xx, xy }: Sums, strength: number): Ridge {
  const width = x.length;
  const meanY = y / rows;
  if (width === 0) return { intercept: meanY, weights: [] };
  const meanX = Array.from(x, (sum) => sum / rows);
  const gram = new Matrix(width, width);
  const right = new Matrix(width, 1);
  for (let i = 0; i < width; i++) {
    const mean = meanX[i] ?? 0;
    right.set(i, 0, (xy[i] ?? 0) / rows - mean * meanY);
    for (let j = 0; j <= i; j++) {
      const covariance = (xx[i * width + j] ?? 0) / rows - mean * (meanX[j] ?? 0);
      gram.set(i, j, covariance);
      gram.set(j, i, covariance);
    }
    gram.set(i, i, Math.max(0, gram.get(i, i)) + strength);
  }
  const weights = new CholeskyDecomposition(gram).solve(right).to1DArray();
  return { intercept: meanY - dot(weights, meanX), weights };
}

export function predictRidge({ intercept, weights }: Ridge, row: readonly number[]): number {
  return intercept + dot(weights, row);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
