import { fits } from '../packing.js';
import { boundGap } from './bound-gap.js';
import type { CompiledRules } from './compiled-rules.js';
import { bestGap } from './evenness.js';
import type { Lane } from './lanes/lane.js';
import { rolesFilled } from './roles.js';
import { anyMap, type TicketTable, type Wishes } from './lanes/ticket-table.js';

const mostTickets = 500;

/** Work limits of a tick. The rest comes first in the next tick. */
export interface Bound {
  /** Tickets examined. */
  readonly steps: number;
  /** Sets whose best teams are computed. */
  readonly splits: number;
  /** Those of them that need the solver. */
  readonly boundSplits: number;
}

/** A match under construction: tickets of one lane, and their totals. Reused for many matches. */
export class Draft {
  readonly slots = new Int32Array(mostTickets);
  readonly places = new Int32Array(mostTickets);
  count = 0;
  seats = 0;
  /** Tickets this draft has examined. */
  steps = 0;
  /** Sets whose best teams were computed so far. */
  splits = 0;
  boundSplits = 0;
  private readonly sums = new Float64Array(mostTickets);
  private readonly sizes = new Uint8Array(mostTickets);
  /** Sizes of those with more than one player. */
  private readonly parties = new Uint8Array(mostTickets);
  /** False only while testing whether avoid-lists alone prevent a match. */
  heedsAvoided = true;
  private partyCount = 0;
  private readonly seatable = new Map<number, Map<number | string, boolean>>();
  private wishes: { readonly at: number; readonly wishes: Wishes }[] = [];
  private maps = anyMap;
  private notTogether = false;

  constructor(private readonly table: TicketTable) {}

  /** Whether the work limit is reached. */
  hasSpent({ steps, splits, boundSplits }: Bound): boolean {
    return this.steps >= steps || this.splits >= splits || this.boundSplits >= boundSplits;
  }

  clear(): void {
    this.count = 0;
    this.seats = 0;
    this.partyCount = 0;
    if (this.wishes.length > 0) this.wishes = [];
    this.maps = anyMap;
    this.notTogether = false;
  }

  /**
   * Collects tickets from a place of a lane upwards, taking each that fits, until the teams are full.
   *
   * @param paired parties come in numbers that the teams can share equally
   * @returns whether it is full
   */
  fill(lane: Lane, from: number, rules: CompiledRules, paired: boolean): boolean {
    const { table } = this;
    const { teams } = rules.rules;
    const { seats } = rules;
    const farthest = Math.min(lane.length, from + 4 * seats + 16);
    this.clear();
    // Places reserved for later parties, so that those here face an equal one.
    let owed = 0;
    let place = from;
    for (; place < farthest && this.seats < seats; place++) {
      const slot = lane.order[place]!;
      if (table.taken[slot] === 1) continue;
      const size = table.size[slot]!;
      if (this.seats + size > seats) continue;
      let owes = owed;
      if (paired) {
        if (size > 1) owes += this.partiesOf(size) % teams === 0 ? (teams - 1) * size : -size;
        if (this.seats + size + owes > seats) continue;
      }
      if (!this.mayJoin(slot, rules)) continue;
      owed = owes;
      this.push(slot, place);
    }
    const examined = place - from;
    this.steps += examined;
    if (examined > lane.reach) lane.reach = examined;
    return this.seats === seats && owed === 0;
  }

  /**
   * Whether a ticket may join these: parties can be seated whole, roles filled, a map agreed on, nobody avoided.
   *
   * @param teamSize places per team, if different from the rules
   */
  mayJoin(slot: number, rules: CompiledRules, teamSize = rules.rules.teamSize): boolean {
    const { table } = this;
    const size = table.size[slot]!;
    if (size > 1 && !this.seatsWhole(size, rules.rules.teams, teamSize)) return false;
    const wishes = table.wishesOf(slot);
    if (wishes) {
      if (this.heedsAvoided)
        for (let i = 0; i < this.count; i++) if (table.hasOneOf(this.slots[i]!, wishes.apart)) return false;
    }
    if (rules.insistsOnMaps && !this.mapsAgree(slot, wishes)) return false;
    if (this.heedsAvoided)
      for (const other of this.wishes) if (table.hasOneOf(slot, other.wishes.apart)) return false;
    return rules.rules.roles === undefined || this.rolesStillFill(wishes, size, rules, teamSize);
  }

