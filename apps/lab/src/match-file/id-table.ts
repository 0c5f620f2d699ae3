const emptySlot = -1;

/** Finds the numbers under which texts were added, in sixteen bytes each: it keeps a hash of each text, not the text. */
export class IdTable {
  private hashes = new Float64Array(2_048);
  private numbers = new Float64Array(2_048).fill(emptySlot);
  private count = 0;

  /** The numbers of added texts with the same hash: nearly always of equal texts. */
  *candidates(id: string): Generator<number> {
    const hash = hashOf(id);
    for (let slot = this.slotOf(hash); this.numbers[slot] !== emptySlot; slot = this.after(slot))
      if (this.hashes[slot] === hash) yield this.numbers[slot] ?? 0;
  }

  /** @param number not negative */
  add(id: string, number: number): void {
    // Half of the slots stay empty, so that searches end soon.
    if (2 * ++this.count > this.hashes.length) this.grow();
    this.put(hashOf(id), number);
  }

  private put(hash: number, number: number): void {
    let slot = this.slotOf(hash);
    while (this.numbers[slot] !== emptySlot) slot = this.after(slot);
    this.hashes[slot] = hash;
    this.numbers[slot] = number;
  }

  private grow(): void {
    const { hashes, numbers } = this;
    this.hashes = new Float64Array(hashes.length * 2);
    this.numbers = new Float64Array(hashes.length * 2).fill(emptySlot);
    numbers.forEach((number, slot) => {
      if (number !== emptySlot) this.put(hashes[slot] ?? 0, number);
    });
  }

  private slotOf(hash: number): number {
    return hash % this.hashes.length;
  }

  private after(slot: number): number {
    return (slot + 1) % this.hashes.length;
  }
}

/** Two FNV-1a hashes with different bases, as one whole number below 2⁵³. */
function hashOf(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x01234567;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return ((high >>> 0) & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}
