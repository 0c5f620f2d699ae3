import type { CompiledRules } from '../compiled-rules.js';
import type { GroupEntry, Group, TicketClass } from './ticket-classes.js';
import { Lane } from './lane.js';
import { unmeasured, type TicketTable } from './ticket-table.js';

/** Assigns waiting tickets to lanes. */
export class Lanes {
  private ordered: Lane[] | null = null;

  constructor(
    private readonly table: TicketTable,
    private readonly classes: { groups(): readonly Group[]; of(slot: number): TicketClass },
    /** The compiled rules of a ticket, by the index that its row holds. */
    private readonly rulesOf: (index: number) => CompiledRules,
  ) {}

  /** Every lane, in an order independent of arrival. */
  all(): readonly Lane[] {
    this.ordered ??= this.classes
      .groups()
      .filter(({ lanes }) => lanes.size > 0)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((group) => this.lanesOf(group));
    return this.ordered;
  }

  /** Lanes were removed. */
  forgetOrder(): void {
    this.ordered = null;
  }

  /** Removes the lanes of regions whose numbers were freed: their tickets accept any region, and are in the lane of all. */
  closeRegions(regions: readonly number[]): void {
    if (regions.length === 0) return;
    for (const { lanes } of this.classes.groups()) for (const region of regions) lanes.delete(region);
    this.ordered = null;
  }

  /** The lanes of a group, by the name of the region. */
  lanesOf({ lanes }: Group): Lane[] {
    const nameOf = (lane: Lane): string => this.table.regions[lane.region] ?? '';
    return [...lanes.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  /** The lanes of a ticket, with its place in each. */
  placesOf(slot: number): (readonly [Lane, number])[] {
    const found: (readonly [Lane, number])[] = [];
    for (const { group } of this.classes.of(slot).entries)
      for (const lane of this.lanesOf(group)) {
        const place = lane.placeOf(slot, this.table);
        if (place < lane.length && lane.order[place] === slot) found.push([lane, place]);
      }
    return found;
  }

  /** Reports a removed ticket to the lanes that it may be in. */
  leave({ entries }: TicketClass): void {
    for (const { group } of entries) for (const lane of group.lanes.values()) lane.leave();
  }

  /**
   * Opens the groups of one platform that a ticket asks for by now to all tickets that may be in them, and closes groups
   * that none asks for: a ticket that plays across platforms is in two groups only while another one needs it.
   */
  followRequests(now: number): void {
    const { table } = this;
    for (const group of this.classes.groups()) {
      if (!group.onRequest || group.isOpen === group.requests > 0) continue;
      group.isOpen = group.requests > 0;
      if (!group.isOpen) {
        group.lanes.clear();
        this.ordered = null;
        continue;
      }
      for (let slot = 0; slot < table.end; slot++) {
        if (table.alive[slot] !== 1 || Number.isNaN(table.next[slot])) continue;
        for (const entry of this.classes.of(slot).entries)
          if (entry.group === group) this.pass(slot, entry, -Infinity, now);
      }
    }
  }

  /**
   * Adds a ticket to the lanes that opened to it at `from` or later.
   *
   * @returns when the next will open, milliseconds since the epoch; Infinity when none will
   */
  advance(slot: number, from: number, now: number): number {
    let next = Infinity;
    for (const entry of this.classes.of(slot).entries)
      next = Math.min(next, this.pass(slot, entry, from, now));
    return next;
  }

  /**
   * Adds a ticket to the lanes of one group. A region that it did not measure has a lane only while a ticket that did is in the
   * group; that ticket may come later, so the end of the limits is among the times at which more opens.
   *
   * @returns when the next of them will open
   */
  private pass(slot: number, entry: GroupEntry, from: number, now: number): number {
    const { table } = this;
    const { group } = entry;
    const acceptedAt = this.acceptance(slot, entry);
    let next = Infinity;
    const open = (region: number, latencyMs: number): void => {
      const at = acceptedAt(latencyMs);
      if (at > now) next = Math.min(next, at);
      else if (at >= from && group.isOpen) this.laneOf(group, region, now).join(slot);
    };
    if (!table.choosy(slot)) open(-1, 0);
    for (let region = 0; region < table.regions.length; region++) {
      const latencyMs = table.latencyMsOf(slot, region);
      if (latencyMs < Infinity || group.lanes.has(region)) open(region, latencyMs);
    }
    const endAt = acceptedAt(Infinity);
    return endAt > now ? Math.min(next, endAt) : next;
  }

  /** When a ticket that may be in a group accepts a latency. One that measured no region accepts all at once. */
  private acceptance(slot: number, { isLate }: GroupEntry): (latencyMs: number) => number {
    const { table } = this;
    const since = table.enqueuedAt[slot]!;
    const rules = this.rulesOf(table.rules[slot]!);
    const notBefore = isLate ? this.togetherAt(slot, rules) : since;
    if (!table.choosy(slot)) return () => notBefore;
    return (latencyMs) => Math.max(notBefore, since + rules.latencyAfter(latencyMs));
  }

  /** When a ticket of low behaviour may meet everybody. */
  private togetherAt(slot: number, { rules }: CompiledRules): number {
    return this.table.enqueuedAt[slot]! + (rules.behaviour?.apartSeconds ?? Infinity) * 1000;
  }

  /** Returns a lane; tickets of the group that accept any region by now join a new one. */
  private laneOf(group: Group, region: number, now: number): Lane {
    const known = group.lanes.get(region);
    if (known) return known;
    const lane = new Lane(group, region);
    group.lanes.set(region, lane);
    this.ordered = null;
    const { table } = this;
    // Alone in its group: no other ticket needs its lane.
    if (group.tickets === 1) return lane;
    for (let slot = 0; slot < table.end; slot++) {
      if (table.alive[slot] !== 1 || Number.isNaN(table.next[slot])) continue;
      // Those that measured the region join by themselves.
      if (region < 0 ? table.choosy(slot) : table.latencyOf(slot, region) !== unmeasured) continue;
      const entry = this.classes.of(slot).entries.find((each) => each.group === group);
      if (!entry) continue;
      const at = this.acceptance(slot, entry)(Infinity);
      // One that is still to be advanced joins then: a clock may have been ahead, or its limit ends now.
      if (at <= now && at < table.next[slot]!) lane.join(slot);
    }
    return lane;
  }
}
