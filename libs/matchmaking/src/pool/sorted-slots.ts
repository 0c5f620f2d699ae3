import type { TicketTable } from './ticket-table.js';

/** Fewer are sorted by the table's comparison alone. */
const many = 256;
/** Slots below this fit beside 32 bits of skill into the integers of a double. */
const mostSlots = 2 ** 21;

/**
 * The living ones of some slots, each once, in the order of a lane. Many slots are sorted by numbers that hold the first 32
 * bits of skill and the slot, without a comparison function, and only ties by the table: three times as fast.
 */
export function sortedSlots(slots: readonly number[], table: TicketTable): number[] {
  const living = slots.filter((slot) => table.alive[slot] === 1);
  const compare = (a: number, b: number): number => table.compare(a, b);
  const sorted =
    living.length < many || table.end >= mostSlots ? living.sort(compare) : byKeys(living, table, compare);
  return sorted.filter((slot, i) => i === 0 || slot !== sorted[i - 1]);
}

function byKeys(
  slots: readonly number[],
  table: TicketTable,
  compare: (a: number, b: number) => number,
): number[] {
  const single = new Float32Array(1);
  const bits = new Uint32Array(single.buffer);
  const keys = new Float64Array(slots.length);
  for (const [i, slot] of slots.entries()) {
    single[0] = table.skill[slot]!;
    const raw = bits[0]!;
    // Bits of a float in the order of its value: the sign flipped, and all bits of a negative one.
    keys[i] = (raw & 0x80000000 ? ~raw >>> 0 : (raw | 0x80000000) >>> 0) * mostSlots + slot;
  }
  keys.sort();
  const sorted: number[] = [];
  let from = 0;
  const settle = (to: number): void => {
    if (to - from > 1) {
      const alike = sorted.slice(from, to).sort(compare);
      for (let i = from; i < to; i++) sorted[i] = alike[i - from]!;
    }
    from = to;
  };
  let last = NaN;
  for (const [i, key] of keys.entries()) {
    const skill = Math.floor(key / mostSlots);
    if (skill !== last) settle(i);
    last = skill;
    sorted.push(key - skill * mostSlots);
  }
  settle(sorted.length);
  return sorted;
}
