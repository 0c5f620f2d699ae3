import { halfOf, nearest, type Item } from './halves.js';
import { compareText } from './roster.js';

/** Somebody who may change team, and what they count for. */
export interface Candidate {
  readonly playerId: string;
  readonly worth: number;
}

/** Players who change teams with one another. */
export interface Exchange {
  /** From the team that is ahead to the other. */
  readonly going: readonly string[];
  /** From the other to the team that is ahead. */
  readonly coming: readonly string[];
  /** How far the teams are apart then, whichever is ahead. */
  readonly left: number;
}

/** How many go, and how many come. */
export type Shape = readonly [going: number, coming: number];

/** Of more candidates than this an even choice by worth is looked at: choosing two of each team takes milliseconds still. */
export const mostCandidates = 50;
/** Numbers of both teams in one that adds up. */
const place = 64;

/**
 * Shapes with so many players at the most, in the order in which they are tried: swaps, which leave sizes as they are; then
 * others, fewer players first, and of as many those that change sizes the least.
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
 * The exchange of a shape that leaves two teams closest, all players chosen together: those whose worth, what goes less what
 * comes, is nearest to half of what the one team is ahead. Of equals the first by id. By meeting in the middle.
 *
 * @param ahead what the one team counts for more than the other
 * @returns null where there are not as many candidates, or too many ways to choose
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

/** In the order of ids; of very many an even choice by worth. */
function few(list: readonly Candidate[]): Candidate[] {
  const step = Math.max(1, list.length / mostCandidates);
  const byWorth = list.toSorted((a, b) => a.worth - b.worth || compareText(a.playerId, b.playerId));
  const chosen = Array.from(
    { length: Math.min(list.length, mostCandidates) },
    (_, i) => byWorth[Math.floor(i * step)]!,
  );
  return chosen.toSorted((a, b) => compareText(a.playerId, b.playerId));
}
