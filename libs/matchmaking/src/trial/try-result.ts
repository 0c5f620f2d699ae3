/**
 * The outcome of a ticket. `left`: its players cancelled it, when they did in the record. `refused`: the rules would not
 * have admitted it. `busy`: one of its players still waited with an earlier ticket, so it could not have come.
 */
export type TriedOutcome = 'matched' | 'left' | 'expired' | 'waiting' | 'refused' | 'busy';

export interface TriedTicket {
  readonly ticketId: string;
  readonly outcome: TriedOutcome;
  /** From its arrival until it stopped waiting, or until the end. */
  readonly waitMs: number;
  /** Of its match, 0 to ½; null when it has none, or none that can be judged. */
  readonly unfairness: number | null;
}

export interface TriedMatch {
  readonly ticketIds: readonly string[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Distance of the better team's chance from one half, 0 to ½; null when it cannot be judged. */
  readonly unfairness: number | null;
  /** Largest skill of its tickets less the smallest, in units of mu. */
  readonly spread: number;
}

/** The figures of a record under some rules. A figure without data is null. */
export interface TryResult {
  readonly matches: number;
  /** Tickets by outcome; the numbers add up to all arrivals. */
  readonly ends: Readonly<Record<TriedOutcome, number>>;
  /** Of the tickets that were matched, in milliseconds. */
  readonly waitMs: { readonly p50: number; readonly p90: number; readonly p99: number } | null;
  /** Means over the matches that can be judged. */
  readonly unfairness: number | null;
  readonly spread: number | null;
  /** Part of those matches beyond 40–60 %, or the equivalent for more teams. */
  readonly lopsided: number | null;
  /** By id. */
  readonly tickets: readonly TriedTicket[];
}

/** Adds up a try. @param teams of a match */
export function tryResultOf(
  tickets: readonly TriedTicket[],
  matches: readonly TriedMatch[],
  teams: number,
): TryResult {
  const ends = { matched: 0, left: 0, expired: 0, waiting: 0, refused: 0, busy: 0 };
  for (const { outcome } of tickets) ends[outcome]++;
  const waits = tickets
    .filter(({ outcome }) => outcome === 'matched')
    .map(({ waitMs }) => waitMs)
    .toSorted((a, b) => a - b);
  const chances = matches.flatMap(({ unfairness }) => unfairness ?? []);
  return {
    matches: matches.length,
    ends,
    waitMs:
      waits.length === 0
        ? null
        : { p50: quantile(waits, 0.5), p90: quantile(waits, 0.9), p99: quantile(waits, 0.99) },
    unfairness: mean(chances),
    spread: mean(matches.map(({ spread }) => spread)),
    lopsided: mean(chances.map((unfairness) => Number(lopsided(unfairness, teams)))),
    tickets: tickets.toSorted((a, b) => (a.ticketId < b.ticketId ? -1 : 1)),
  };
}

/** The smallest value that is not below the given share. @param sorted rising, not empty */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** A match is lopsided when its best team has more than 1.2 times an even chance: beyond 40–60 % of two teams. */
export function lopsided(unfairness: number, teams: number): boolean {
  return unfairness > 0.2 / teams;
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Tickets whose figure differs in one direction, and the median difference. */
export interface Shift {
  readonly tickets: number;
  /** The median difference, above 0; 0 without any. */
  readonly median: number;
}

/** How one try differs from another of the same record. */
export interface Comparison {
  /** Tickets that are matched in both. */
  readonly inBoth: number;
  /** Those that wait longer or shorter in the second one, by milliseconds. */
  readonly longer: Shift;
  readonly shorter: Shift;
  /** Those that get a fairer or a less fair match in the second one, by chance to win. */
  readonly fairer: Shift;
  readonly lessFair: Shift;
  /** Matched in the second one only, and in the first one only. */
  readonly gained: number;
  readonly lost: number;
}

/** Differences up to these count as none. */
const sameWaitMs = 1_000;
const sameChance = 0.005;

/** Compares ticket by ticket. */
export function compareTries(before: TryResult, after: TryResult): Comparison {
  const first = new Map(before.tickets.map((ticket) => [ticket.ticketId, ticket]));
  const waits: number[] = [];
  const chances: number[] = [];
  let [inBoth, gained, lost] = [0, 0, 0];
  for (const { ticketId, outcome, waitMs, unfairness } of after.tickets) {
    const old = first.get(ticketId);
    if (!old) continue;
    const [was, is] = [old.outcome === 'matched', outcome === 'matched'];
    if (is && !was) gained++;
    if (was && !is) lost++;
    if (!was || !is) continue;
    inBoth++;
    waits.push(waitMs - old.waitMs);
    if (unfairness !== null && old.unfairness !== null) chances.push(unfairness - old.unfairness);
  }
  const above = (values: readonly number[], least: number): Shift => {
    const some = values.filter((value) => value > least).toSorted((a, b) => a - b);
    return { tickets: some.length, median: some.length === 0 ? 0 : quantile(some, 0.5) };
  };
  const below = (values: readonly number[], least: number): Shift =>
    above(
      values.map((value) => -value),
      least,
    );
  return {
    inBoth,
    longer: above(waits, sameWaitMs),
    shorter: below(waits, sameWaitMs),
    fairer: below(chances, sameChance),
    lessFair: above(chances, sameChance),
    gained,
    lost,
  };
}
