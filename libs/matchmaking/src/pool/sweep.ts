import { chooseIntervals } from './choose.js';
import type { CompiledRules } from './compiled-rules.js';
import type { Bound, Draft } from './draft.js';
import type { Judge } from './judge.js';
import type { Lane } from './lanes/lane.js';
import { longer } from './lanes/longer.js';
import type { Lanes } from './lanes/lanes.js';
import type { Rank, TicketTable } from './lanes/ticket-table.js';

/** A chosen match. */
export interface Pick {
  readonly slots: readonly number[];
  readonly gap: number;
  readonly worth: number;
  readonly teamSize: number;
  readonly bots: number;
}

/** A part of a lane. */
interface Stretch {
  readonly lane: Lane;
  /** The first place, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

interface Found {
  readonly lane: Lane;
  readonly picks: Pick[];
}

/** Where a tick stopped at its work limit: a lane, and the ticket whose place is next. Both may be gone by the next tick. */
interface Stop extends Rank {
  readonly group: string;
  readonly region: string;
}

/** Places beyond a match whose tickets may replace one of its own, to make its teams even. */
const outsiders = 6;
/** Uneven matches that are tried with such exchanges, per tick. */
const mostRepairs = 400;
/** A match that no exchange made even is tried again after this. */
const repairAgainMs = 1_000;
const rounds = 3;
/** In a lane with at most this many tickets, matches are also formed of tickets that are not adjacent. */
const fewTickets = 48;
/** Places that such a match may span, and sets that are tried from its start. */
const within = 24;
const setsTried = 300;
/**
 * A match this close to a perfect one (in chance to win and spread together) is formed without evaluating overlapping ones:
 * none of them can be worth notably more.
 */
const asGoodAsPerfect = 0.01;

/** Chooses the matches that the rules allow by now, over all lanes. */
export class Sweep {
  private held = 0;
  private repairs = 0;
  private bound: Bound = { steps: 0, splits: 0, boundSplits: 0 };
  private finished = true;
  private stoppedAt: Stop | null = null;
  /** Places evaluated in this tick that gave no match. */
  private evaluated = 0;
  // The matches found along one lane, by the place where they start, in rising order.
  private from = new Int32Array(64);
  private to = new Int32Array(64);
  private worth = new Float64Array(64);
  private gaps = new Float64Array(64);
  private flaws = new Float64Array(64);
  private paired = new Uint8Array(64);
  private count = 0;
  /** Sets that may still be tried from one place. */
  private left = 0;
  /** Tickets of sets that are not adjacent in the lane. */
  private readonly exchanged = new Map<number, readonly number[]>();

  constructor(
    private readonly table: TicketTable,
    private readonly lanes: Lanes,
    private readonly draft: Draft,
    private readonly judge: Judge,
  ) {}

  /** Where no work is left over, every lane is evaluated from its first place; else from where the last tick stopped. */
  run(now: number, bound: Bound): { picks: Pick[]; held: number; finished: boolean } {
    this.held = 0;
    this.repairs = 0;
    this.bound = bound;
    this.finished = true;
    this.evaluated = 0;
    const picks: Pick[] = [];
    let found = this.firstRound(now);
    for (let round = 0; round < rounds && found.length > 0; round++) {
      if (round > 0)
        found = lanesOf(found).map((lane) => ({
          lane,
          picks: this.bestOf({ lane, from: 0, to: lane.length }, now, true),
        }));
      found = found.filter(({ picks: some }) => some.length > 0);
      const best = found.length === 1 ? found[0]!.picks : found.flatMap(({ picks: some }) => some);
      // Within a stretch of a lane they are disjoint; across stretches the better goes first.
      if (found.length > 1)
        best.sort((a, b) => b.worth - a.worth || (this.firstId(a) < this.firstId(b) ? -1 : 1));
      for (const pick of best) {
        if (pick.slots.some((slot) => this.table.taken[slot] === 1)) continue;
        for (const slot of pick.slots) this.table.taken[slot] = 1;
        picks.push(pick);
      }
    }
    return { picks, held: this.held, finished: this.finished };
  }

