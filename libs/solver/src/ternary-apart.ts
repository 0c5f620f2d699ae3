import type { Budget } from './budget.js';
import { closest, closestSum } from './closest.js';
import { finderOf, threeWays, type Place, type PoolItem, type ThreeWays } from './ternary.js';

const all = [1, -1, 0] as const;

/** The best way found, as of which ways of either half it is made. */
interface Made {
  readonly left: { readonly a: number; readonly b: number; readonly sum: number };
  readonly right: { readonly a: number; readonly b: number; readonly sum: number };
  /** Where the players kept apart are. */
  readonly apart: readonly [Place, Place];
}

/**
 * Meets three ways with one player of each half kept apart: their lists are a third as long, and are walked once for each of
 * the nine ways to place those two. A third of the memory, and of the merging, for three times the walking.
 */
export class ThreeWaysApart {
  private readonly left: ThreeWays;
  private readonly right: ThreeWays;
  private readonly apart: readonly [PoolItem, PoolItem];

  /**
   * @param items two or more of either half; the last of each half can sit out
   * @param middle where the second half begins
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
   * The places of the most even split with `size` on either team.
   *
   * @param below only what is nearer to nought than this is of interest
   * @param least nothing can be nearer than this
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

  /** The best way with the players kept apart in these places; the listed half's larger team is the first. */
  private with(places: readonly [Place, Place], size: number, nearest: Float64Array): Made | null {
    const { left, right, apart, budget } = this;
    const wanted = -(places[0] * apart[0].weight + places[1] * apart[1].weight);
    const has = (place: Place): number => places.filter((own) => own === place).length;
    let made: Made | null = null;
    for (let a = 0; a <= Math.min(size, left.most); a++) {
      for (let b = 0; b <= a; b++) {
        // What the right half brings to the first team and to the second.
        const [c, d] = [size - a - has(1), size - b - has(-1)];
        if (c < 0 || d < 0 || Math.max(c, d) > right.most) continue;
        const x = left.lists[a * left.width + b];
        const y = right.lists[Math.max(c, d) * right.width + Math.min(c, d)];
        if (!x || !y) continue;
        // Ways are listed with the larger team as the first; as the second their sums have the other sign.
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
      ...(a > b ? onRight : onRight.map((place): Place => (place === 0 ? 0 : place === 1 ? -1 : 1))),
      apart[1],
    ];
  }
}
