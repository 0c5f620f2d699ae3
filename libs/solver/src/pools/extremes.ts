import { differencesDivisor } from '../two-teams/bounds.js';
import type { Budget } from '../problem/budget.js';
import type { Place, PoolItem } from './ternary.js';

/** A player who may take another place than the one that makes the first team lightest, and the second heaviest. */
interface Choice {
  readonly place: Place;
  /** How far this moves the difference towards the first team's side, in steps. */
  readonly steps: number;
  /** The change in the number of players of the first and the second team. */
  readonly first: number;
  readonly second: number;
}

/** A bitset in a shared block: thousands of separate arrays would cost more than their contents. */
interface Bits {
  readonly block: Uint32Array;
  readonly at: number;
  readonly words: number;
}

/** For each player counted, the reachable sums of steps, as bits, by the teams' surplus of players. */
type Layer = ReadonlyMap<number, Bits>;

/**
 * Words of a bitset: where more than two thousand steps are missing, there are so many combinations that a local search
 * finds one.
 */
const longest = 64;
const blockWords = 16_384;
/** Overhead of a bitset beside its words, in words. */
const overhead = 16;
/** Each surplus is stored in this many values. */
const width = 1_024;
const origin = (width / 2) * (width + 1);

/**
 * The search from the extremes, for a pool whose heaviest can only just be outweighed: the heaviest with the lightest on
 * the first team, the next heaviest on the second. From there every change of places makes the first team heavier, and few
 * changes add up to the missing amount. All of them are counted: for each surplus of players on either team, a bitset holds
 * the reachable sums of steps. Exact, for whole weights; players who sit out are counted with the others.
 *
 * @param items heaviest first; the first one is always on a team
 * @param size of either team
 * @param below only results nearer to zero than this are searched
 * @param mostWords limit of bitset words; the search gives up beyond it
 * @returns the indices of the most even split below that, null when there is none, undefined beyond the limit
 * @throws OutOfTime
 */
export function fromExtremes(
  items: readonly PoolItem[],
  size: number,
  below: number,
  mostWords: number,
  budget: Budget,
): Place[] | null | undefined {
  const weights = Float64Array.from(items, (item) => item.weight);
  const divisor = differencesDivisor(weights);
  if (divisor === 0) return undefined;
  const lightest = weights[weights.length - 1]!;
  const steps = weights.map((weight) => (weight - lightest) / divisor);
  const extreme = extremePlaces(items.length, size);
  const missing = -extreme.reduce((sum: number, place, i) => sum + place * steps[i]!, 0);
  const most = missing + Math.ceil(below / divisor) - 1;
  // When all changes already overshoot zero, the extreme is the best there is.
  const words = Math.floor(most / 32) + 1;
  if (missing < 0 || words > longest) return undefined;
  const choices = choicesOf(steps, extreme, size);
  const toGo = stepsToGo(choices, most, budget);
  const room = new Room();
  const start = room.take(1);
  start.block[start.at] = 1;
  const layers: Layer[] = [new Map([[origin, start]])];
  for (const [i, choice] of choices.entries()) {
    layers.push(grown(layers[i]!, choice, toGo[i + 1]!, most, room, budget));
    if (room.made > mostWords) return undefined;
  }
  const end = layers[layers.length - 1]!.get(origin);
  const nearest = end ? nearestBit(end, missing, most) : null;
  return nearest === null ? null : walkBack(layers, choices, nearest);
}

function extremePlaces(players: number, size: number): Place[] {
  return Array.from({ length: players }, (_, i) => (i === 0 || i > players - size ? 1 : i <= size ? -1 : 0));
}

/**
 * The costs of other places for each player except the first. Given the weight at which a player of the second team may as
 * well sit out, and that for the first, each place has a value of its own, and that of the extreme is the best.
 */
function choicesOf(steps: Float64Array, extreme: readonly Place[], size: number): Choice[][] {
  const players = steps.length;
  const isBenched = players > 2 * size;
  const onSecond = steps[size]!;
  const onFirst = isBenched ? steps[players - size + 1]! : onSecond;
  const worth = (i: number, place: Place): number =>
    place === 1 ? steps[i]! - onFirst : place === -1 ? onSecond - steps[i]! : 0;
  return extreme.map((usual, i) => {
    const places: readonly Place[] = i === 0 ? [1] : isBenched ? [1, -1, 0] : [1, -1];
    return places.map((place): Choice => ({
      place,
      steps: worth(i, place) - worth(i, usual),
      first: Number(place === 1) - Number(usual === 1),
      second: Number(place === -1) - Number(usual === -1),
    }));
  });
}

