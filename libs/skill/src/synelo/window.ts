import type { RoundSums } from './formulas.js';
import { pack, unpack } from './packed.js';

const ratingDigits = 4;
const surplusDigits = 6;
const entryDigits = ratingDigits + surplusDigits;
const surplusOffset = 2 ** 30;

/** Rounds in the order they came, two numbers each: the rating after, and outcome − expected in units of 2^-30. */
class RoundLog {
  readonly #numbers: Int32Array;
  #length = 0;

  constructor(readonly capacity: number) {
    this.#numbers = new Int32Array(2 * capacity);
  }

  get length(): number {
    return this.#length;
  }

  push(rating: number, surplus: number): void {
    this.#numbers[2 * this.#length] = rating;
    this.#numbers[2 * this.#length + 1] = surplus;
    this.#length++;
  }

  rating(at: number): number {
    return this.#numbers[2 * at] ?? 0;
  }

  surplus(at: number): number {
    return this.#numbers[2 * at + 1] ?? 0;
  }

  /** Another log with a common prefix. */
  from(start: number, length: number, capacity: number): RoundLog {
    const copy = new RoundLog(capacity);
    copy.#numbers.set(this.#numbers.subarray(2 * start, 2 * (start + length)));
    copy.#length = length;
    return copy;
  }
}

/**
 * A player's last rounds: a value with running sums, to which a round is added in constant time.
 *
 * A window is a range of an append-only log, so a window's successor may share its log: new entries are beyond the end of
 * all older windows. A second successor of the same window finds the place taken and copies. All numbers are whole and all
 * sums exact, so a deserialised window equals the original to the bit.
 */
export class RoundWindow implements RoundSums {
  static readonly empty = new RoundWindow(new RoundLog(0), 0, 0, 0, 0, 0, 0, 0);

  readonly #log: RoundLog;
  readonly #start: number;

  private constructor(
    log: RoundLog,
    start: number,
    readonly length: number,
    readonly older: number,
    readonly newer: number,
    readonly total: number,
    readonly squares: number,
    readonly surplus: number,
  ) {
    this.#log = log;
    this.#start = start;
  }

  /**
   * The window with one more round at its end, and without its first when it was full.
   *
   * @param rating after the round: whole, 0 to 1e6
   * @param surplus outcome − expected in units of 2^-30: whole, within ±2^30
   * @param most rounds that the window holds, 2 to 5000; a longer one is truncated
   */
  with(rating: number, surplus: number, most: number): RoundWindow {
    const n = this.length;
    if (n > most) return RoundWindow.read(this.write(), most).with(rating, surplus, most);
    const full = n >= most;
    const middle = n >> 1;
    let { older, newer, total, squares, surplus: sum } = this;
    // An entry crosses from one half to the other, or to the place between them, when the halves shift or grow.
    const crossing = n === 0 ? rating : this.#ratingAt(middle);
    if (full) {
      const first = this.#ratingAt(0);
      older += crossing - first;
      newer += rating - this.#ratingAt(n - middle);
      total -= first;
      squares -= first * first;
      sum -= this.#log.surplus(this.#start);
    } else if (n % 2 === 0) newer += rating - crossing;
    else {
      older += crossing;
      newer += rating;
    }

    const kept = full ? n - 1 : n;
    let start = full ? this.#start + 1 : this.#start;
    let log = this.#log;
    if (this.#start + n !== log.length || log.length === log.capacity) {
      log = log.from(start, kept, Math.min(2 * kept + 8, most + (most >> 1) + 8));
      start = 0;
    }
    log.push(rating, surplus);
    return new RoundWindow(
      log,
      start,
      kept + 1,
      older,
      newer,
      total + rating,
      squares + rating * rating,
      sum + surplus,
    );
  }

  /** The last rounds of the window. @param most whole, not negative */
  last(most: number): RoundWindow {
    return most >= this.length ? this : RoundWindow.read(this.write(), most);
  }

  /** Ten base-64 digits per round, oldest first. */
  write(): string {
    const rounds: string[] = [];
    for (let i = this.#start; i < this.#start + this.length; i++)
      rounds.push(
        pack(this.#log.rating(i), ratingDigits) + pack(this.#log.surplus(i) + surplusOffset, surplusDigits),
      );
    return rounds.join('');
  }

  /**
   * Parses the output of `write`; only the last rounds when there are more than `most`.
   *
   * @throws TypeError on anything else
   */
  static read(text: string, most: number): RoundWindow {
    if (text.length % entryDigits !== 0) throw new TypeError(`not a window of rounds: ${text.length} digits`);
    const first = Math.max(0, text.length - most * entryDigits);
    let window = RoundWindow.empty;
    for (let at = first; at < text.length; at += entryDigits) {
      const rating = unpack(text, at, ratingDigits);
      const surplus = unpack(text, at + ratingDigits, surplusDigits) - surplusOffset;
      if (surplus > surplusOffset) throw new TypeError('not a window of rounds: a surplus is above 1');
      window = window.with(rating, surplus, most);
    }
    return window;
  }

  #ratingAt(i: number): number {
    return this.#log.rating(this.#start + i);
  }
}
