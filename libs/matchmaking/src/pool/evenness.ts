/** Tickets of two teams up to which every split is examined. */
const mostExact = 14;

/** Ways to choose half of `2 × size` solos, the first of them always chosen: bit i stands for the i-th. */
const halvings = new Map<number, Int32Array>();

/** Buffers for the sums of both halves' subsets. */
const half = 1 << (mostExact / 2);
const lowSums = new Float64Array(half);
const highSums = new Float64Array(half);
const lowSeats = new Uint8Array(half);
const highSeats = new Uint8Array(half);

/**
 * The smallest gap of the teams of some tickets: largest team sum less the smallest. Exact for two teams of up to 14
 * tickets and for teams of one ticket; beyond that an upper bound (largest first, then swaps), so that no match is called
 * more even than the solver will make it.
 *
 * @param sums rating sum of each ticket
 * @param sizes players of each ticket
 * @param n number of tickets; they fill the teams completely
 * @param humans number of them, the first, that are not bots: every team has one
 * @returns Infinity when they cannot be seated
 */
export function bestGap(
  sums: Float64Array,
  sizes: Uint8Array,
  n: number,
  teams: number,
  teamSize: number,
  humans: number = n,
): number {
  if (humans < teams) return Infinity;
  if (n === teams) return oneEach(sums, sizes, n, teamSize);
  if (teams === 2 && n <= mostExact)
    return n === 2 * teamSize && humans === n
      ? halved(sums, n)
      : exactOfTwo(sums, sizes, n, teamSize, humans);
  return roughly(sums, sizes, n, teams, teamSize, humans);
}

function oneEach(sums: Float64Array, sizes: Uint8Array, n: number, teamSize: number): number {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < n; i++) {
    if (sizes[i] !== teamSize) return Infinity;
    least = Math.min(least, sums[i]!);
    most = Math.max(most, sums[i]!);
  }
  return most - least;
}

/** Computes the sums of every subset of `count` tickets from `from` on. */
function subsets(sums: Float64Array, from: number, count: number, into: Float64Array): void {
  into[0] = 0;
  for (let i = 0; i < count; i++) {
    const bit = 1 << i;
    const gain = sums[from + i]!;
    for (let mask = 0; mask < bit; mask++) into[bit + mask] = into[mask]! + gain;
  }
}

function seatsOf(sizes: Uint8Array, from: number, count: number, into: Uint8Array): void {
  into[0] = 0;
  for (let i = 0; i < count; i++) {
    const bit = 1 << i;
    for (let mask = 0; mask < bit; mask++) into[bit + mask] = into[mask]! + sizes[from + i]!;
  }
}

function halved(sums: Float64Array, n: number): number {
  let masks = halvings.get(n);
  if (!masks) halvings.set(n, (masks = halvingsOf(n)));
  const low = n >> 1;
  subsets(sums, 0, low, lowSums);
  subsets(sums, low, n - low, highSums);
  const total = lowSums[(1 << low) - 1]! + highSums[(1 << (n - low)) - 1]!;
  const lowBits = (1 << low) - 1;
  let best = Infinity;
  for (let i = 0; i < masks.length; i++) {
    const mask = masks[i]!;
    const gap = Math.abs(2 * (lowSums[mask & lowBits]! + highSums[mask >> low]!) - total);
    if (gap < best) best = gap;
  }
  return best;
}

function halvingsOf(n: number): Int32Array {
  const masks: number[] = [];
  for (let mask = 1; mask < 1 << n; mask += 2) if (ones(mask) === n / 2) masks.push(mask);
  return Int32Array.from(masks);
}

function ones(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function exactOfTwo(
  sums: Float64Array,
  sizes: Uint8Array,
  n: number,
  teamSize: number,
  humans: number,
): number {
  const everyHuman = (1 << humans) - 1;
  const low = n >> 1;
  const lowBits = (1 << low) - 1;
  subsets(sums, 0, low, lowSums);
  subsets(sums, low, n - low, highSums);
  seatsOf(sizes, 0, low, lowSeats);
  seatsOf(sizes, low, n - low, highSeats);
  const total = lowSums[lowBits]! + highSums[(1 << (n - low)) - 1]!;
  let best = Infinity;
  for (let mask = 1; mask < 1 << n; mask += 2) {
    if (lowSeats[mask & lowBits]! + highSeats[mask >> low]! !== teamSize) continue;
    if ((mask & everyHuman) === everyHuman) continue;
    const gap = Math.abs(2 * (lowSums[mask & lowBits]! + highSums[mask >> low]!) - total);
    if (gap < best) best = gap;
  }
  return best;
}

/**
 * Largest party first, then the largest sum, each onto the lightest team with room (bots last, and a team without a human
 * first while there are just enough left); then swaps of equal size and kind while they help.
 */
function roughly(
  sums: Float64Array,
  sizes: Uint8Array,
  n: number,
  teams: number,
  teamSize: number,
  humans: number,
): number {
  const order = Array.from({ length: n }, (_, i) => i).sort(
    (a, b) =>
      Number(a >= humans) - Number(b >= humans) || sizes[b]! - sizes[a]! || sums[b]! - sums[a]! || a - b,
  );
  const load = new Float64Array(teams);
  const room = new Int32Array(teams).fill(teamSize);
  const teamOf = new Int32Array(n);
  let empty = teams;
  for (const [placed, i] of order.entries()) {
    const toEmpty = empty > 0 && humans - placed <= empty;
    let best = -1;
    for (let t = 0; t < teams; t++) {
      if (room[t]! < sizes[i]! || (toEmpty && room[t] !== teamSize)) continue;
      if (best < 0 || load[t]! < load[best]!) best = t;
    }
    if (best < 0) return Infinity;
    if (room[best] === teamSize) empty--;
    teamOf[i] = best;
    load[best]! += sums[i]!;
    room[best]! -= sizes[i]!;
  }
  for (let round = 0; round < 4 * n; round++) if (!swapped(sums, sizes, n, load, teamOf, humans)) break;
  return Math.max(...load) - Math.min(...load);
}

/** Applies the best swap between the heaviest and the lightest team. @returns false when none helps */
function swapped(
  sums: Float64Array,
  sizes: Uint8Array,
  n: number,
  load: Float64Array,
  teamOf: Int32Array,
  humans: number,
): boolean {
  const heavy = load.indexOf(Math.max(...load));
  const light = load.indexOf(Math.min(...load));
  const gap = load[heavy]! - load[light]!;
  let best = gap;
  let from = -1;
  let to = -1;
  for (let i = 0; i < n; i++) {
    if (teamOf[i] !== heavy) continue;
    for (let j = 0; j < n; j++) {
      if (teamOf[j] !== light || sizes[i] !== sizes[j] || i < humans !== j < humans) continue;
      const after = Math.abs(gap - 2 * (sums[i]! - sums[j]!));
      if (after < best * (1 - 1e-12)) {
        best = after;
        from = i;
        to = j;
      }
    }
  }
  if (from < 0) return false;
  const moved = sums[from]! - sums[to]!;
  load[heavy]! -= moved;
  load[light]! += moved;
  teamOf[from] = light;
  teamOf[to] = heavy;
  return true;
}
