/** A function to maximise. It stores the point of its last evaluation. */
export interface Hill {
  /** Its value at a point; a value that is not finite means that the point is out of bounds. */
  heightAt(point: Float64Array): number;
  /** At the last point: its gradient, and by coordinate a positive curvature that scales steps. */
  slope(gradient: Float64Array, curvature: Float64Array): void;
}

/** The progress of a climb. */
export interface Climb {
  readonly iteration: number;
  /** Never less than in the iteration before. */
  readonly height: number;
  /** Largest absolute component of the gradient. */
  readonly slope: number;
}

interface Pair {
  readonly step: Float64Array;
  readonly bend: Float64Array;
  readonly inverse: number;
}

const remembered = 6;
/** Largest change of a coordinate in one step. */
const longestStep = 2;
const mostHalvings = 30;
/** Share of the gain predicted by the slope that a step must achieve. */
const leastGain = 1e-4;

/**
 * Climbs from `point`, which it moves, until the slope is at most `tolerance`, nothing higher is found, or the iterations
 * are used up: limited-memory BFGS over a diagonal scaling, with a step that is halved until it gains enough (Armijo), or
 * until its slope confirms it where heights are equal up to rounding.
 *
 * @param rate share of a whole step that is tried while only the scaling is known, above 0, at most 1
 * @see Nocedal and Wright (2006), Numerical Optimization, algorithms 3.1 and 7.4; for the slopes, Hager and Zhang (2005),
 *   section 3 ("approximate Wolfe")
 */
export function* climb(
  hill: Hill,
  point: Float64Array,
  { rate, iterations, tolerance }: { rate: number; iterations: number; tolerance: number },
): Generator<Climb, Climb> {
  const n = point.length;
  const curvature = new Float64Array(n);
  let here = Float64Array.from(point);
  let there = new Float64Array(n);
  let gradient = new Float64Array(n);
  let ahead = new Float64Array(n);
  let pairs: Pair[] = [];
  let height = hill.heightAt(here);
  hill.slope(gradient, curvature);
  let stand: Climb = { iteration: 0, height, slope: largest(gradient) };
  while (stand.slope > tolerance && stand.iteration < iterations) {
    const direction = directionOf(gradient, curvature, pairs);
    const rise = dot(direction, gradient);
    const reach = Math.min(pairs.length === 0 ? rate : 1, longestStep / largest(direction));
    const higher =
      rise > 0 ? advance(hill, { here, there, direction, ahead, curvature }, reach, height, rise) : null;
    if (higher === null) {
      if (pairs.length === 0) break;
      // The stored steps mislead: try again without them. The scaling is of this point, or of a very near one.
      pairs = [];
      continue;
    }
    hill.slope(ahead, curvature);
    pairs = rememberPair(pairs, here, there, gradient, ahead);
    [here, there] = [there, here];
    [gradient, ahead] = [ahead, gradient];
    height = higher;
    stand = { iteration: stand.iteration + 1, height, slope: largest(gradient) };
    yield stand;
  }
  point.set(here);
  return stand;
}

interface Way {
  readonly here: Float64Array;
  readonly direction: Float64Array;
  /** The output of a step: its end, and the gradient and curvature there if they were computed. */
  readonly there: Float64Array;
  readonly ahead: Float64Array;
  readonly curvature: Float64Array;
}

/** Sets `there` to a higher point in the direction and returns its height; null when there is none within reach. */
function advance(
  hill: Hill,
  { here, there, direction, ahead, curvature }: Way,
  reach: number,
  height: number,
  rise: number,
): number | null {
  // Near the peak, heights differ by less than their rounding; slopes still show whether a step went up.
  const rounding = 1e-12 * (1 + Math.abs(height));
  let step = reach;
  for (let halving = 0; halving < mostHalvings; halving++) {
    for (let i = 0; i < here.length; i++) there[i] = (here[i] ?? 0) + step * (direction[i] ?? 0);
    const tried = hill.heightAt(there);
    if (tried < Infinity && tried > height && tried >= height + leastGain * step * rise) return tried;
    if (Math.abs(tried - height) <= rounding) {
      hill.slope(ahead, curvature);
      const left = dot(direction, ahead);
      if (left >= (2 * leastGain - 1) * rise && left <= 0.9 * rise) return Math.max(height, tried);
    }
    step /= 2;
  }
  return null;
}

function directionOf(gradient: Float64Array, curvature: Float64Array, pairs: readonly Pair[]): Float64Array {
  const direction = Float64Array.from(gradient);
  const shares: number[] = [];
  for (let j = pairs.length - 1; j >= 0; j--) {
    const { step, bend, inverse } = pairs[j] as Pair;
    const share = inverse * dot(step, direction);
    shares[j] = share;
    add(direction, bend, -share);
  }
  for (let i = 0; i < direction.length; i++) direction[i] = (direction[i] ?? 0) / (curvature[i] ?? 1);
  for (let j = 0; j < pairs.length; j++) {
    const { step, bend, inverse } = pairs[j] as Pair;
    add(direction, step, (shares[j] ?? 0) - inverse * dot(bend, direction));
  }
  return direction;
}

/** The last steps and the changes of the gradient along them; a step without downward curvature is not kept. */
function rememberPair(
  pairs: readonly Pair[],
  here: Float64Array,
  there: Float64Array,
  gradient: Float64Array,
  ahead: Float64Array,
): Pair[] {
  const step = there.map((value, i) => value - (here[i] ?? 0));
  const bend = gradient.map((value, i) => value - (ahead[i] ?? 0));
  const product = dot(step, bend);
  if (!(product > 1e-12 * Math.sqrt(dot(step, step) * dot(bend, bend)))) return [...pairs];
  return [...pairs.slice(-(remembered - 1)), { step, bend, inverse: 1 / product }];
}

function add(to: Float64Array, what: Float64Array, times: number): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] ?? 0) + times * (what[i] ?? 0);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i] ?? 0));
  return most;
}
