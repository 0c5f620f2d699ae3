import type { CompiledRules } from './compiled-rules.js';
import type { Bound, Draft } from './draft.js';
import type { Judge } from './judge.js';
import type { Lane } from './lanes/lane.js';
import type { Lanes } from './lanes/lanes.js';
import type { Pick } from './sweep.js';
import type { TicketTable } from './lanes/ticket-table.js';

/** Nearest neighbours of a ticket that a search examines. */
const neighbours = 48;
/** Tickets that one search may try. */
const stepLimit = 20_000;
/** Allowed matches to find, of which the most even is taken. */
const enough = 24;
/** Tickets that one tick may try in all its searches. */
const stepsPerTick = 400_000;

/** Interval of searches while the limits of a ticket still widen. */
const againMs = 1_000;

/** Places per team of the match to be found, and its humans. */
interface Target {
  readonly teamSize: number;
  readonly humans: number;
}

/**
 * Searches matches for tickets that the sweep left out and that have reached the last step of their rules, or may take a
 * smaller match or bots. It tries everything that fits, nearest first, so no such ticket keeps waiting while its neighbours
 * could form a match with it.
 */
export class LateSearch {
  private readonly late = new Set<number>();
  /** The change number of the pool, and the time, when everything was last tried for a late ticket. */
  private readonly tried = new Map<number, { readonly change: number; readonly at: number }>();
  private changes = 0;
  /** Where the last tick stopped at its work limit. */
  private resume: number | null = null;
  private bound: Bound = { steps: 0, splits: 0, boundSplits: 0 };
  private best: Pick | null = null;
  private leaves = 0;
  private left = 0;

  constructor(
    private readonly table: TicketTable,
    private readonly lanes: Lanes,
    private readonly draft: Draft,
    private readonly judge: Judge,
    private readonly rulesOf: (index: number) => CompiledRules,
  ) {}

  /** Adds a ticket that has become late. */
  remember(slot: number): void {
    this.late.add(slot);
    this.tried.delete(slot);
  }

  forget(slot: number): void {
    this.late.delete(slot);
    this.tried.delete(slot);
  }

  /**
   * @param picks the sweep's matches; those whose tickets are all before the last step may lose a ticket to a late one, and
   *   are then not formed
   * @param changed whether the pool has changed since the last tick
   */
  run(
    picks: readonly Pick[],
    now: number,
    bound: Bound,
    changed: boolean,
  ): { picks: Pick[]; finished: boolean } {
    if (changed) this.changes++;
    const { table } = this;
    const waiting = this.inTurn(now);
    if (waiting.length === 0) return { picks: [...picks], finished: true };
    const made = new Set(picks);
    const owner = new Map<number, Pick>();
    for (const pick of picks)
      if (!pick.slots.some((slot) => this.isPast(slot, now)))
        for (const slot of pick.slots) owner.set(slot, pick);
    this.bound = { ...bound, steps: Math.min(bound.steps, this.draft.steps + stepsPerTick) };
    for (const slot of waiting) {
      if (table.taken[slot] === 1) continue;
      const found =
        this.search(slot, now, owner, false) ??
        (this.isPast(slot, now) ? this.search(slot, now, owner, true) : null);
      if (found) this.make(found, made, owner);
      else if (!this.spent()) this.tried.set(slot, { change: this.changes, at: now });
      if (this.spent()) {
        this.resume = slot;
        return { picks: [...made], finished: false };
      }
    }
    this.resume = null;
    return { picks: [...made], finished: true };
  }

  /** Whether a search may find more than the last one: the pool has changed, or more is allowed by now. */
  private isWorthAnother(slot: number, now: number): boolean {
    const last = this.tried.get(slot);
    if (!last || last.change !== this.changes) return true;
    return !this.isPast(slot, last.at) && now - last.at >= againMs;
  }

  /** Whether a ticket has reached the last step of its rules. */
  private isPast(slot: number, now: number): boolean {
    const { enqueuedAt, rules } = this.table;
    return now - enqueuedAt[slot]! >= this.rulesOf(rules[slot]!).lastStepMs;
  }

  /** The late tickets worth a search, longest wait first, from where the last tick stopped. */
  private inTurn(now: number): number[] {
    const { enqueuedAt, ids, taken } = this.table;
    const waiting: number[] = [];
    for (const slot of this.late) if (taken[slot] === 0 && this.isWorthAnother(slot, now)) waiting.push(slot);
    // Nearly sorted already: they became late in about the order of arrival.
    waiting.sort((a, b) => enqueuedAt[a]! - enqueuedAt[b]! || (ids[a]! < ids[b]! ? -1 : 1));
    const from = this.resume === null ? -1 : waiting.indexOf(this.resume);
    return from <= 0 ? waiting : [...waiting.slice(from), ...waiting.slice(0, from)];
  }

