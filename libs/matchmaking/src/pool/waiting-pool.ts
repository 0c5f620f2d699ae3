import type { QueueRules, Ticket } from '@muster/domain';
import type { MatchProposal, Matchmaker, Tick } from '../matchmaker.js';
import { compileRules, type CompiledRules } from './compiled-rules.js';
import { Draft, type Bound } from './draft.js';
import { Judge } from './judge.js';
import { TicketClasses, type TicketClass } from './lanes/ticket-classes.js';
import { Lanes } from './lanes/lanes.js';
import { LateSearch } from './late-search.js';
import { nearestTickets, type SeatRequest } from './nearest.js';
import { describeMatch } from './describe.js';
import { sortedSlots } from './lanes/sorted-slots.js';
import { Sweep, type Pick } from './sweep.js';
import { TicketTable } from './lanes/ticket-table.js';
import { whyWaiting, type WhyWaiting } from './why-waiting.js';

export interface PoolOptions {
  /** Work limits of one tick. */
  readonly bound?: Bound;
  /** Tickets that one tick adds to lanes. */
  readonly intake?: number;
}

/** The pool's view of a ticket. */
export interface TicketFacts {
  readonly skill: number;
  readonly players: number;
  readonly enqueuedAt: number;
  /** The region of least latency; null when any will do. */
  readonly region: string | null;
}

const never = -Infinity;

/** The game's own noise, one player's, in units of mu: OpenSkill's. */
const beta = 25 / 6;

/**
 * The work of one tick, some 40 ms: a tick blocks the process that answers players. A pool of 100,000 tickets of which
 * nothing is known yet takes a few ticks.
 */
const boundOfTick: Bound = { steps: 800_000, splits: 4_000, boundSplits: 1_000 };
const intakeOfTick = 13_000;
const shareOfSweep = 0.75;

/**
 * An index of the waiting tickets of one queue, which forms matches of them.
 *
 * A tick:
 *
 * 1. Adds newcomers, and tickets to which a region has opened, to their lanes; marks the places near each change.
 * 2. Evaluates marked places and those whose match has come due: forms each match and computes its best teams.
 * 3. Of the matches that the rules allow by now, chooses those with the largest total value: exactly within a lane, then
 *    greedily across lanes; tickets left out are tried again.
 * 4. For each ticket that has reached its last step (or a smaller match, or bots) and was left out, searches a match for it
 *    alone with all limits lifted; it may take tickets from matches in which nobody has waited as long.
 */
export class WaitingPool implements Matchmaker {
  private readonly table = new TicketTable();
  private readonly compiled: CompiledRules[] = [];
  private readonly indexOf = new Map<number, number>();
  private readonly classes = new TicketClasses();
  private readonly lanes: Lanes;
  private readonly sweep: Sweep;
  private readonly late: LateSearch;
  private readonly judge: Judge;
  private readonly draft: Draft;
  private fresh: number[] = [];
  private dead: number[] = [];
  private lastTick = never;
  private changed = true;
  /** Tickets are still to be added to lanes. */
  private isBehind = false;

  /** @param rules the rules in force, or all versions of them */
  constructor(
    rules: QueueRules | ReadonlyMap<number, QueueRules>,
    private readonly options: PoolOptions = {},
  ) {
    const rulesOf = (index: number): CompiledRules => this.compiled[index]!;
    const draft = new Draft(this.table);
    const judge = new Judge(this.table, rulesOf, beta);
    this.draft = draft;
    this.judge = judge;
    const classes = { groups: () => this.classes.groups, of: (slot: number) => this.classOf(slot) };
    this.lanes = new Lanes(this.table, classes, rulesOf);
    this.sweep = new Sweep(this.table, this.lanes, draft, judge);
    this.late = new LateSearch(this.table, this.lanes, draft, judge, rulesOf);
    if (rules instanceof Map) for (const [version, each] of rules) this.useRules(version, each);
    else this.useRules(1, rules as QueueRules);
  }

  /** Adds a version of the rules, newer than those before. Tickets of another version keep it. */
  useRules(version: number, rules: QueueRules): void {
    if (this.indexOf.has(version)) return;
    this.indexOf.set(version, this.compiled.length);
    this.table.offer(this.compiled.length, rules.maps?.names ?? []);
    this.compiled.push(compileRules(rules));
  }

  get size(): number {
    return this.table.count;
  }

  has(ticketId: string): boolean {
    return this.table.slotOf(ticketId) !== undefined;
  }

  add(ticket: Ticket): void {
    if (this.has(ticket.ticketId)) return;
    const index = this.indexOf.get(ticket.rulesVersion ?? -1) ?? this.compiled.length - 1;
    const compiled = this.compiled[index]!;
    const { behaviour } = compiled.rules;
    const low = behaviour !== undefined && (ticket.behaviour ?? 1) < behaviour.lowBelow;
    const ticketClass = this.classes.enter(ticket, compiled, low);
    this.fresh.push(this.table.insert(ticket, index, ticketClass.index));
  }

  remove(ticketId: string): boolean {
    const slot = this.table.slotOf(ticketId);
    if (slot === undefined) return false;
    const ticketClass = this.classOf(slot);
    this.classes.leave(ticketClass, this.table.size[slot]!);
    this.lanes.leave(ticketClass);
    this.table.kill(slot);
    this.late.forget(slot);
    this.dead.push(slot);
    return true;
  }

