import type { CompiledRules } from './compiled-rules.js';
import { Lane } from './lane.js';
import { unmeasured, type TicketTable } from './ticket-table.js';

/** Tickets of one build under rules of one shape; those of low behaviour apart. */
export interface Group {
  readonly index: number;
  /** Of its build, shape and behaviour. */
  readonly name: string;
  readonly rules: CompiledRules;
  /** By region; -1: those to whom any will do. */
  readonly lanes: Map<number, Lane>;
  /** Where tickets of low behaviour go when they have been apart for long enough. */
  readonly everybody: Group | null;
  readonly build: string;
  /** Players in it, whether or not they share a region. */
  players: number;
}

/** Which lanes a ticket is in, as it waits. */
export class Lanes {
  readonly groups: Group[] = [];
  private ordered: Lane[] | null = null;
  private readonly byBuild = new Map<string, Map<string, Group>>();

  constructor(
    private readonly table: TicketTable,
    /** The compiled rules of a ticket, by the index that its row holds. */
    private readonly rulesOf: (index: number) => CompiledRules,
  ) {}

  /** The group of a build and a shape. */
  groupOf(build: string, rules: CompiledRules, low: boolean): Group {
    const ofBuild = this.byBuild.get(build) ?? new Map<string, Group>();
    this.byBuild.set(build, ofBuild);
    const name = low ? `${rules.shape} low` : rules.shape;
    const known = ofBuild.get(name);
    if (known) return known;
    const everybody = low ? this.groupOf(build, rules, false) : null;
    const lanes = new Map<number, Lane>();
    const index = this.groups.length;
    const group = { index, name: `${build} ${name}`, rules, lanes, everybody, build, players: 0 };
    this.groups.push(group);
    ofBuild.set(name, group);
    return group;
  }

  /** Every lane, in an order that does not depend on who came first. */
  all(): readonly Lane[] {
    this.ordered ??= this.groups
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((group) => this.lanesOf(group));
    return this.ordered;
  }

  /** The lanes of a group, by the name of the region. */
  lanesOf({ lanes }: Group): Lane[] {
    const nameOf = (lane: Lane): string => this.table.regions[lane.region] ?? '';
    return [...lanes.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  /** The lanes that a ticket is in, and where. */
  placesOf(slot: number): (readonly [Lane, number])[] {
    const found: (readonly [Lane, number])[] = [];
    for (let own: Group | null = this.groups[this.table.group[slot]!]!; own; own = own.everybody)
      for (const lane of this.lanesOf(own)) {
        const place = lane.placeOf(slot, this.table);
        if (place < lane.length && lane.order[place] === slot) found.push([lane, place]);
      }
    return found;
  }

  /** Tells the lanes that a ticket may be in that it is gone. */
  leave(group: Group): void {
    for (const lane of group.lanes.values()) lane.leave();
    if (group.everybody) this.leave(group.everybody);
  }

  /**
   * Lets a ticket into the lanes that have opened to it since `from`.
   *
   * @returns when the next will open, milliseconds since the epoch; Infinity when none will
   */
  advance(slot: number, from: number, now: number): number {
    const { table } = this;
    const group = this.groups[table.group[slot]!]!;
    const since = table.enqueuedAt[slot]!;
    const rules = this.rulesOf(table.rules[slot]!);
    const apart = since + (rules.rules.behaviour?.apartSeconds ?? Infinity) * 1000;
    let next = Infinity;
    if (table.choosy(slot)) {
      for (let region = 0; region < table.regions.length; region++) {
        const latency = table.latencyOf(slot, region);
        if (latency === unmeasured) continue;
        const at = since + rules.latencyAfter(latency);
        next = Math.min(next, this.open(slot, group, region, at, apart, from, now));
      }
      return next;
    }
    next = this.open(slot, group, -1, since, apart, from, now);
    for (const region of group.lanes.keys())
      if (region >= 0) next = Math.min(next, this.open(slot, group, region, since, apart, from, now));
    for (const region of group.everybody?.lanes.keys() ?? [])
      if (region >= 0 && !group.lanes.has(region))
        next = Math.min(next, this.open(slot, group, region, since, apart, from, now));
    return next;
  }

  /** Lets a ticket into the lanes of a region, if they have opened since `from`. @returns when the next of them will */
  private open(
    slot: number,
    group: Group,
    region: number,
    at: number,
    apart: number,
    from: number,
    now: number,
  ): number {
    let next = Infinity;
    if (at > now) next = at;
    else if (at > from) this.laneOf(group, region, now).join(slot);
    if (!group.everybody) return next;
    const later = Math.max(at, apart);
    if (later > now) return Math.min(next, later);
    if (later > from) this.laneOf(group.everybody, region, now).join(slot);
    return next;
  }

  /** A lane; whoever takes any region and is in the group already joins a new one. */
  private laneOf(group: Group, region: number, now: number): Lane {
    const known = group.lanes.get(region);
    if (known) return known;
    const lane = new Lane(group.index, region, group.rules.seats);
    group.lanes.set(region, lane);
    this.ordered = null;
    const { table } = this;
    for (let slot = 0; slot < table.end; slot++) {
      if (table.alive[slot] !== 1 || Number.isNaN(table.next[slot]) || table.choosy(slot)) continue;
      // A clock that was ahead: it joins when its time has come.
      if (table.enqueuedAt[slot]! > now) continue;
      const own = this.groups[table.group[slot]!]!;
      const rules = this.rulesOf(table.rules[slot]!);
      const apart = table.enqueuedAt[slot]! + (rules.rules.behaviour?.apartSeconds ?? Infinity) * 1000;
      if (own === group || (own.everybody === group && apart <= now)) lane.join(slot);
    }
    return lane;
  }
}
