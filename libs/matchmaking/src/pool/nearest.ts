import type { CompiledRules } from './compiled-rules.js';
import { agreesOnPlatform, platformGroup } from '../cross-play.js';
import type { TicketClass } from './lanes/ticket-classes.js';
import type { TicketTable } from './lanes/ticket-table.js';

/** A seat in a running match, with the constraints that the pool can check. */
export interface SeatRequest {
  readonly build: string;
  readonly region: string;
  /** Most players. */
  readonly seats: number;
  /** Target skill of each of its players, in units of mu; null: any. */
  readonly level: number | null;
  /** Of its match: see `OpenBackfill`. */
  readonly platformGroup?: string | undefined;
  readonly onlyPlatform?: string | undefined;
}

/**
 * The tickets whose sums are nearest to the target of the seats they would take, nearest first, of equals the longest wait
 * first. One pass over the tickets, and a heap of `limit`.
 */
export function nearestTickets(
  table: TicketTable,
  classOf: (slot: number) => TicketClass,
  rulesOf: (index: number) => CompiledRules,
  seat: SeatRequest,
  limit: number,
  now: number,
): string[] {
  const { region, seats, level } = seat;
  const at = table.regions.indexOf(region);
  const known = new Map<TicketClass, boolean>();
  const isSuitable = (ticketClass: TicketClass): boolean => {
    let answer = known.get(ticketClass);
    if (answer === undefined) known.set(ticketClass, (answer = suits(ticketClass, seat)));
    return answer;
  };
  const farther = (a: Near, b: Near): boolean =>
    a.distance !== b.distance
      ? a.distance > b.distance
      : table.enqueuedAt[a.slot]! > table.enqueuedAt[b.slot]!;
  const heap: Near[] = [];
  for (let slot = 0; slot < table.end; slot++) {
    if (table.alive[slot] !== 1 || table.size[slot]! > seats || !isSuitable(classOf(slot))) continue;
    if (table.choosy(slot)) {
      const latencyMs = at < 0 ? Infinity : table.latencyMsOf(slot, at);
      const { latencyAfter } = rulesOf(table.rules[slot]!);
      if (now - table.enqueuedAt[slot]! < latencyAfter(latencyMs)) continue;
    }
    const distance = level === null ? 0 : Math.abs(table.sumOf(slot) - table.size[slot]! * level);
    const near = { slot, distance };
    if (heap.length < limit) rise(heap, near, farther);
    else if (heap[0] && farther(heap[0], near)) sink(heap, near, farther);
  }
  return heap.sort((a, b) => (farther(a, b) ? 1 : -1)).map(({ slot }) => table.ids[slot]!);
}

function suits({ build, facts, rules }: TicketClass, seat: SeatRequest): boolean {
  return (
    build === seat.build &&
    platformGroup(rules.rules.crossPlay, facts.platforms) === (seat.platformGroup ?? '') &&
    agreesOnPlatform(facts, seat.onlyPlatform)
  );
}

interface Near {
  readonly slot: number;
  readonly distance: number;
}

/** Adds to a heap whose first is the farthest. */
function rise(heap: Near[], near: Near, farther: (a: Near, b: Near) => boolean): void {
  let at = heap.push(near) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!farther(near, heap[above]!)) break;
    heap[at] = heap[above]!;
    at = above;
  }
  heap[at] = near;
}

/** Replaces the farthest entry. */
function sink(heap: Near[], near: Near, farther: (a: Near, b: Near) => boolean): void {
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && farther(heap[below + 1]!, heap[below]!)) below += 1;
    if (!farther(heap[below]!, near)) break;
    heap[at] = heap[below]!;
    at = below;
  }
  heap[at] = near;
}
