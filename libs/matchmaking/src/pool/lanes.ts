import type { CompiledRules } from './compiled-rules.js';
import { Lane } from './lane.js';
import { unmeasured, type TicketTable } from './ticket-table.js';

/** Tickets of one build under rules of one shape; those of low behaviour apart. */
export interface Group {
  readonly index: number;
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
  private readonly byName = new Map<string, Group>();

  constructor(
    private readonly table: TicketTable,
    /** The compiled rules of a ticket, by the index that its row holds. */
    private readonly rulesOf: (index: number) => CompiledRules,
  ) {}

  /** The group of a build and a shape. */
  groupOf(build: string, rules: CompiledRules, low: boolean): Group {
    const name = JSON.stringify([build, rules.shape, low]);
    const known = this.byName.get(name);
    if (known) return known;
    const everybody = low ? this.groupOf(build, rules, false) : null;
    const group = {
      index: this.groups.length,
      rules,
      lanes: new Map<number, Lane>(),
      everybody,
      build,
      players: 0,
    };
    this.groups.push(group);
    this.byName.set(name, group);
    return group;
  }

  /** Every lane, in the order in which they were opened. */
  *all(): Generator<Lane> {
    for (const group of this.groups) yield* group.lanes.values();
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
    const open = (region: number, at: number): void => {
      if (at <= now && at > from) this.laneOf(group, region, now).join(slot);
      else if (at > now) next = Math.min(next, at);
      if (!group.everybody) return;
      const later = Math.max(at, apart);
      if (later <= now && later > from) this.laneOf(group.everybody, region, now).join(slot);
      else if (later > now) next = Math.min(next, later);
    };
    if (table.choosy(slot)) {
      for (let region = 0; region < table.regions.length; region++) {
        const latency = table.latencyOf(slot, region);
        if (latency !== unmeasured) open(region, since + rules.latencyAfter(latency));
      }
    } else {
      const regions = new Set([-1, ...group.lanes.keys(), ...(group.everybody?.lanes.keys() ?? [])]);
      for (const region of regions) open(region, since);
    }
    return next;
  }

  /** A lane; whoever takes any region and is in the group already joins a new one. */
  private laneOf(group: Group, region: number, now: number): Lane {
    const known = group.lanes.get(region);
    if (known) return known;
    const lane = new Lane(group.index, region, group.rules.seats);
    group.lanes.set(region, lane);
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
