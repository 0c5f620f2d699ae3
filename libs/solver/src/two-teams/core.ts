/**
 * The two-team problem in the form of the methods: every atom is `here` or `there`; each choice adds ± its gain to the
 * difference D = first team's sum − second team's, and its counts to the first team's key.
 */
export interface CoreAtom {
  /** Added to D when the atom is here; subtracted when it is there. In quanta. */
  readonly gain: number;
  /** Added to the first team's key when the atom is here, or there: its number of players (and of each kind). */
  readonly here: number;
  readonly there: number;
}

/** The value of a difference in splits whose first team has a certain key: |D − target| · scale. */
export interface Lane {
  readonly target: number;
  readonly scale: number;
}

export interface Core {
  readonly atoms: readonly CoreAtom[];
  /** The lane of a complete split by the first team's key; null when the key is not allowed. */
  readonly laneOf: (key: number) => Lane | null;
  /** Where keys are incomplete: whether this split is allowed. */
  readonly accepts: ((sides: Uint8Array) => boolean) | null;
  /** True when inverting every atom gives the same split; then the first atom is always here. */
  readonly mirrored: boolean;
}

/** A split: `sides[i]` is 1 when atom i is here. */
export interface Candidate {
  readonly value: number;
  readonly sides: Uint8Array;
}

/** The K best candidates seen, distinct, best first; of equal ones the first seen. */
export class Shortlist {
  readonly items: Candidate[] = [];
  /** A candidate must be below this to enter. */
  threshold = Infinity;

  constructor(readonly capacity: number) {}

  /** @returns whether it entered */
  offer(value: number, sides: Uint8Array): boolean {
    if (!(value < this.threshold)) return false;
    const { items } = this;
    let at = items.length;
    while (at > 0 && items[at - 1]!.value > value) at--;
    for (let i = at - 1; i >= 0 && items[i]!.value === value; i--) {
      if (same(items[i]!.sides, sides)) return false;
    }
    items.splice(at, 0, { value, sides });
    if (items.length > this.capacity) items.pop();
    if (items.length === this.capacity) this.threshold = items[this.capacity - 1]!.value;
    return true;
  }
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** D of a split. */
export function differenceOf(atoms: readonly CoreAtom[], sides: Uint8Array): number {
  let difference = 0;
  for (let i = 0; i < atoms.length; i++) difference += sides[i] ? atoms[i]!.gain : -atoms[i]!.gain;
  return difference;
}

/** The first team's key in a split. */
export function keyOf(atoms: readonly CoreAtom[], sides: Uint8Array): number {
  let key = 0;
  for (let i = 0; i < atoms.length; i++) key += sides[i] ? atoms[i]!.here : atoms[i]!.there;
  return key;
}

/** The value of a split, or null when it is not allowed. */
export function valueOf(core: Core, sides: Uint8Array): number | null {
  const lane = core.laneOf(keyOf(core.atoms, sides));
  if (!lane || (core.accepts && !core.accepts(sides))) return null;
  return Math.abs(differenceOf(core.atoms, sides) - lane.target) * lane.scale;
}

/** Inverts a split of a mirrored problem so that its first atom is here. */
export function turned(core: Core, sides: Uint8Array): Uint8Array {
  return core.mirrored && sides[0] === 0 ? sides.map((side) => 1 - side) : sides;
}
