import { halfOf, nearest, type Item } from './halves.js';
import { compareText } from '../roster/roster.js';

/** A player who may change team, with their worth. */
export interface Candidate {
  readonly playerId: string;
  readonly worth: number;
}

/** Players who trade places between two teams. */
export interface Exchange {
  /** From the team that is ahead to the other. */
  readonly going: readonly string[];
  /** From the other to the team that is ahead. */
  readonly coming: readonly string[];
  /** Absolute difference between the teams afterwards. */
  readonly left: number;
}

/** The number of players in each direction. */
export type Shape = readonly [going: number, coming: number];

/**
 * Above this number of candidates, an even selection by worth is used: choosing two of each team still takes milliseconds.
 */
export const mostCandidates = 50;
/** Packs the numbers of both teams into one additive number. */
const place = 64;

/**
 * Shapes with at most `most` players, in the order of trial: swaps, which keep sizes; then others, fewer players first, and
 * of equals those that change sizes the least.
 *
 * @param most players who change team
 */
export function shapesOf(most: number): Shape[] {
  const numbers = Array.from({ length: Math.max(0, most) }, (_, i) => i + 1);
  const shapes = numbers.flatMap((going) => numbers.map((coming): Shape => [going, coming]));
  const isSwap = ([going, coming]: Shape): number => Number(going === coming);
  const apart = ([going, coming]: Shape): number => Math.abs(going - coming);
  return shapes
    .filter(([going, coming]) => going + coming <= most)
    .toSorted(
      (a, b) => isSwap(b) - isSwap(a) || a[0] + a[1] - (b[0] + b[1]) || apart(a) - apart(b) || b[0] - a[0],
    );
}

/**
 * The exchange of a shape that leaves two teams closest, all players chosen together: those whose net worth is nearest to
 * half of the lead. Of equals the first by id. Computed by meet-in-the-middle.
 *
 * @param ahead the lead of the first team in worth
 * @returns null where there are too few candidates, or too many combinations
 */
export function exchange(
  going: readonly Candidate[],
  coming: readonly Candidate[],
  ahead: number,
  [out, back]: Shape,
): Exchange | null {
  if (going.length < out || coming.length < back) return null;
  const [from, to] = [few(going), few(coming)];
  const first = halfOf(from.map(itemOf(1)), out);
  const second = first && halfOf(to.map(itemOf(-1)), place * back);
  const met = first && second ? nearest(first, second, out + place * back, ahead / 2) : null;
  if (!met) return null;
  const ids = (list: readonly Candidate[], at: number): string[] =>
    list.flatMap(({ playerId }, i) => (met.taken[at + i] ? [playerId] : []));
  return { going: ids(from, 0), coming: ids(to, from.length), left: 2 * met.distance };
}

const itemOf =
  (sign: 1 | -1) =>
  ({ worth }: Candidate): Item => ({
    taken: { key: sign === 1 ? 1 : place, sum: sign * worth },
    left: { key: 0, sum: 0 },
  });

/** In the order of ids; for very many, an even selection by worth. */
function few(list: readonly Candidate[]): Candidate[] {
  const step = Math.max(1, list.length / mostCandidates);
  const byWorth = list.toSorted((a, b) => a.worth - b.worth || compareText(a.playerId, b.playerId));
  const chosen = Array.from(
    { length: Math.min(list.length, mostCandidates) },
    (_, i) => byWorth[Math.floor(i * step)]!,
  );
  return chosen.toSorted((a, b) => compareText(a.playerId, b.playerId));
}
