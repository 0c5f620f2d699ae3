import { message, skillOf, type QueueRules, type Ticket } from '@muster/domain';
import { fits, limitAfter, type Matchmaker, type MatchProposal, type Tick } from '@muster/matchmaking';

/** The evenness of the best teams of some tickets. */
export interface Judgement {
  /** Largest team sum less the smallest, after the best split, in units of mu. */
  readonly gap: number;
  /** Distance of the best team's chance from an even share. */
  readonly unfairness: number;
}

/** Splits some tickets optimally, and judges the teams. */
export type Judge = (tickets: readonly Ticket[]) => Judgement;

/** The inputs of a baseline matcher. */
export interface BaselineOptions {
  readonly rules: QueueRules;
  readonly judge: Judge;
}

/** A ticket in the baselines' form. */
export interface Waiting {
  readonly ticket: Ticket;
  readonly skill: number;
  readonly size: number;
  /** Latency by number of the region; null when any will do. */
  readonly latencyMs: Float64Array | null;
  gone: boolean;
  /** Bits of the regions that it accepts in this tick. */
  regions: number;
  /** The skill window that it has reached in this tick. */
  window: number;
}

const everyRegion = -1;
const mostRegions = 31;

/** Waiting tickets by arrival and by skill; changes are merged at each tick. */
export class WaitingList {
  private readonly byId = new Map<string, Waiting>();
  private readonly regionNames: string[] = [];
  private arrivals: Waiting[] = [];
  private skills: Waiting[] = [];
  private fresh: Waiting[] = [];
  private isStale = false;

  constructor(readonly rules: QueueRules) {}

  get size(): number {
    return this.byId.size;
  }

  add(ticket: Ticket): void {
    if (this.byId.has(ticket.ticketId)) return;
    const waiting: Waiting = {
      ticket,
      skill: skillOf(ticket),
      size: ticket.players.length,
      latencyMs: this.latencies(ticket),
      gone: false,
      regions: 0,
      window: 0,
    };
    this.byId.set(ticket.ticketId, waiting);
    this.fresh.push(waiting);
  }

  remove(ticketId: string): boolean {
    const waiting = this.byId.get(ticketId);
    if (!waiting) return false;
    waiting.gone = true;
    this.isStale = true;
    return this.byId.delete(ticketId);
  }

  /** All waiting tickets in their present state: the longest waiting first, and the lowest skill first. */
  at(now: number): { readonly byArrival: readonly Waiting[]; readonly bySkill: readonly Waiting[] } {
    if (this.isStale) {
      this.arrivals = this.arrivals.filter(({ gone }) => !gone);
      this.skills = this.skills.filter(({ gone }) => !gone);
      this.fresh = this.fresh.filter(({ gone }) => !gone);
      this.isStale = false;
    }
    if (this.fresh.length > 0) {
      this.arrivals = merged(this.arrivals, this.fresh, (a, b) => a.ticket.enqueuedAt - b.ticket.enqueuedAt);
      this.skills = merged(this.skills, this.fresh, (a, b) => a.skill - b.skill);
      this.fresh = [];
    }
    for (const waiting of this.arrivals) {
      const waitedMs = now - waiting.ticket.enqueuedAt;
      waiting.window = limitAfter(this.rules.skillWindow, waitedMs);
      waiting.regions = acceptable(waiting.latencyMs, limitAfter(this.rules.latencyLimitMs, waitedMs));
    }
    return { byArrival: this.arrivals, bySkill: this.skills };
  }

  /** Whether whole parties of these sizes have room in the teams; places may stay empty. */
  seats(sizes: readonly number[]): boolean {
    return fits(sizes, this.rules.teams, this.rules.teamSize);
  }

  proposal(set: readonly Waiting[], now: number, judge: Judge): MatchProposal {
    const tickets = set.map(({ ticket }) => ticket);
    const skills = set.map(({ skill }) => skill);
    const spread = Math.max(...skills) - Math.min(...skills);
    const waitedMs = now - Math.min(...tickets.map(({ enqueuedAt }) => enqueuedAt));
    return {
      tickets: tickets.map(({ ticketId }) => ticketId),
      teamSize: this.rules.teamSize,
      bots: 0,
      regions: this.regionsOf(set),
      map: null,
      figures: { ...judge(tickets), spread, waitedMs },
      why: [
        message('match.put-together', {
          players: tickets.reduce((sum, { players }) => sum + players.length, 0),
          spread,
          teamSize: null,
          waitedSeconds: waitedMs / 1000,
        }),
      ],
    };
  }

