import type { CompiledRules } from './compiled-rules.js';
import type { Door, Group, Kin } from './kinship.js';
import { Lane } from './lane.js';
import { unmeasured, type TicketTable } from './ticket-table.js';

/** Which lanes a ticket is in, as it waits. */
export class Lanes {
  private ordered: Lane[] | null = null;

  constructor(
    private readonly table: TicketTable,
    private readonly kins: { groups(): readonly Group[]; of(slot: number): Kin },
    /** The compiled rules of a ticket, by the index that its row holds. */
    private readonly rulesOf: (index: number) => CompiledRules,
  ) {}

  /** Every lane, in an order that does not depend on who came first. */
  all(): readonly Lane[] {
    this.ordered ??= this.kins
      .groups()
      .filter(({ lanes }) => lanes.size > 0)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((group) => this.lanesOf(group));
    return this.ordered;
  }

  /** Lanes were taken away. */
  forgetOrder(): void {
    this.ordered = null;
  }

  /** Takes away the lanes of regions whose numbers were given up: their tickets would go anywhere, and are in the lane of all. */
  closeRegions(regions: readonly number[]): void {
    if (regions.length === 0) return;
    for (const { lanes } of this.kins.groups()) for (const region of regions) lanes.delete(region);
    this.ordered = null;
  }

  /** The lanes of a group, by the name of the region. */
  lanesOf({ lanes }: Group): Lane[] {
    const nameOf = (lane: Lane): string => this.table.regions[lane.region] ?? '';
    return [...lanes.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  /** The lanes that a ticket is in, and where. */
  placesOf(slot: number): (readonly [Lane, number])[] {
    const found: (readonly [Lane, number])[] = [];
    for (const { group } of this.kins.of(slot).doors)
      for (const lane of this.lanesOf(group)) {
        const place = lane.placeOf(slot, this.table);
        if (place < lane.length && lane.order[place] === slot) found.push([lane, place]);
      }
    return found;
  }

  /** Tells the lanes that a ticket may be in that it is gone. */
  leave({ doors }: Kin): void {
    for (const { group } of doors) for (const lane of group.lanes.values()) lane.leave();
  }

  /**
   * Opens the groups of one platform that a ticket asks for by now, to all who may be in them, and closes those that none asks
   * for any more: a ticket that plays across platforms is in two groups only while that is of use to somebody.
   */
  followRequests(now: number): void {
    const { table } = this;
    for (const group of this.kins.groups()) {
      if (!group.onRequest || group.isOpen === group.requests > 0) continue;
      group.isOpen = group.requests > 0;
      if (!group.isOpen) {
        group.lanes.clear();
        this.ordered = null;
        continue;
      }
      for (let slot = 0; slot < table.end; slot++) {
        if (table.alive[slot] !== 1 || Number.isNaN(table.next[slot])) continue;
        for (const door of this.kins.of(slot).doors)
          if (door.group === group) this.pass(slot, door, -Infinity, now);
      }
    }
  }

  /**
   * Lets a ticket into the lanes that have opened to it since `from`.
   *
   * @returns when the next will open, milliseconds since the epoch; Infinity when none will
   */
  advance(slot: number, from: number, now: number): number {
    let next = Infinity;
    for (const door of this.kins.of(slot).doors) next = Math.min(next, this.pass(slot, door, from, now));
    return next;
  }

  /** Lets a ticket into the lanes of one group. @returns when the next of them will open */
  private pass(slot: number, { group, isLate }: Door, from: number, now: number): number {
    const { table } = this;
    const since = table.enqueuedAt[slot]!;
    const rules = this.rulesOf(table.rules[slot]!);
    const notBefore = isLate ? this.togetherAt(slot, rules) : since;
    let next = Infinity;
    const open = (region: number, at: number): void => {
      if (at > now) next = Math.min(next, at);
      else if (at > from && group.isOpen) this.laneOf(group, region, now).join(slot);
    };
    if (table.choosy(slot)) {
      for (let region = 0; region < table.regions.length; region++) {
        const latency = table.latencyOf(slot, region);
        if (latency !== unmeasured) open(region, Math.max(notBefore, since + rules.latencyAfter(latency)));
      }
      return next;
    }
    open(-1, notBefore);
    for (const region of group.lanes.keys()) if (region >= 0) open(region, notBefore);
    return next;
  }

  /** When a ticket of low behaviour may meet everybody. */
  private togetherAt(slot: number, { rules }: CompiledRules): number {
    return this.table.enqueuedAt[slot]! + (rules.behaviour?.apartSeconds ?? Infinity) * 1000;
  }

  /** A lane; whoever takes any region and is in the group already joins a new one. */
  private laneOf(group: Group, region: number, now: number): Lane {
    const known = group.lanes.get(region);
    if (known) return known;
    const lane = new Lane(group, region);
    group.lanes.set(region, lane);
    this.ordered = null;
    const { table } = this;
    // Alone in its group: there is nobody to look for.
    if (group.tickets === 1) return lane;
    for (let slot = 0; slot < table.end; slot++) {
      if (table.alive[slot] !== 1 || Number.isNaN(table.next[slot]) || table.choosy(slot)) continue;
      // A clock that was ahead: it joins when its time has come.
      if (table.enqueuedAt[slot]! > now) continue;
      const door = this.kins.of(slot).doors.find((each) => each.group === group);
      if (!door) continue;
      if (!door.isLate || this.togetherAt(slot, this.rulesOf(table.rules[slot]!)) <= now) lane.join(slot);
    }
    return lane;
  }
}
