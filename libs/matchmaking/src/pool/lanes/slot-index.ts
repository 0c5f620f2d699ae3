/** No slot. */
const none = -1;

/**
 * The slot of each ticket by its id: open addressing with linear probing over slots, a third of the memory of a `Map`,
 * which keeps three words an entry. The ids are in the table.
 */
export class SlotIndex {
  private held = new Int32Array(128).fill(none);
  private used = 0;

  /** @param ids the ids by slot */
  constructor(private readonly ids: readonly string[]) {}

  get size(): number {
    return this.used;
  }

  get(id: string): number | undefined {
    const slot = this.held[this.placeOf(id)]!;
    return slot === none ? undefined : slot;
  }

  /** Adds a slot whose id is in the table; the id must be new. */
  add(slot: number): void {
    if (4 * (this.used + 1) > 3 * this.held.length) this.grow();
    this.held[this.placeOf(this.ids[slot]!)] = slot;
    this.used++;
  }

  /** Removes an id that is present. Entries behind it move up, so that no search ends before them. */
  delete(id: string): void {
    const { held } = this;
    const last = held.length - 1;
    let gap = this.placeOf(id);
    for (let at = (gap + 1) & last; held[at] !== none; at = (at + 1) & last) {
      const home = hashOf(this.ids[held[at]!]!) & last;
      // It may move unless its home lies between the gap and its place.
      if (((at - home) & last) < ((at - gap) & last)) continue;
      held[gap] = held[at]!;
      gap = at;
    }
    held[gap] = none;
    this.used--;
  }

  /** The place of an id, or the free one where it belongs. */
  private placeOf(id: string): number {
    const { held, ids } = this;
    const last = held.length - 1;
    let at = hashOf(id) & last;
    while (held[at] !== none && ids[held[at]!] !== id) at = (at + 1) & last;
    return at;
  }

  private grow(): void {
    const before = this.held;
    this.held = new Int32Array(2 * before.length).fill(none);
    for (const slot of before) if (slot !== none) this.held[this.placeOf(this.ids[slot]!)] = slot;
  }
}

/** FNV-1a with a final mix, 32 bits: the low bits of FNV alone follow the last characters. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