  private regionsOf(set: readonly Waiting[]): string[] {
    const shared = set.reduce((bits, { regions }) => bits & regions, everyRegion);
    if (shared === everyRegion) return [];
    const total = (region: number): number =>
      set.reduce((sum, { latencyMs }) => sum + (latencyMs?.[region] ?? 0), 0);
    return this.regionNames
      .map((name, region) => ({ name, region, total: total(region) }))
      .filter(({ region }) => (shared & (1 << region)) !== 0)
      .toSorted((a, b) => a.total - b.total || (a.name < b.name ? -1 : 1))
      .map(({ name }) => name);
  }

  private latencies({ latencyMs }: Ticket): Float64Array | null {
    const given = Object.entries(latencyMs);
    if (given.length === 0) return null;
    for (const [name] of given) if (!this.regionNames.includes(name)) this.regionNames.push(name);
    if (this.regionNames.length > mostRegions)
      throw new RangeError(`A baseline tells at most ${mostRegions} regions apart.`);
    const row = new Float64Array(mostRegions).fill(Infinity);
    for (const [name, latency] of given) row[this.regionNames.indexOf(name)] = latency;
    return row;
  }
}

/** Tickets that are collected for a match. */
export class Gathering {
  readonly set: Waiting[] = [];
  private readonly sizes: number[] = [];
  private seated = 0;
  private regions = everyRegion;
  /** The widest window among them. */
  window = 0;
  low = Infinity;
  high = -Infinity;

  constructor(private readonly list: WaitingList) {}

  get isFull(): boolean {
    return this.seated === this.list.rules.teams * this.list.rules.teamSize;
  }

  /** Adds a ticket if its build, its regions and the size of its party allow. */
  take(waiting: Waiting): boolean {
    const [first] = this.set;
    const { teams, teamSize } = this.list.rules;
    if (this.seated + waiting.size > teams * teamSize) return false;
    const regions = this.regions & waiting.regions;
    if (regions === 0) return false;
    if (first && first.ticket.build !== waiting.ticket.build) return false;
    this.sizes.push(waiting.size);
    if (!this.list.seats(this.sizes)) {
      this.sizes.pop();
      return false;
    }
    this.regions = regions;
    this.seated += waiting.size;
    this.set.push(waiting);
    this.window = Math.max(this.window, waiting.window);
    this.low = Math.min(this.low, waiting.skill);
    this.high = Math.max(this.high, waiting.skill);
    return true;
  }
}

function acceptable(latencyMs: Float64Array | null, limit: number): number {
  if (!latencyMs) return everyRegion;
  let bits = 0;
  for (let region = 0; region < mostRegions; region++) {
    const latency = latencyMs[region] ?? Infinity;
    if (latency < Infinity && latency <= limit) bits |= 1 << region;
  }
  return bits;
}

/** Merges a sorted list and an unsorted one; of equals those of the first come first, then the lower id. */
function merged(
  sorted: readonly Waiting[],
  fresh: readonly Waiting[],
  order: (a: Waiting, b: Waiting) => number,
): Waiting[] {
  const added = fresh.toSorted((a, b) => order(a, b) || (a.ticket.ticketId < b.ticket.ticketId ? -1 : 1));
  const all: Waiting[] = [];
  let next = 0;
  for (const waiting of added) {
    for (let old = sorted[next]; old && order(old, waiting) <= 0; old = sorted[++next]) all.push(old);
    all.push(waiting);
  }
  for (; next < sorted.length; next++) all.push(sorted[next]!);
  return all;
}

/** The common part of the baselines: a list of tickets. */
export abstract class ListMatcher implements Matchmaker {
  protected readonly list: WaitingList;

  constructor(protected readonly options: BaselineOptions) {
    this.list = new WaitingList(options.rules);
  }

  get size(): number {
    return this.list.size;
  }

  add(ticket: Ticket): void {
    this.list.add(ticket);
  }

  remove(ticketId: string): boolean {
    return this.list.remove(ticketId);
  }

  abstract tick(now: number): Tick;
}