  /** The best matches of each stretch, until the work limit is reached. */
  private firstRound(now: number): Found[] {
    const stretches = this.stretches();
    this.stoppedAt = null;
    const found: Found[] = [];
    for (const stretch of stretches) {
      found.push({ lane: stretch.lane, picks: this.bestOf(stretch, now, false) });
      if (!this.finished) break;
    }
    return found;
  }

  /** All lanes, beginning where the last tick stopped; the part of that lane before this place comes last. */
  private stretches(): Stretch[] {
    const { stoppedAt, table } = this;
    const all = this.lanes.all().map((lane) => ({ lane, from: 0, to: lane.length }));
    if (!stoppedAt) return all;
    // A lane that is gone: the next one in order.
    const first = all.findIndex(
      ({ lane }) => lane.group.name >= stoppedAt.group && this.comesAt(lane, stoppedAt),
    );
    const next = all[first];
    if (!next) return all;
    const { lane, to } = next;
    const isSame = lane.group.name === stoppedAt.group && this.regionOf(lane) === stoppedAt.region;
    const place = isSame ? lane.placeFrom(stoppedAt, table) : 0;
    return [
      { lane, from: place, to },
      ...all.slice(first + 1),
      ...all.slice(0, first),
      ...(place > 0 ? [{ lane, from: 0, to: place }] : []),
    ];
  }

  /** Whether a lane of the same or a later group is at or after a stop. */
  private comesAt(lane: Lane, { group, region }: Stop): boolean {
    return lane.group.name > group || this.regionOf(lane) >= region;
  }

  private regionOf({ region }: Lane): string {
    return this.table.regions[region] ?? '';
  }

  /** The best disjoint matches of a stretch. @param again only near tickets that are taken by now */
  private bestOf(stretch: Stretch, now: number, again: boolean): Pick[] {
    const { lane } = stretch;
    const { rules } = lane.group;
    this.count = 0;
    this.exchanged.clear();
    if (again) this.walkAgain(lane, rules, now);
    else this.walk(stretch, rules, now);
    if (this.count === 0) return [];
    const { count, from, to, worth } = this;
    return chooseIntervals({ count, from, to, worth }, lane.length).map((i) => this.pick(lane, rules, i));
  }

  private pick(lane: Lane, rules: CompiledRules, i: number): Pick {
    let slots = this.exchanged.get(i);
    if (!slots) {
      this.draft.fill(lane, this.from[i]!, rules, this.paired[i] === 1);
      slots = this.draft.list();
    }
    return { slots, gap: this.gaps[i]!, worth: this.worth[i]!, teamSize: rules.rules.teamSize, bots: 0 };
  }

  /** Evaluates places that have changed or come due. */
  private walk({ lane, from, to }: Stretch, rules: CompiledRules, now: number): void {
    const { known, due } = lane;
    for (let place = from; place < to; place++) {
      if (known[place] === 1 && due[place]! > now) continue;
      if (this.exhausted()) return this.stopAt(lane, place);
      due[place] = this.findMatch(lane, place, rules, now);
      known[place] = 1;
      const isMatch = due[place]! <= now;
      // Not everything was tried: this place comes first in the next tick, unless a whole tick was not enough for it.
      if (!isMatch && this.evaluated++ > 0 && this.exhausted()) {
        known[place] = 0;
        return this.stopAt(lane, place);
      }
      if (isMatch && this.flaws[this.count - 1]! < asGoodAsPerfect) place = this.to[this.count - 1]!;
    }
  }

  private stopAt(lane: Lane, place: number): void {
    const { table } = this;
    const slot = lane.order[place]!;
    this.stoppedAt = {
      group: lane.group.name,
      region: this.regionOf(lane),
      skill: table.skill[slot]!,
      enqueuedAt: table.enqueuedAt[slot]!,
      ticketId: table.ids[slot]!,
    };
  }

