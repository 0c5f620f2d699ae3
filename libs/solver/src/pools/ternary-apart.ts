import type { Budget } from '../problem/budget.js';
import { closest, closestSum } from '../two-teams/closest.js';
import { finderOf, threeWays, turned, type Place, type PoolItem, type ThreeWays } from './ternary.js';

const all = [1, -1, 0] as const;

/** The best combination found, with the ways of either half. */
interface Made {
  readonly left: { readonly a: number; readonly b: number; readonly sum: number };
  readonly right: { readonly a: number; readonly b: number; readonly sum: number };
  /** The positions of the players kept apart. */
  readonly apart: readonly [Place, Place];
}

/**
 * Meets three ways with one player of each half kept apart: their lists are a third as long, and are walked once for each
 * of the nine positions of those two. A third of the memory, and of the merging, for three times the walking.
 */
export class ThreeWaysApart {
  private readonly left: ThreeWays;
  private readonly right: ThreeWays;
  private readonly apart: readonly [PoolItem, PoolItem];

  /**
   * @param items two or more of either half; the last of each half can sit out
   * @param middle the start of the second half
   * @param most players on one team
   * @throws OutOfTime
   */
  constructor(
    items: readonly PoolItem[],
    middle: number,
    most: number,
    private readonly budget: Budget,
  ) {
    this.left = threeWays(items.slice(0, middle - 1), most, budget);
    this.right = threeWays(items.slice(middle, -1), most, budget);
    this.apart = [items[middle - 1]!, items[items.length - 1]!];
  }

  /**
   * The positions in the most even split with `size` on either team.
   *
   * @param below only results nearer to zero than this are searched
   * @param least a lower bound
   * @returns null when nothing is nearer than `below`
   * @throws OutOfTime
   */
  best(size: number, below: number, least: number): Place[] | null {
    const nearest = new Float64Array([below, 0, 0]);
    let made: Made | null = null;
    for (const first of all) {
      for (const second of all) {
        made = this.with([first, second], size, nearest) ?? made;
        if (nearest[0]! <= least && made) return this.placesOf(made);
      }
    }
    return made && this.placesOf(made);
  }

  /** The best combination with the players kept apart in these positions; the listed half's larger team is the first. */
  private with(places: readonly [Place, Place], size: number, nearest: Float64Array): Made | null {
    const { left, right, apart, budget } = this;
    const wanted = -(places[0] * apart[0].weight + places[1] * apart[1].weight);
    const has = (place: Place): number => places.filter((own) => own === place).length;
    let made: Made | null = null;
    for (let a = 0; a <= Math.min(size, left.most); a++) {
      for (let b = 0; b <= a; b++) {
        // The right half's contributions to the first team and to the second.
        const [c, d] = [size - a - has(1), size - b - has(-1)];
        if (c < 0 || d < 0 || Math.max(c, d) > right.most) continue;
        const x = left.lists[a * left.width + b];
        const y = right.lists[Math.max(c, d) * right.width + Math.min(c, d)];
        if (!x || !y) continue;
        // Ways are listed with the larger team as the first; as the second their sums have the opposite sign.
        const isNearer =
          c > d ? closestSum(x, y, wanted, nearest, budget) : closest(x, y, wanted, nearest, budget);
        if (!isNearer) continue;
        made = {
          left: { a, b, sum: x[nearest[1]!]! },
          right: { a: c, b: d, sum: y[nearest[2]!]! },
          apart: places,
        };
      }
    }
    return made;
  }

  private placesOf({ left, right, apart }: Made): Place[] {
    const { a, b } = right;
    const onRight = finderOf(this.right)(Math.max(a, b), Math.min(a, b), right.sum);
    return [
      ...finderOf(this.left)(left.a, left.b, left.sum),
      apart[0],
      ...(a > b ? onRight : onRight.map(turned)),
      apart[1],
    ];
  }
}