  push(slot: number, place: number): void {
    const { table, count } = this;
    this.slots[count] = slot;
    this.places[count] = place;
    this.count++;
    const size = table.size[slot]!;
    this.seats += size;
    if (size > 1) this.parties[this.partyCount++] = size;
    const wishes = table.wishesOf(slot);
    if (wishes) {
      this.wishes.push({ at: count, wishes });
      this.maps &= wishes.maps;
      if (wishes.notOnTeam.size > 0) this.notTogether = true;
    }
  }

  /** Removes the last ticket. */
  pop(): void {
    const slot = this.slots[--this.count]!;
    const size = this.table.size[slot]!;
    this.seats -= size;
    if (size > 1) this.partyCount--;
    if (this.wishes.at(-1)?.at !== this.count) return;
    this.wishes.pop();
    this.maps = this.wishes.reduce((maps, { wishes }) => maps & wishes.maps, anyMap);
    this.notTogether = this.wishes.some(({ wishes }) => wishes.notOnTeam.size > 0);
  }

  /** Whether the parties can face parties of their size. */
  isPaired(teams: number): boolean {
    for (let i = 0; i < this.partyCount; i++)
      if (this.partiesOf(this.parties[i]!) % teams !== 0) return false;
    return true;
  }

  /** Whether only sums and sizes constrain it. */
  get plain(): boolean {
    return this.wishes.length === 0;
  }

  /** Whether all tickets wish for a common map, of those that the newest of their rules offer. */
  get agreed(): boolean {
    return this.maps === anyMap || (this.maps & this.table.offeredBy(this.newestRules)) !== 0n;
  }

  /** Index of the newest rules that any of its tickets follows: the match follows them. */
  get newestRules(): number {
    let newest = 0;
    for (let i = 0; i < this.count; i++) newest = Math.max(newest, this.table.rules[this.slots[i]!]!);
    return newest;
  }

  /** Its tickets. */
  list(): number[] {
    const slots: number[] = [];
    for (let i = 0; i < this.count; i++) slots.push(this.slots[i]!);
    return slots;
  }

  /** Largest skill less the smallest. */
  get spread(): number {
    const { skill } = this.table;
    let least = Infinity;
    let most = -Infinity;
    for (let i = 0; i < this.count; i++) {
      const one = skill[this.slots[i]!]!;
      if (one < least) least = one;
      if (one > most) most = one;
    }
    return most - least;
  }

  /** Sum of the variances of all players. */
  get variance(): number {
    let variance = 0;
    for (let i = 0; i < this.count; i++) variance += this.table.variance[this.slots[i]!]!;
    return variance;
  }

  get oldest(): number {
    let oldest = Infinity;
    for (let i = 0; i < this.count; i++) oldest = Math.min(oldest, this.table.enqueuedAt[this.slots[i]!]!);
    return oldest;
  }

  /**
   * The smallest gap of its teams, with bots in the empty places.
   *
   * @param teamSize places per team
   */
  gap({ rules }: CompiledRules, teamSize: number): number {
    const { table, count } = this;
    const { teams, roles } = rules;
    const bots = teams * teamSize - this.seats;
    this.splits++;
    if (roles !== undefined || this.notTogether)
      return this.bound(teamSize, bots, rules.bots?.skill ?? 0, roles ?? {}, teams);
    for (let i = 0; i < count; i++) {
      const slot = this.slots[i]!;
      this.sums[i] = table.sumOf(slot);
      this.sizes[i] = table.size[slot]!;
    }
    for (let i = 0; i < bots; i++) {
      this.sums[count + i] = rules.bots?.skill ?? 0;
      this.sizes[count + i] = 1;
    }
    return bestGap(this.sums, this.sizes, count + bots, teams, teamSize, count);
  }

