import type { Group } from './ticket-classes.js';
import { longer } from './longer.js';
import { sortedSlots } from './sorted-slots.js';
import type { Rank, TicketTable } from './ticket-table.js';

/**
 * Tickets that may meet in one respect (a build, a region, a behaviour), by skill. A ticket is in several lanes, and joins
 * more as it waits. Beside each is the time when the match that starts with it will be allowed, so that a tick evaluates
 * only places that have changed or come due.
 */
export class Lane {
  order = new Int32Array(16);
  /** Milliseconds since the epoch; Infinity: not with these tickets. */
  due = new Float64Array(16);
  /** 1 where `due` is current; 0 where something has changed since. */
  known = new Uint8Array(16);
  length = 0;
  /** Longest match found, in places of the lane: how far before a change a match may reach it. */
  reach: number;
  private joining: number[] = [];
  private leaving = false;

  constructor(
    readonly group: Group,
    /** Index into the table's regions; -1: only tickets that accept any region. */
    readonly region: number,
  ) {
    this.reach = group.rules.seats;
  }

  /** The ticket joins at the next `settle`. */
  join(slot: number): void {
    this.joining.push(slot);
  }

  /** A ticket of the lane was killed. */
  leave(): void {
    this.leaving = true;
  }

  /** Adds newcomers, removes tickets that have left, and marks the places whose match may have changed. */
  settle(table: TicketTable): void {
    const joining = sortedSlots(this.joining, table);
    this.joining = [];
    if (this.leaving) this.compact(table);
    this.leaving = false;
    if (joining.length > 0) this.merge(joining, table);
  }

  /** The place of a ticket of this lane. */
  placeOf(slot: number, table: TicketTable): number {
    return this.firstWhere((other) => table.compare(other, slot) >= 0);
  }

  /** The first place whose ticket comes at or after a rank. */
  placeFrom(rank: Rank, table: TicketTable): number {
    return this.firstWhere((slot) => table.compareTo(slot, rank) >= 0);
  }

  /** The first place from which on all tickets pass a test. */
  private firstWhere(passes: (slot: number) => boolean): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (passes(this.order[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private compact(table: TicketTable): void {
    const { order, due, known, length } = this;
    let to = 0;
    let marked = 0;
    for (let from = 0; from < length; from++) {
      const slot = order[from]!;
      if (table.alive[slot] === 1) {
        if (to !== from) {
          order[to] = slot;
          due[to] = due[from]!;
          known[to] = known[from]!;
        }
        to++;
      } else {
        for (let p = Math.max(marked, to - this.reach); p < to; p++) known[p] = 0;
        marked = to;
      }
    }
    this.length = to;
  }

  private merge(joining: readonly number[], table: TicketTable): void {
    const length = this.length + joining.length;
    if (length > this.order.length) this.grow(length);
    const { order, due, known } = this;
    let from = this.length - 1;
    let to = length - 1;
    // From the back, in place. Places before a newcomer within the reach have to be evaluated again.
    let marks = 0;
    for (let next = joining.length - 1; next >= 0; to--) {
      const slot = joining[next]!;
      if (from >= 0 && table.compare(order[from]!, slot) > 0) {
        order[to] = order[from]!;
        due[to] = due[from]!;
        known[to] = marks > 0 ? 0 : known[from]!;
        marks--;
        from--;
      } else {
        order[to] = slot;
        known[to] = 0;
        marks = this.reach;
        next--;
      }
    }
    for (; marks > 0 && from >= 0; marks--, from--) known[from] = 0;
    this.length = length;
  }

  private grow(needed: number): void {
    const length = Math.max(needed, Math.ceil(this.order.length * 1.25));
    this.order = longer(this.order, new Int32Array(length));
    this.due = longer(this.due, new Float64Array(length));
    this.known = longer(this.known, new Uint8Array(length));
  }
}
