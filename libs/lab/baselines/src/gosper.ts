import { Unsolvable } from '@muster/domain';
import { Steps, type BaselineLimit, type BaselineWork } from './steps.js';
import { heaviestFirst, total, type WeighedPlayer } from './sums.js';

/** The best split of one size; players on neither team sit out. */
export interface GosperSplit {
  /** Players per team. */
  readonly size: number;
  readonly teams: readonly [readonly string[], readonly string[]];
  readonly bench: readonly string[];
  readonly sums: readonly [number, number];
  readonly difference: number;
}

interface GosperBest extends BaselineWork {
  /** Null when the limit was reached before the first split. */
  readonly best: GosperSplit | null;
}

export interface GosperSplits extends BaselineWork {
  /** For every size from 2 on; sizes that the limit cut off are missing, and the last may not be the best. */
  readonly splits: readonly GosperSplit[];
}

/** Beyond 31 players the masks of the published method pass 2^30, and 32-bit operators answer with negative numbers. */
const mostPlayers = 31;

/**
 * The Gosper partition enumeration as published for the arena servers of yazoo.tf: the most even k against k for any k from
 * 2 to half the pool, the heaviest player always in the first team.
 *
 * 1. For every k, walk the subsets of 2k − 1 of the other players with Gosper's step from one bit mask to the next.
 * 2. Within each, walk the subsets of k − 1: they join the heaviest, the other k are the second team.
 * 3. Keep the least difference of each size; end a size at once at a difference of 0.
 *
 * Limitations: about 3^N / √N splits; a sum of doubles is almost never 0, so that the exit does not help; and a pool whose
 * best split benches the heaviest is solved incorrectly, since the anchor loses nothing only when nobody sits out. The
 * published listing puts the k − 1 on the other side, which would be k + 1 against k − 1, and its exit ends the search of
 * all sizes: both are corrected here.
 *
 * An operation is one split evaluated.
 *
 * @throws Unsolvable beyond 31 players
 */
export function gosperSplits(players: readonly WeighedPlayer[], limit: BaselineLimit = {}): GosperSplits {
  const pool = prepare(players);
  const steps = new Steps(limit);
  const splits: GosperSplit[] = [];
  for (let size = 2; size <= Math.floor(pool.length / 2) && !steps.stopped; size++) {
    const found = bestOfSize(pool, size, steps);
    if (found) splits.push(found);
  }
  return { splits, ...steps.work() };
}

/**
 * The same enumeration for one size, with all players.
 *
 * @throws Unsolvable unless players are even in number, from 4 to 30
 */
export function gosperFull(players: readonly WeighedPlayer[], limit: BaselineLimit = {}): GosperBest {
  const pool = prepare(players);
  if (pool.length % 2 !== 0 || pool.length < 4) {
    throw new Unsolvable(
      `Two equal teams of at least 2 need an even number of players, not ${pool.length}.`,
      {
        players: pool.length,
      },
    );
  }
  const steps = new Steps(limit);
  const best = bestOfSize(pool, pool.length / 2, steps);
  return { best, ...steps.work() };
}

function prepare(players: readonly WeighedPlayer[]): WeighedPlayer[] {
  if (players.length > mostPlayers) {
    throw new Unsolvable(
      `The published enumeration reaches ${mostPlayers} players: there are ${players.length}.`,
      {
        players: players.length,
      },
    );
  }
  return heaviestFirst(players);
}

/**
 * The next larger number with as many bits set. The division is exact: the lowest bit of `mask` divides every bit of it.
 */
function nextOfSameCount(mask: number): number {
  const lowest = mask & -mask;
  const carried = mask + lowest;
  return (((carried ^ mask) / lowest) >> 2) | carried;
}

/**
 * Bits 0, 1, … of `outer` are the players after the anchor; bits of `inner` are indices into the list of those set there.
 */
function bestOfSize(pool: readonly WeighedPlayer[], size: number, steps: Steps): GosperSplit | null {
  const active = 2 * size - 1;
  const weights = new Float64Array(active);
  const anchor = pool[0]?.weight ?? 0;
  let least = Infinity;
  let bestOuter = 0;
  let bestInner = 0;
  const outerEnd = 1 << (pool.length - 1);
  const innerEnd = 1 << active;

  for (let outer = (1 << active) - 1; outer < outerEnd && least > 0; outer = nextOfSameCount(outer)) {
    let count = 0;
    for (let i = 0; i < pool.length - 1; i++) {
      if ((outer >> i) & 1) weights[count++] = pool[i + 1]?.weight ?? 0;
    }
    for (let inner = (1 << (size - 1)) - 1; inner < innerEnd; inner = nextOfSameCount(inner)) {
      let first = anchor;
      let second = 0;
      for (let i = 0; i < active; i++) {
        if ((inner >> i) & 1) first += weights[i] ?? 0;
        else second += weights[i] ?? 0;
      }
      const difference = Math.abs(first - second);
      if (difference < least) {
        least = difference;
        bestOuter = outer;
        bestInner = inner;
        if (difference === 0) break;
      }
      if (!steps.take()) return unfold(pool, size, bestOuter, bestInner);
    }
  }
  return Number.isFinite(least) ? unfold(pool, size, bestOuter, bestInner) : null;
}

function unfold(pool: readonly WeighedPlayer[], size: number, outer: number, inner: number): GosperSplit {
  const first = pool.slice(0, 1);
  const second: WeighedPlayer[] = [];
  const bench: string[] = [];
  let place = 0;
  pool.slice(1).forEach((player, i) => {
    if (!((outer >> i) & 1)) bench.push(player.id);
    else if ((inner >> place++) & 1) first.push(player);
    else second.push(player);
  });
  const sums = [total(first), total(second)] as const;
  return {
    size,
    teams: [first.map((player) => player.id), second.map((player) => player.id)],
    bench,
    sums,
    difference: Math.abs(sums[0] - sums[1]),
  };
}