  /** Some tickets, evenly spread over the pool, at a cost that does not depend on its size. */
  sample(most: number): string[] {
    const { table } = this;
    // Slots of tickets that left are free: more are looked at than are asked for.
    const step = Math.max(1, Math.floor(table.end / (most * 8)));
    const found: string[] = [];
    for (let slot = 0; slot < table.end; slot += step) if (table.alive[slot]) found.push(table.ids[slot]!);
    const every = Math.max(1, found.length / most);
    return found.length <= most
      ? found
      : Array.from({ length: most }, (_, i) => found[Math.floor(i * every)]!);
  }

  /** The pool's view of a ticket; undefined when it is not in the pool. */
  about(ticketId: string): TicketFacts | undefined {
    const { table } = this;
    const slot = table.slotOf(ticketId);
    if (slot === undefined) return undefined;
    return {
      skill: table.skill[slot]!,
      players: table.size[slot]!,
      enqueuedAt: table.enqueuedAt[slot]!,
      region: table.nearestRegion(slot),
    };
  }

  /**
   * Why a ticket is in no match yet, as of the last tick or of `now` if that is later.
   *
   * @returns undefined when it is not in the pool
   */
  explain(ticketId: string, now: number): WhyWaiting | undefined {
    const slot = this.table.slotOf(ticketId);
    if (slot === undefined) return undefined;
    this.settle(now, Infinity);
    const { table, classes, lanes, draft, judge } = this;
    return whyWaiting(
      { table, classes, lanes, draft, judge },
      slot,
      this.compiled[table.rules[slot]!]!,
      this.lastTick,
    );
  }

  /**
   * Tickets that may fit a seat by size, build, platform and region, nearest level first.
   *
   * @param limit most tickets returned @param now milliseconds since the epoch
   */
  nearest(seat: SeatRequest, limit: number, now: number): string[] {
    return nearestTickets(
      this.table,
      (slot) => this.classOf(slot),
      (index) => this.compiled[index]!,
      seat,
      limit,
      now,
    );
  }

  tick(time: number): Tick {
    // A clock may be set back; opened lanes stay open.
    const now = Math.max(time, this.lastTick);
    const bound = this.options.bound ?? boundOfTick;
    this.settle(now, this.options.intake ?? intakeOfTick);
    this.draft.steps = 0;
    this.draft.splits = 0;
    this.draft.boundSplits = 0;
    // The rest is for late tickets, however much the sweep has to do.
    const swept = this.sweep.run(now, {
      steps: bound.steps * shareOfSweep,
      splits: bound.splits * shareOfSweep,
      boundSplits: bound.boundSplits * shareOfSweep,
    });
    const { picks, finished } = this.late.run(swept.picks, now, bound, this.changed);
    this.changed = false;
    const proposals = picks.map((pick) => this.proposal(pick, now));
    for (const pick of picks) for (const slot of pick.slots) this.table.taken[slot] = 0;
    const { steps, splits } = this.draft;
    return {
      proposals,
      held: swept.held,
      work: { steps, splits, finished: swept.finished && finished && !this.isBehind },
    };
  }

  /** @param most tickets that are added to lanes; the rest follow in later calls */
  private settle(time: number, most: number): void {
    const { table, lanes } = this;
    const now = Math.max(time, this.lastTick);
    this.changed ||= this.dead.length > 0;
    this.lanes.followRequests(now);
    // Sorted once for all lanes: each of them gets its newcomers in order.
    for (const slot of sortedSlots(this.opening(now, most), table)) this.open(slot, now);
    for (const lane of lanes.all()) lane.settle(table);
    for (const slot of this.dead) table.release(slot);
    this.dead = [];
    if (this.classes.release()) this.lanes.forgetOrder();
    lanes.closeRegions(table.releaseRegions());
    this.lastTick = now;
  }

  /** Tickets to which more lanes have opened, then newcomers in the order of their arrival. */
  private opening(now: number, most: number): number[] {
    const due = this.table.dueBy(now, most);
    const newcomers =
      this.fresh.length <= most - due.length ? this.fresh : this.fresh.slice(0, most - due.length);
    this.fresh = newcomers.length === this.fresh.length ? [] : this.fresh.slice(newcomers.length);
    this.isBehind = this.fresh.length > 0 || due.length >= most;
    const opening = newcomers.filter((slot) => this.table.isNew(slot));
    this.changed ||= opening.length > 0 || due.length > 0;
    return due.length > 0 ? [...due, ...opening] : opening;
  }

  private open(slot: number, now: number): void {
    const { table } = this;
    const from = table.isNew(slot) ? never : table.next[slot]!;
    const next = this.lanes.advance(slot, from, now);
    const rules = this.compiled[table.rules[slot]!]!;
    const lateAt = table.enqueuedAt[slot]! + (rules.fallbacks[0]?.afterMs ?? rules.lastStepMs);
    if (Math.min(lateAt, table.enqueuedAt[slot]! + rules.lastStepMs) <= now) this.late.remember(slot);
    table.next[slot] = lateAt > now ? Math.min(next, lateAt) : next;
  }

  private proposal({ slots, gap, teamSize, bots }: Pick, now: number): MatchProposal {
    const { table, draft } = this;
    draft.clear();
    for (const slot of slots) draft.push(slot, 0);
    const rules = this.compiled[draft.newestRules]!;
    return describeMatch(
      { table, draft, rulesOf: (index) => this.compiled[index]!, judge: this.judge },
      rules,
      {
        gap,
        teamSize,
        bots,
        now,
      },
    );
  }

  private classOf(slot: number): TicketClass {
    return this.classes.at(this.table.ticketClass[slot]!);
  }
}
