import { own, skillOf, type Ticket, type TicketPlayer } from '@muster/domain';
import { longer } from './longer.js';
import { Parties } from './parties.js';
import { SlotIndex } from './slot-index.js';

/** No latency to this region was measured. */
export const unmeasured = 65_535;
/** All bits: a queue may have more maps than a number has bits. */
export const anyMap = -1n;
const mostInTwoBytes = 65_535;

/** Attributes that only some tickets have, stored separately so that the others cost nothing. */
export interface Wishes {
  readonly players: readonly TicketPlayer[];
  /** Fingerprints of players that may not be in the same match, and of those that may not be on the same team. */
  readonly apart: ReadonlySet<number>;
  readonly notOnTeam: ReadonlySet<number>;
  /** A bit for each map; all bits without a wish. */
  readonly maps: bigint;
}

/** What orders the tickets of a lane; it outlives the ticket. */
export interface Rank {
  readonly skill: number;
  readonly enqueuedAt: number;
  readonly ticketId: string;
}

/**
 * The waiting tickets in columns: a few typed arrays instead of an object each, for a million of them. A row is a slot;
 * slots are reused.
 */
export class TicketTable {
  readonly ids: string[] = [];
  enqueuedAt = new Float64Array(64);
  /** Mean of the members' means. */
  skill = new Float64Array(64);
  /** Sum of the members' variances. */
  variance = new Float32Array(64);
  size = new Uint8Array(64);
  /** Fingerprint of the only player; for a party, its offset in `parties`. */
  who = new Uint32Array(64);
  /** Index of its compiled rules. */
  rules = new Uint16Array(64);
  /** Index of its class: two bytes each while there are at most 65,536. */
  ticketClass: Uint16Array | Uint32Array = new Uint16Array(64);
  /** When more lanes will open to the ticket, milliseconds since the epoch; NaN while it is in no lane yet. */
  next = new Float64Array(64);
  alive = new Uint8Array(64);
  /** 1 once the ticket is in a proposal of this tick. */
  taken = new Uint8Array(64);
  /** Latencies, `stride` per ticket. */
  latency = new Uint16Array(0);
  /** By number; empty text for a free number. */
  readonly regions: string[] = [];
  /** Living tickets that measured each region. */
  private readonly measured: number[] = [];
  private idle: number[] = [];
  private readonly freeRegions: number[] = [];
  private stride = 0;
  /** The bit of each map that any rules have named. */
  private readonly mapBits = new Map<string, bigint>();
  /** The maps of each compiled rules, by their index. */
  private readonly offered: bigint[] = [];
  private readonly wishes = new Map<number, Wishes>();
  private readonly parties = new Parties();
  private readonly slots = new SlotIndex(this.ids);
  private readonly free: number[] = [];
  private used = 0;

  get count(): number {
    return this.slots.size;
  }

  /** All slots in use are below this. */
  get end(): number {
    return this.used;
  }

  slotOf(ticketId: string): number | undefined {
    return this.slots.get(ticketId);
  }

  /** Sets the maps of compiled rules. A map has the same bit in all rules. */
  offer(rules: number, maps: readonly string[]): void {
    for (const map of maps)
      if (!this.mapBits.has(map)) this.mapBits.set(map, 1n << BigInt(this.mapBits.size));
    this.offered[rules] = this.maskOf(maps);
  }

  /** The maps that compiled rules offer. */
  offeredBy(rules: number): bigint {
    return this.offered[rules] ?? 0n;
  }

  /** The bits of maps; a name that no rules have named has none. */
  maskOf(maps: readonly string[]): bigint {
    return maps.reduce((mask, map) => mask | (this.mapBits.get(map) ?? 0n), 0n);
  }