  /** Evaluates places whose match could reach a ticket that is taken by now. */
  private walkAgain(lane: Lane, rules: CompiledRules, now: number): void {
    const near: number[] = [];
    let taken = Infinity;
    for (let place = lane.length - 1; place >= 0; place--) {
      if (this.table.taken[lane.order[place]!] === 1) taken = place;
      else if (taken - place <= lane.reach) near.push(place);
    }
    const { held } = this;
    let free = 0;
    for (const place of near.reverse()) {
      if (place < free) continue;
      if (this.exhausted()) break;
      if (this.findMatch(lane, place, rules, now) <= now && this.flaws[this.count - 1]! < asGoodAsPerfect)
        free = this.to[this.count - 1]! + 1;
    }
    this.held = held;
  }

  /**
   * Forms the match that starts at a place, with parties facing parties unless the rules relax that by now.
   *
   * @returns when it will be allowed, milliseconds since the epoch; now, when it is
   */
  private findMatch(lane: Lane, place: number, rules: CompiledRules, now: number): number {
    const due = this.findMatches(lane, place, rules, now);
    if (lane.length > fewTickets || rules.seats === rules.rules.teams) return due;
    if (due <= now && this.flaws[this.count - 1]! < asGoodAsPerfect) return due;
    return Math.min(due, this.explore(lane, place, rules, now));
  }

  private findMatches(lane: Lane, place: number, rules: CompiledRules, now: number): number {
    const { draft } = this;
    const { teams } = rules.rules;
    const full = draft.fill(lane, place, rules, false);
    if (full && draft.isPaired(teams)) return this.consider(lane, place, rules, now, false);
    let due = Infinity;
    if (!draft.isPaired(teams) && draft.fill(lane, place, rules, true))
      due = this.consider(lane, place, rules, now, true);
    if (due <= now || !full) return due;
    draft.fill(lane, place, rules, false);
    return Math.min(due, this.consider(lane, place, rules, now, false));
  }

  /**
   * Tries the sets of tickets that start at a place, including non-adjacent ones: with few tickets, leaving one out decides
   * how even the teams can be.
   *
   * @returns when the first of them will be allowed; now, when one is
   */
  private explore(lane: Lane, place: number, rules: CompiledRules, now: number): number {
    const { draft, table } = this;
    this.left = setsTried;
    draft.clear();
    if (table.taken[lane.order[place]!] === 1) return Infinity;
    if (!draft.mayJoin(lane.order[place]!, rules)) return Infinity;
    draft.push(lane.order[place]!, place);
    const end = Math.min(lane.length, place + within);
    if (lane.reach < within) lane.reach = within;
    return this.exploreFrom(lane, place + 1, end, rules, now);
  }

  private exploreFrom(lane: Lane, next: number, end: number, rules: CompiledRules, now: number): number {
    const { draft, table, judge } = this;
    if (draft.seats === rules.seats) {
      this.left--;
      const byTickets = judge.dueByTickets(draft, rules.rules.teams);
      if (byTickets > now) return byTickets;
      const gap = draft.gap(rules, rules.rules.teamSize);
      const byGap = judge.dueByGap(draft, gap);
      if (byGap <= now) this.keepSet(draft.places[0]!, rules, gap, now);
      return Math.max(now, byGap);
    }
    let due = Infinity;
    for (let place = next; place < end; place++) {
      if (this.left <= 0 || this.exhausted()) return due;
      const slot = lane.order[place]!;
      draft.steps++;
      if (table.taken[slot] === 1 || draft.seats + table.size[slot]! > rules.seats) continue;
      if (!draft.mayJoin(slot, rules)) continue;
      draft.push(slot, place);
      due = Math.min(due, this.exploreFrom(lane, place + 1, end, rules, now));
      draft.pop();
    }
    return due;
  }

