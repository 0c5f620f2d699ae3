import type { CoreAtom } from './core.js';

interface Pile {
  /** Heavier side less the lighter one. */
  readonly difference: number;
  /** Atoms of the heavier side, then of the lighter: as trees, so that merging is cheap. */
  readonly heavy: Tree;
  readonly light: Tree;
}
type Tree = number | readonly [Tree, Tree] | null;

/**
 * Balanced differencing: Karmarkar and Karp's method (1982) over neighbouring pairs, so that both sides get equal numbers
 * (Coffman, Frederickson and Lueker 1984; Michiels et al. 2003). In n log n steps it comes far nearer to balance than
 * dealing or swapping, though not always to the optimum.
 *
 * Pairs of neighbours in weight leave the least to balance. Pairs of opposites, the heaviest with the lightest, leave
 * enough to outweigh an outlier.
 *
 * @param atoms of one player each, heaviest first; an odd number leaves the first team one more
 * @returns for each atom 1 (first team) or 0
 */
export function balancedDifferencing(
  atoms: readonly CoreAtom[],
  pairing: 'neighbours' | 'opposites' = 'neighbours',
): Uint8Array {
  const heap: Pile[] = [];
  // With an odd number one player is paired with an absent one of the least weight: the lightest loses least.
  const paired = atoms.length - (atoms.length % 2);
  for (let pair = 0; pair < paired / 2; pair++) {
    const heavy = pairing === 'neighbours' ? 2 * pair : pair;
    const light = pairing === 'neighbours' ? 2 * pair + 1 : paired - 1 - pair;
    push(heap, { difference: atoms[heavy]!.gain - atoms[light]!.gain, heavy, light });
  }
  const odd = paired < atoms.length ? paired : null;
  while (heap.length > 1) {
    const a = pop(heap);
    const b = pop(heap);
    push(heap, {
      difference: a.difference - b.difference,
      heavy: [a.heavy, b.light],
      light: [a.light, b.heavy],
    });
  }
  const sides = new Uint8Array(atoms.length);
  const last = heap[0];
  // The larger team gets the odd one; for evenness it should be the lighter side.
  if (last) mark(odd === null ? last.heavy : last.light, sides);
  if (odd !== null) sides[odd] = 1;
  return sides;
}

function mark(tree: Tree, sides: Uint8Array): void {
  const open: Tree[] = [tree];
  while (open.length > 0) {
    const next = open.pop() ?? null;
    if (next === null) continue;
    if (typeof next === 'number') sides[next] = 1;
    else open.push(next[0], next[1]);
  }
}

function push(heap: Pile[], pile: Pile): void {
  let at = heap.length;
  heap.push(pile);
  while (at > 0) {
    const up = (at - 1) >> 1;
    if (heap[up]!.difference >= pile.difference) break;
    heap[at] = heap[up]!;
    at = up;
  }
  heap[at] = pile;
}

function pop(heap: Pile[]): Pile {
  const top = heap[0]!;
  const last = heap.pop()!;
  if (heap.length === 0) return top;
  let at = 0;
  for (;;) {
    let down = 2 * at + 1;
    if (down >= heap.length) break;
    if (down + 1 < heap.length && heap[down + 1]!.difference > heap[down]!.difference) down++;
    if (heap[down]!.difference <= last.difference) break;
    heap[at] = heap[down]!;
    at = down;
  }
  heap[at] = last;
  return top;
}