  /** Adds a ticket. @returns its slot */
  insert(ticket: Ticket, rules: number, ticketClass: number): number {
    const slot = this.free.pop() ?? this.used++;
    if (slot >= this.skill.length) this.grow(slot + 1);
    const { ticketId, players, enqueuedAt } = ticket;
    this.ids[slot] = ticketId;
    this.slots.add(slot);
    this.enqueuedAt[slot] = enqueuedAt;
    this.skill[slot] = skillOf(ticket);
    let variance = 0;
    for (const player of players) variance += player.sigma * player.sigma;
    this.variance[slot] = variance;
    this.size[slot] = players.length;
    const who = players.map((player) => fingerprint(player.playerId));
    this.who[slot] = who.length === 1 ? who[0]! : this.parties.add(who);
    this.rules[slot] = rules;
    if (ticketClass > mostInTwoBytes && this.ticketClass instanceof Uint16Array)
      this.ticketClass = Uint32Array.from(this.ticketClass);
    this.ticketClass[slot] = ticketClass;
    this.next[slot] = NaN;
    this.alive[slot] = 1;
    this.taken[slot] = 0;
    this.measure(slot, ticket.latencyMs);
    const wishes = wishesOf(ticket, this.maskOf(ticket.maps ?? []) & this.offeredBy(rules));
    if (wishes) this.wishes.set(slot, wishes);
    return slot;
  }

  /** Removes a ticket; its slot is reused after `release`. */
  kill(slot: number): void {
    this.alive[slot] = 0;
    this.slots.delete(this.ids[slot]!);
    this.wishes.delete(slot);
    if (this.size[slot] !== 1) this.parties.remove(this.who[slot]!, this.size[slot]!);
    for (let r = 0; r < this.regions.length; r++) {
      if (this.latencyOf(slot, r) === unmeasured) continue;
      this.measured[r]! -= 1;
      if (this.measured[r] === 0) this.idle.push(r);
    }
  }

  /**
   * Frees the numbers of regions that no living ticket measured: clients choose the names, and every ticket has room for
   * each.
   *
   * @returns those numbers; another region may get them
   */
  releaseRegions(): number[] {
    const gone = [...new Set(this.idle)].filter((r) => this.measured[r] === 0);
    this.idle = [];
    for (const r of gone) {
      this.regions[r] = '';
      this.freeRegions.push(r);
    }
    return gone;
  }

  /** The slot may be reused: no lane refers to it any more. */
  release(slot: number): void {
    this.ids[slot] = '';
    this.free.push(slot);
  }

  /** Whether a living ticket is in no lane yet. */
  isNew(slot: number): boolean {
    return this.alive[slot] === 1 && Number.isNaN(this.next[slot]);
  }

  /** Living tickets to which more lanes have opened by now. @param most number of them that are returned */
  dueBy(now: number, most: number): number[] {
    const { next, alive, used } = this;
    const due: number[] = [];
    for (let slot = 0; slot < used && due.length < most; slot++)
      if (next[slot]! <= now && alive[slot] === 1) due.push(slot);
    return due;
  }

  wishesOf(slot: number): Wishes | undefined {
    return this.wishes.size === 0 ? undefined : this.wishes.get(slot);
  }

  /** Sum of the members' means. */
  sumOf(slot: number): number {
    return this.skill[slot]! * this.size[slot]!;
  }

  /** Whether a player of the ticket is among these. */
  hasOneOf(slot: number, fingerprints: ReadonlySet<number>): boolean {
    if (fingerprints.size === 0) return false;
    if (this.size[slot] === 1) return fingerprints.has(this.who[slot]!);
    return this.parties.of(this.who[slot]!, this.size[slot]!).some((who) => fingerprints.has(who));
  }

  /** Milliseconds to a region, `unmeasured` where it was not. */
  latencyOf(slot: number, region: number): number {
    return region < this.stride ? this.latency[slot * this.stride + region]! : unmeasured;
  }

  /** The same, infinite where it was not measured: only a ticket without a limit accepts that. */
  latencyMsOf(slot: number, region: number): number {
    const latency = this.latencyOf(slot, region);
    return latency === unmeasured ? Infinity : latency;
  }

  /** Whether a ticket names any region; one that names none accepts all. */
  choosy(slot: number): boolean {
    for (let r = 0; r < this.stride; r++)
      if (this.latency[slot * this.stride + r] !== unmeasured) return true;
    return false;
  }

  /** The region of least latency; null when any will do. */
  nearestRegion(slot: number): string | null {
    let nearest: string | null = null;
    let least: number = unmeasured;
    for (let r = 0; r < this.stride; r++) {
      const latency = this.latency[slot * this.stride + r]!;
      if (latency >= least) continue;
      least = latency;
      nearest = this.regions[r]!;
    }
    return nearest;
  }