  private consider(lane: Lane, place: number, rules: CompiledRules, now: number, paired: boolean): number {
    const { draft, judge } = this;
    const byTickets = judge.dueByTickets(draft, rules.rules.teams);
    if (byTickets > now) return byTickets;
    const gap = draft.gap(rules, rules.rules.teamSize);
    const byGap = judge.dueByGap(draft, gap);
    if (byGap <= now) {
      this.keep(place, rules, gap, now, paired);
      return now;
    }
    this.held++;
    if (!draft.plain || draft.count === rules.rules.teams) return byGap;
    if (this.repairs++ < mostRepairs && this.repair(lane, place, rules, now)) return now;
    return Math.min(byGap, now + repairAgainMs);
  }

  /** Exchanges one ticket for a neighbour, so that the gap between the teams is allowed now. */
  private repair(lane: Lane, place: number, rules: CompiledRules, now: number): boolean {
    const { draft, judge, table } = this;
    const { teams, teamSize } = rules.rules;
    const inside = new Set(draft.slots.subarray(0, draft.count));
    const last = draft.places[draft.count - 1]!;
    const end = Math.min(lane.length, last + 1 + outsiders);
    for (let other = place + 1; other < end; other++) {
      const slot = lane.order[other]!;
      if (inside.has(slot) || table.taken[slot] === 1 || table.wishesOf(slot)) continue;
      for (let i = 1; i < draft.count; i++) {
        if (this.exhausted()) return false;
        const before = draft.slots[i]!;
        if (table.size[before] !== table.size[slot]) continue;
        draft.slots[i] = slot;
        if (judge.dueByTickets(draft, teams) <= now) {
          const gap = draft.gap(rules, teamSize);
          if (judge.dueByGap(draft, gap) <= now) {
            this.exchanged.set(this.count, draft.list());
            draft.places[i] = other;
            this.keep(place, rules, gap, now, false);
            return true;
          }
        }
        draft.slots[i] = before;
      }
    }
    return false;
  }

  /** Adds the draft to the matches found along the lane. */
  private keep(place: number, rules: CompiledRules, gap: number, now: number, paired: boolean): void {
    if (this.count === this.from.length) this.grow();
    this.paired[this.count] = paired ? 1 : 0;
    this.put(this.count++, place, rules, gap, now);
  }

  /** The same for a non-adjacent set; it replaces a worse one that starts there. */
  private keepSet(place: number, rules: CompiledRules, gap: number, now: number): void {
    const known = this.count > 0 && this.from[this.count - 1] === place;
    if (known && this.judge.worth(this.draft, rules, gap, now) <= this.worth[this.count - 1]!) return;
    if (!known) this.keep(place, rules, gap, now, false);
    else this.put(this.count - 1, place, rules, gap, now);
    this.exchanged.set(this.count - 1, this.draft.list());
  }

  private put(i: number, place: number, rules: CompiledRules, gap: number, now: number): void {
    const { draft, judge } = this;
    let last = place;
    for (let member = 0; member < draft.count; member++) last = Math.max(last, draft.places[member]!);
    this.from[i] = place;
    this.to[i] = last;
    this.gaps[i] = gap;
    this.flaws[i] = judge.flaw(draft, gap);
    this.worth[i] = judge.worth(draft, rules, gap, now);
  }

  private exhausted(): boolean {
    const exhausted = this.draft.hasSpent(this.bound);
    if (exhausted) this.finished = false;
    return exhausted;
  }

  private firstId({ slots }: Pick): string {
    return this.table.ids[slots[0]!]!;
  }

  private grow(): void {
    const length = 2 * this.from.length;
    this.from = longer(this.from, new Int32Array(length));
    this.to = longer(this.to, new Int32Array(length));
    this.worth = longer(this.worth, new Float64Array(length));
    this.gaps = longer(this.gaps, new Float64Array(length));
    this.flaws = longer(this.flaws, new Float64Array(length));
    this.paired = longer(this.paired, new Uint8Array(length));
  }
}

/** Each lane once. */
function lanesOf(found: readonly Found[]): Lane[] {
  return [...new Set(found.map(({ lane }) => lane))];
}