/**
 * For each number of players counted, by the teams' surplus: the fewest steps with which the remaining players can
 * compensate it. Surpluses that cannot be compensated within that many steps are left out.
 */
function stepsToGo(
  choices: readonly (readonly Choice[])[],
  most: number,
  budget: Budget,
): ReadonlyMap<number, number>[] {
  const toGo: ReadonlyMap<number, number>[] = [];
  let after: ReadonlyMap<number, number> = new Map([[origin, 0]]);
  toGo[choices.length] = after;
  for (let i = choices.length - 1; i >= 0; i--) {
    const before = new Map<number, number>();
    for (const [key, least] of after) {
      for (const { steps, first, second } of choices[i]!) {
        if (least + steps > most) continue;
        const from = key - first * width - second;
        const known = before.get(from);
        if (known === undefined || known > least + steps) before.set(from, least + steps);
      }
    }
    budget.spend(after.size);
    toGo[i] = after = before;
  }
  return toGo;
}

/** Storage of bitsets. */
class Room {
  private block = new Uint32Array(blockWords);
  private used = 0;
  /** Words of all its bitsets, including overhead. */
  made = 0;

  /** An empty one. */
  take(words: number): Bits {
    if (this.used + words > blockWords) [this.block, this.used] = [new Uint32Array(blockWords), 0];
    const at = this.used;
    this.used += words;
    this.made += words + overhead;
    return { block: this.block, at, words };
  }

  /** The last one allocated stayed empty. */
  giveBack({ words }: Bits): void {
    this.used -= words;
    this.made -= words + overhead;
  }
}

/** Adds one player. Sums that leave too few steps to compensate the surplus are left out. */
function grown(
  layer: Layer,
  choices: readonly Choice[],
  toGo: ReadonlyMap<number, number>,
  most: number,
  room: Room,
  budget: Budget,
): Layer {
  const next = new Map<number, Bits>();
  for (const [key, bits] of layer) {
    for (const { steps, first, second } of choices) {
      const to = key + first * width + second;
      const least = toGo.get(to);
      if (least === undefined || least + steps > most) continue;
      const into = next.get(to) ?? room.take(((most - least) >>> 5) + 1);
      budget.spend(into.words);
      const isNew = !next.has(to);
      if (!join(bits, steps, into) && isNew) room.giveBack(into);
      else if (isNew) next.set(to, into);
    }
  }
  return next;
}

/** Joins shifted bits to others, as far as those have room. @returns whether any was left */
function join(bits: Bits, steps: number, into: Bits): boolean {
  const whole = steps >>> 5;
  const part = steps & 31;
  const { block: source, at: from, words } = bits;
  const { block: target, at: to } = into;
  let any = 0;
  for (let w = Math.min(into.words - 1, words + whole); w >= whole; w--) {
    let moved = w - whole < words ? source[from + w - whole]! << part : 0;
    if (part > 0 && w > whole) moved |= source[from + w - whole - 1]! >>> (32 - part);
    any |= moved;
    target[to + w] = target[to + w]! | moved;
  }
  return any !== 0;
}

function has({ block, at, words }: Bits, bit: number): boolean {
  return bit >= 0 && bit < 32 * words && ((block[at + (bit >>> 5)]! >>> (bit & 31)) & 1) === 1;
}

/** The reached sum of steps nearest to the missing amount; null when none up to `most` is reached. */
function nearestBit(bits: Bits, missing: number, most: number): number | null {
  for (let off = 0; off <= most - missing; off++) {
    if (has(bits, missing - off)) return missing - off;
    if (has(bits, missing + off)) return missing + off;
  }
  return null;
}

function walkBack(layers: readonly Layer[], choices: readonly (readonly Choice[])[], from: number): Place[] {
  const places: Place[] = [];
  let key = origin;
  let bit = from;
  for (let i = choices.length - 1; i >= 0; i--) {
    const made = choices[i]!.find(({ steps, first, second }) => {
      const before = layers[i]!.get(key - first * width - second);
      return before !== undefined && has(before, bit - steps);
    })!;
    places[i] = made.place;
    key -= made.first * width + made.second;
    bit -= made.steps;
  }
  return places;
}
