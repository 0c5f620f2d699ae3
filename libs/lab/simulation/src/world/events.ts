/** A queue of timed events, taken in order; simultaneous ones in the order of insertion. */
export class EventQueue<Event> {
  private readonly heap: { readonly at: number; readonly order: number; readonly event: Event }[] = [];
  private order = 0;

  get size(): number {
    return this.heap.length;
  }

  /** When the next is due; Infinity when there is none. */
  get nextAt(): number {
    return this.heap[0]?.at ?? Infinity;
  }

  put(at: number, event: Event): void {
    const { heap } = this;
    const entry = { at, order: this.order++, event };
    let i = heap.length;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent]!;
      if (above.at < at || (above.at === at && above.order < entry.order)) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = entry;
  }

  /** @returns the next; undefined when there is none */
  take(): Event | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last) return undefined;
    const count = heap.length;
    if (count === 0) return first.event;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= count) break;
      const right = heap[child + 1];
      if (right && child + 1 < count && before(right, heap[child]!)) child++;
      if (!before(heap[child]!, last)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
    return first.event;
  }
}

function before(
  a: { readonly at: number; readonly order: number },
  b: { readonly at: number; readonly order: number },
): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