  /** Forms a match; those that lose a ticket to it are dropped. */
  private make(found: Pick, made: Set<Pick>, owner: Map<number, Pick>): void {
    const { table } = this;
    for (const taken of found.slots) {
      const replaced = owner.get(taken);
      if (!replaced) continue;
      made.delete(replaced);
      for (const free of replaced.slots) {
        owner.delete(free);
        table.taken[free] = 0;
      }
    }
    for (const taken of found.slots) table.taken[taken] = 1;
    made.add(found);
  }

  /** The most even of the first matches found; full ones first, then smaller ones, then with bots. */
  private search(slot: number, now: number, owner: ReadonlyMap<number, Pick>, rob: boolean): Pick | null {
    const { table } = this;
    const rules = this.rulesOf(table.rules[slot]!);
    this.left = stepLimit;
    for (const target of targetsOf(rules, now - table.enqueuedAt[slot]!)) {
      for (const [lane, place] of this.lanes.placesOf(slot)) {
        this.leaves = 0;
        const near = this.near(
          lane,
          place,
          rules,
          (other) => table.taken[other] === 0 || (rob && owner.has(other)),
        );
        this.draft.clear();
        if (!this.draft.mayJoin(slot, rules, target.teamSize)) continue;
        this.draft.push(slot, place);
        this.extend(near, 0, rules, target, now);
      }
      const found = this.taken();
      if (found) return found;
    }
    return null;
  }

  /** Neighbours of a place, nearest in skill first. */
  private near(lane: Lane, place: number, rules: CompiledRules, free: (slot: number) => boolean): number[] {
    const { skill } = this.table;
    const own = skill[lane.order[place]!]!;
    const found: number[] = [];
    let below = place - 1;
    let above = place + 1;
    let looked = 0;
    while (found.length < neighbours && looked++ < 20 * neighbours && (below >= 0 || above < lane.length)) {
      const down = below >= 0 ? own - skill[lane.order[below]!]! : Infinity;
      const up = above < lane.length ? skill[lane.order[above]!]! - own : Infinity;
      const at = down <= up ? below-- : above++;
      const slot = lane.order[at]!;
      if (rules.spreadAfter(Math.min(down, up)) === Infinity) break;
      if (free(slot)) found.push(at);
    }
    this.draft.steps += looked;
    return found.map((at) => lane.order[at]!);
  }

  /** Tries every extension of the draft by these neighbours from the `next` on. */
  private extend(
    near: readonly number[],
    next: number,
    rules: CompiledRules,
    target: Target,
    now: number,
  ): void {
    const { draft, table } = this;
    if (draft.seats === target.humans) return void (this.spent() || this.weigh(rules, target, now));
    for (let i = next; i < near.length; i++) {
      if (this.leaves >= enough || this.left-- <= 0 || this.spent()) return;
      draft.steps++;
      const slot = near[i]!;
      if (draft.seats + table.size[slot]! > target.humans || !draft.mayJoin(slot, rules, target.teamSize))
        continue;
      draft.push(slot, i);
      this.extend(near, i + 1, rules, target, now);
      draft.pop();
    }
  }

  /** The best match found for a target; the next target begins with none. */
  private taken(): Pick | null {
    const { best } = this;
    this.best = null;
    return best;
  }

  private spent(): boolean {
    return this.draft.hasSpent(this.bound);
  }

  private weigh(rules: CompiledRules, { teamSize, humans }: Target, now: number): void {
    const { draft, judge } = this;
    const { teams } = rules.rules;
    if (judge.dueByTickets(draft, teams) > now) return;
    const gap = draft.gap(rules, teamSize);
    if (judge.dueByGap(draft, gap) > now) return;
    this.leaves++;
    if (this.best && this.best.gap <= gap) return;
    const slots = draft.list();
    const bots = teams * teamSize - humans;
    this.best = { slots, gap, teamSize, bots, worth: judge.worth(draft, rules, gap, now) };
  }
}

/** The sizes of match that a wait allows, fullest first. */
function targetsOf({ rules: { teams, teamSize }, fallbacks }: CompiledRules, waitedMs: number): Target[] {
  const full = { teamSize, humans: teams * teamSize };
  const open = fallbacks.filter((fallback) => fallback.afterMs <= waitedMs);
  const smaller = open.flatMap((each) =>
    each.minHumans === teams * each.teamSize ? [{ teamSize: each.teamSize, humans: each.minHumans }] : [],
  );
  const filled = open.flatMap((each) =>
    Array.from({ length: Math.max(0, full.humans - each.minHumans) }, (_, i) => ({
      teamSize: each.teamSize,
      humans: full.humans - 1 - i,
    })),
  );
  return [
    full,
    ...smaller.toSorted((a, b) => b.teamSize - a.teamSize),
    ...filled.filter(({ teamSize: size }) => size === teamSize),
  ];
}
