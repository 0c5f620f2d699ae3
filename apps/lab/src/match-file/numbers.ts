/** A list of numbers that grows, eight bytes each. */
export class Numbers {
  private room = new Float64Array(1_024);
  private count = 0;

  push(value: number): void {
    if (this.count === this.room.length) {
      const larger = new Float64Array(this.room.length * 2);
      larger.set(this.room);
      this.room = larger;
    }
    this.room[this.count++] = value;
  }

  get values(): Float64Array {
    return this.room.subarray(0, this.count);
  }

  /** A copy that threads can share. @param order the numbers' new places; as they are when absent */
  shared(order?: Float64Array): Float64Array {
    const copy = new Float64Array(new SharedArrayBuffer(this.count * 8));
    copy.set(order ? order.map((i) => this.room[i] ?? 0) : this.values);
    return copy;
  }
}
