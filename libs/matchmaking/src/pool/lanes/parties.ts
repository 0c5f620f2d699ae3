/** Fingerprints of the players of parties, in one array per size: an array per party would take ten times the memory. */
export class Parties {
  private readonly bySize = new Map<number, { held: Uint32Array; used: number; readonly free: number[] }>();

  /** @returns their position among those of their size */
  add(who: readonly number[]): number {
    const size = who.length;
    let parties = this.bySize.get(size);
    if (!parties) this.bySize.set(size, (parties = { held: new Uint32Array(16 * size), used: 0, free: [] }));
    const at = parties.free.pop() ?? parties.used++;
    if ((at + 1) * size > parties.held.length) {
      const more = new Uint32Array(Math.ceil(parties.held.length * 1.25) + size);
      more.set(parties.held);
      parties.held = more;
    }
    parties.held.set(who, at * size);
    return at;
  }

  remove(at: number, size: number): void {
    this.bySize.get(size)?.free.push(at);
  }

  of(at: number, size: number): Uint32Array {
    return this.bySize.get(size)?.held.subarray(at * size, (at + 1) * size) ?? new Uint32Array(0);
  }
}
