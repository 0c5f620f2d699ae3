import type { TicketTable } from './ticket-table.js';

/** Fewer are sorted by the table's comparison alone. */
const many = 256;
/** Slots below this fit beside 32 bits of a value into the integers of a double. */
const mostSlots = 2 ** 21;

/**
 * The living ones of some slots, each once, in the order of a lane. Many slots are sorted by numbers that hold a value in 32
 * bits and the slot, without a comparison function: first by skill, then, where skills are equal, by wait. The table's
 * comparison decides the remaining ties. Slots that are in order already are not sorted again.
 */
export function sortedSlots(slots: readonly number[], table: TicketTable): number[] {
  const living = slots.filter((slot) => table.alive[slot] === 1);
  if (isRising(living, table)) return living;
  if (table.end >= mostSlots) living.sort((a, b) => table.compare(a, b));
  else sortRun(living, 0, living.length, table.skill, table);
  return living.filter((slot, i) => i === 0 || slot !== living[i - 1]);
}

function isRising(slots: readonly number[], table: TicketTable): boolean {
  for (let i = 1; i < slots.length; i++) if (table.compare(slots[i - 1]!, slots[i]!) >= 0) return false;
  return true;
}

/** Sorts a range by one column; the columns before it are equal in that range. */
function sortRun(slots: number[], from: number, to: number, column: Float64Array, table: TicketTable): void {
  if (to - from < many) return sortFew(slots, from, to, table);
  let least = Infinity;
  for (let i = from; i < to; i++) least = Math.min(least, column[slots[i]!]!);
  const single = new Float32Array(1);
  const bits = new Uint32Array(single.buffer);
  const keys = new Float64Array(to - from);
  for (let i = from; i < to; i++) {
    // The bits of a float that is not negative are in the order of its value.
    single[0] = column[slots[i]!]! - least;
    keys[i - from] = bits[0]! * mostSlots + slots[i]!;
  }
  keys.sort();
  let start = from;
  let last = -1;
  for (let i = from; i < to; i++) {
    const key = keys[i - from]!;
    const value = Math.floor(key / mostSlots);
    slots[i] = key - value * mostSlots;
    if (value === last) continue;
    sortTies(slots, start, i, column, table);
    start = i;
    last = value;
  }
  sortTies(slots, start, to, column, table);
}

/** Sorts a range whose values are equal in 32 bits. */
function sortTies(slots: number[], from: number, to: number, column: Float64Array, table: TicketTable): void {
  if (to - from < 2) return;
  const first = column[slots[from]!];
  let isEqual = column === table.skill;
  for (let i = from + 1; i < to && isEqual; i++) isEqual = column[slots[i]!] === first;
  if (isEqual) sortRun(slots, from, to, table.enqueuedAt, table);
  else sortFew(slots, from, to, table);
}

function sortFew(slots: number[], from: number, to: number, table: TicketTable): void {
  const sorted = slots.slice(from, to).sort((a, b) => table.compare(a, b));
  for (let i = from; i < to; i++) slots[i] = sorted[i - from]!;
}
