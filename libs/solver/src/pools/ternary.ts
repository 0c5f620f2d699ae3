import type { Budget } from '../problem/budget.js';
import { closest } from '../two-teams/closest.js';
import { merged } from '../two-teams/merge.js';

/** A player of a pool: weight in quanta, and whether they may sit out. */
export interface PoolItem {
  readonly weight: number;
  readonly canSitOut: boolean;
}

/**
 * All placements of some players on the first team, on the second or on the bench, by the numbers on either: sums of the
 * first team less the second's, ascending. Only ways whose first team has at least as many as the second are stored; the
 * others are their mirror images with the opposite sign. That halves the work.
 */
export interface ThreeWays {
  readonly items: readonly PoolItem[];
  /** By `a * width + b`, a ≥ b. */
  readonly lists: readonly (Float64Array | undefined)[];
  readonly width: number;
  /** Most players on one team. */
  readonly most: number;
}

const none = new Float64Array(0);

/** Peak bytes of building the ways of two halves of this many players. */
export function threeWaysBytes(players: number): number {
  return 3 ** Math.ceil(players / 2) * 8 * 2;
}

/**
 * Builds the ways in sorted order without sorting: with each player, three lists already in order are merged.
 *
 * @param most players on one team
 * @throws OutOfTime
 */
export function threeWays(items: readonly PoolItem[], most: number, budget: Budget): ThreeWays {
  const limit = Math.min(most, items.length);
  const width = limit + 1;
  let lists: (Float64Array | undefined)[] = [];
  lists[0] = Float64Array.of(0);
  const room = { list: none };
  items.forEach(({ weight, canSitOut }, i) => {
    const next: (Float64Array | undefined)[] = [];
    for (let a = 0; a <= Math.min(limit, i + 1); a++) {
      for (let b = 0; b <= Math.min(a, i + 1 - a); b++) {
        const sitting = canSitOut ? (lists[a * width + b] ?? none) : none;
        const onSecond = b > 0 ? (lists[a * width + b - 1] ?? none) : none;
        // Equal numbers: with the player on the first team it mirrors the way with them on the second.
        const first: Moved | null =
          a > b
            ? { list: lists[(a - 1) * width + b] ?? none, by: weight }
            : a > 0
              ? { list: mirrored(onSecond, weight), by: 0 }
              : null;
        // Two of the three have a separate buffer until the third, the longest, is merged into them.
        const ways = first
          ? ofThree([first, { list: onSecond, by: -weight }, { list: sitting, by: 0 }], room, budget)
          : sitting;
        if (ways.length > 0) next[a * width + b] = ways;
      }
    }
    lists = next;
  });
  return { items, lists, width, most: limit };
}

/** An ascending list with a shift for each of its numbers. */
interface Moved {
  readonly list: Float64Array;
  readonly by: number;
}

/** Merges three lists, the two shortest first. */
function ofThree(lists: Moved[], room: { list: Float64Array }, budget: Budget): Float64Array {
  const [x, y, z] = lists.sort((one, other) => one.list.length - other.list.length) as [Moved, Moved, Moved];
  const both = x.list.length + y.list.length;
  if (x.list.length === 0) return merged(y.list, y.by, z.list, z.by, budget);
  if (room.list.length < both) room.list = new Float64Array(2 * both);
  return merged(merged(x.list, x.by, y.list, y.by, budget, room.list), 0, z.list, z.by, budget);
}

function mirrored(x: Float64Array, add: number): Float64Array {
  const into = new Float64Array(x.length);
  for (let i = 0, j = x.length - 1; j >= 0; i++, j--) into[i] = add - x[j]!;
  return into;
}

/** The best combination of two halves found: sums of both as stored, and the numbers of players. */
export interface Meeting {
  readonly value: number;
  /** The left half has `a` on its larger team, `b` on the other; the right half has the larger team on the other side. */
  readonly a: number;
  readonly b: number;
  readonly left: number;
  readonly right: number;
  /** True when the left half's larger team is the second. */
  readonly turned: boolean;
}

/**
 * The two halves' ways with `size` on either team whose difference is nearest to `target`.
 *
 * @param below only nearer results are searched
 * @param least a lower bound
 * @returns null when nothing is nearer than `below`
 * @throws OutOfTime
 */
export function meetThree(
  left: ThreeWays,
  right: ThreeWays,
  size: number,
  target: number,
  below: number,
  least: number,
  budget: Budget,
): Meeting | null {
  const nearest = new Float64Array([below, 0, 0]);
  let found: Meeting | null = null;
  const signs = target === 0 ? [1] : [1, -1];
  for (let a = 0; a <= Math.min(size, left.most); a++) {
    for (let b = 0; b <= a; b++) {
      // The right half contributes size − a to the left's larger team and size − b to the other, which is the larger there.
      if (size - b > right.most) continue;
      const x = left.lists[a * left.width + b];
      const y = right.lists[(size - b) * right.width + size - a];
      if (!x || !y) continue;
      for (const sign of signs) {
        if (!closest(x, y, sign * target, nearest, budget)) continue;
        found = { value: nearest[0]!, a, b, left: x[nearest[1]!]!, right: y[nearest[2]!]!, turned: sign < 0 };
        if (found.value <= least) return found;
      }
    }
  }
  return found;
}

/** A player's position: 1 on the larger team, −1 on the other, 0 on the bench. */
export type Place = 1 | -1 | 0;

/** The position after the teams change names. */
export function turned(place: Place): Place {
  return place === 0 ? 0 : place === 1 ? -1 : 1;
}

/**
 * Reconstructs the positions of ways of which only sum and numbers are known, by meeting in the middle once more: so the
 * lists need no positions.
 */
export function finderOf({ items }: ThreeWays): (a: number, b: number, sum: number) => Place[] {
  const middle = items.length >> 1;
  let early: Map<number, Way[]> | null = null;
  let late: Way[] = [];
  return (a, b, sum) => {
    if (!early) {
      early = new Map();
      for (const way of everyWay(items.slice(0, middle))) {
        const same = early.get(way.sum);
        if (same) same.push(way);
        else early.set(way.sum, [way]);
      }
      late = everyWay(items.slice(middle));
    }
    for (const way of late) {
      if (way.a > a || way.b > b) continue;
      const match = early.get(sum - way.sum)?.find((other) => other.a + way.a === a && other.b + way.b === b);
      if (match) return [...placesOf(match.code, middle), ...placesOf(way.code, items.length - middle)];
    }
    throw new Error('a sum that was met has no players');
  };
}

interface Way {
  readonly sum: number;
  readonly a: number;
  readonly b: number;
  /** Two bits per player: 1 on the larger team, 2 on the other. */
  readonly code: number;
}

function placesOf(code: number, players: number): Place[] {
  return Array.from({ length: players }, (_, i) => {
    const bits = (code >> (2 * i)) & 3;
    return bits === 0 ? 0 : bits === 1 ? 1 : -1;
  });
}

function everyWay(items: readonly PoolItem[]): Way[] {
  const ways: Way[] = [{ sum: 0, a: 0, b: 0, code: 0 }];
  items.forEach(({ weight, canSitOut }, i) => {
    const number = ways.length;
    for (let at = 0; at < number; at++) {
      const { sum, a, b, code } = ways[at]!;
      ways.push({ sum: sum - weight, a, b: b + 1, code: code | (2 << (2 * i)) });
      const first = { sum: sum + weight, a: a + 1, b, code: code | (1 << (2 * i)) };
      if (canSitOut) ways.push(first);
      else ways[at] = first;
    }
  });
  return ways;
}
