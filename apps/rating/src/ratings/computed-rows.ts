import { textOf } from '@muster/contracts';
import { message, type Message, type RatingHistoryRow, type Season, type TimeRange } from '@muster/domain';

const dayMs = 86_400_000;

/**
 * A history with a row for each change that only time or a season made. Such changes are not stored: a row begins with
 * another value than the row before it ended with.
 *
 * @param changes newest first, without gaps
 */
export function withComputedChanges(
  changes: readonly RatingHistoryRow[],
  seasons: readonly Season[] = [],
): RatingHistoryRow[] {
  return changes.flatMap((change, i) => {
    const previous = changes[i + 1];
    if (!previous || isSame(previous.after, change.before)) return [change];
    const season = seasons.findLast(
      ({ sequence }) => sequence > previous.sequence && sequence < change.sequence,
    );
    return [change, season ? seasonRow(previous, change, season) : inactivityRow(previous, change)];
  });
}

/**
 * A history with what was taken back or rated again: each correction above the changes that it follows, since a change that
 * was rated again keeps its place.
 *
 * @param changes newest first @param limit rows of the history; with as many, earlier corrections are left out
 */
export function withCorrections(
  changes: readonly RatingHistoryRow[],
  corrections: readonly RatingHistoryRow[],
  limit: number,
  { from = -Infinity, to = Infinity }: TimeRange,
): RatingHistoryRow[] {
  const first = changes.length >= limit ? (changes.at(-1)?.sequence ?? 0) : 0;
  const shown = corrections.filter(({ at, sequence }) => at >= from && at < to && sequence >= first);
  // Equal sequences keep this order: a rebuild has that of the last change before it.
  return [...shown, ...changes].toSorted((a, b) => b.sequence - a.sequence);
}

function inactivityRow(previous: RatingHistoryRow, change: RatingHistoryRow): RatingHistoryRow {
  const days = Math.floor(Math.max(0, change.at - previous.at) / dayMs);
  return computedRow('decay', previous, change, [message('rating.inactive', { days })]);
}

/** The last of the seasons that began between two changes stands for all of them. */
function seasonRow(
  previous: RatingHistoryRow,
  change: RatingHistoryRow,
  { number, name, startedAt, sequence }: Season,
): RatingHistoryRow {
  const row = computedRow('season', previous, change, [message('rating.season', { number, name })]);
  return { ...row, at: startedAt, sequence, eventId: `season-${number}` };
}

function computedRow(
  kind: 'decay' | 'season',
  previous: RatingHistoryRow,
  change: RatingHistoryRow,
  messages: readonly Message[],
): RatingHistoryRow {
  return {
    ...change,
    kind,
    by: null,
    reason: textOf(messages),
    messages,
    before: previous.after,
    after: change.before,
  };
}

interface Belief {
  readonly mu: unknown;
  readonly sigma: unknown;
}

function isSame(one: unknown, other: unknown): boolean {
  if (!isBelief(one) || !isBelief(other)) return true;
  return one.mu === other.mu && one.sigma === other.sigma;
}

function isBelief(given: unknown): given is Belief {
  return typeof given === 'object' && given !== null && 'mu' in given && 'sigma' in given;
}