  /** Order in a lane: skill, then the longer wait, then the id, so that it depends on nothing else. */
  compare(a: number, b: number): number {
    const skill = this.skill[a]! - this.skill[b]!;
    if (skill !== 0) return skill;
    const wait = this.enqueuedAt[a]! - this.enqueuedAt[b]!;
    if (wait !== 0) return wait;
    return this.ids[a]! < this.ids[b]! ? -1 : Number(this.ids[a]! > this.ids[b]!);
  }

  /** The order of a ticket and a rank. */
  compareTo(slot: number, { skill, enqueuedAt, ticketId }: Rank): number {
    const id = this.ids[slot]!;
    return (
      this.skill[slot]! - skill ||
      this.enqueuedAt[slot]! - enqueuedAt ||
      (id < ticketId ? -1 : Number(id > ticketId))
    );
  }

  private measure(slot: number, latencyMs: Readonly<Record<string, number>>): void {
    for (const region of Object.keys(latencyMs)) {
      const r = this.numberOf(region);
      this.measured[r]! += 1;
    }
    if (this.regions.length > this.stride) this.widen();
    const at = slot * this.stride;
    for (let r = 0; r < this.stride; r++) {
      const ms = r < this.regions.length ? own(latencyMs, this.regions[r]!) : undefined;
      this.latency[at + r] = ms === undefined ? unmeasured : Math.min(unmeasured - 1, Math.ceil(ms));
    }
  }

  /** The number of a region; a new one gets one. */
  private numberOf(region: string): number {
    const known = this.regions.indexOf(region);
    if (known >= 0) return known;
    const r = this.freeRegions.pop() ?? this.regions.length;
    this.regions[r] = region;
    this.measured[r] = 0;
    return r;
  }

  /** Allocates columns for the current regions, and a few more. */
  private widen(): void {
    const before = this.stride;
    this.stride = this.regions.length <= 4 ? this.regions.length : Math.ceil(this.regions.length / 4) * 4;
    const wider = new Uint16Array(this.skill.length * this.stride).fill(unmeasured);
    for (let slot = 0; slot < this.used; slot++)
      for (let r = 0; r < before; r++) wider[slot * this.stride + r] = this.latency[slot * before + r]!;
    this.latency = wider;
  }

  private grow(needed: number): void {
    const length = Math.max(needed, Math.ceil(this.skill.length * 1.25));
    this.enqueuedAt = longer(this.enqueuedAt, new Float64Array(length));
    this.skill = longer(this.skill, new Float64Array(length));
    this.variance = longer(this.variance, new Float32Array(length));
    this.size = longer(this.size, new Uint8Array(length));
    this.who = longer(this.who, new Uint32Array(length));
    this.rules = longer(this.rules, new Uint16Array(length));
    const IndexArray = this.ticketClass instanceof Uint16Array ? Uint16Array : Uint32Array;
    this.ticketClass = longer(this.ticketClass, new IndexArray(length));
    this.next = longer(this.next, new Float64Array(length));
    this.alive = longer(this.alive, new Uint8Array(length));
    this.taken = longer(this.taken, new Uint8Array(length));
    this.latency = longer(this.latency, new Uint16Array(length * this.stride));
  }
}

function wishesOf({ players, avoid = [] }: Ticket, wished: bigint): Wishes | null {
  const roles = players.some((player) => (player.canPlay?.length ?? 0) > 0);
  if (avoid.length === 0 && wished === 0n && !roles) return null;
  return {
    players,
    apart: new Set(
      avoid.filter(({ scope }) => scope === 'match').map(({ playerId }) => fingerprint(playerId)),
    ),
    notOnTeam: new Set(
      avoid.filter(({ scope }) => scope === 'team').map(({ playerId }) => fingerprint(playerId)),
    ),
    maps: wished === 0n ? anyMap : wished,
  };
}

/**
 * FNV-1a, 32 bits: four bytes per player instead of an id. When two players share a fingerprint and one of them is avoided,
 * both are kept apart, at the cost of that match alone.
 */
function fingerprint(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