  private bound(
    teamSize: number,
    bots: number,
    botSkill: number,
    roles: Readonly<Record<string, number>>,
    teams: number,
  ): number {
    const { table, count } = this;
    this.boundSplits++;
    const tickets = Array.from({ length: count }, (_, i) => {
      const slot = this.slots[i]!;
      const canPlay = table.wishesOf(slot)?.players.map((player) => player.canPlay ?? []);
      return { sum: table.sumOf(slot), size: table.size[slot]!, ...(canPlay ? { canPlay } : {}) };
    });
    const heeded = this.heedsAvoided ? this.wishes : [];
    const apart = heeded.flatMap(({ at, wishes }) =>
      tickets.flatMap((_, i): [number, number][] =>
        i !== at && table.hasOneOf(this.slots[i]!, wishes.notOnTeam)
          ? [[Math.min(i, at), Math.max(i, at)]]
          : [],
      ),
    );
    return boundGap({ tickets, apart, roles, teams, teamSize, bots: { count: bots, skill: botSkill } });
  }

  /** Whether the parties here and one more can be seated whole. */
  private seatsWhole(size: number, teams: number, teamSize: number): boolean {
    if (this.partyCount === 0) return size <= teamSize;
    const shape = teams * mostTickets + teamSize;
    let known = this.seatable.get(shape);
    if (!known) this.seatable.set(shape, (known = new Map()));
    const key = this.partiesWith(size, teams * teamSize);
    let answer = known.get(key);
    if (answer === undefined) {
      // Only the oldest entry is removed: clearing all would recompute all at once, under the highest load. Not
      // `lru-cache`: a pure library depends on none, and reads on this hot path must not reorder entries.
      const [oldest] = known.size > 10_000 ? known.keys() : [];
      if (oldest !== undefined) known.delete(oldest);
      known.set(key, (answer = fits([...this.partySizes(), size], teams, teamSize)));
    }
    return answer;
  }

  /** The number of parties of each size including one more, as one number where that is exact. */
  private partiesWith(joining: number, seats: number): number | string {
    const most = seats / 2 + 1;
    let key = most ** (joining - 2);
    for (let i = 0; i < this.partyCount; i++) key += most ** (this.parties[i]! - 2);
    if (key < Number.MAX_SAFE_INTEGER) return key;
    return [...this.partySizes(), joining].sort((a, b) => a - b).join();
  }

  private partiesOf(size: number): number {
    let count = 0;
    for (let i = 0; i < this.partyCount; i++) if (this.parties[i] === size) count++;
    return count;
  }

  private partySizes(): number[] {
    return Array.from(this.parties.subarray(0, this.partyCount));
  }

  private mapsAgree(slot: number, wishes: Wishes | undefined): boolean {
    const maps = wishes ? this.maps & wishes.maps : this.maps;
    if (maps === anyMap) return true;
    const newest = Math.max(this.newestRules, this.table.rules[slot]!);
    return (maps & this.table.offeredBy(newest)) !== 0n;
  }

  /** Whether the free places suffice for the roles that nobody here plays. */
  private rolesStillFill(
    joining: Wishes | undefined,
    size: number,
    { rules }: CompiledRules,
    teamSize: number,
  ): boolean {
    const { roles = {}, teams } = rules;
    const demand = Object.fromEntries(Object.entries(roles).map(([role, count]) => [role, count * teams]));
    const wanted = Object.values(demand).reduce((sum, count) => sum + count, 0);
    const players = [...this.wishes.flatMap(({ wishes }) => wishes.players), ...(joining?.players ?? [])];
    return wanted - rolesFilled(players, demand) <= teams * teamSize - this.seats - size;
  }
}
