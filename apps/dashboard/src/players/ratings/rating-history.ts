import type { AnswerOf } from '@muster/contracts';
import type { OperatorClient } from '@muster/sdk';

/** A row of a player's history. */
export type Change = AnswerOf<'readRatingHistory'>['changes'][number];

/** A rating and its uncertainty. */
export interface Belief {
  readonly mu: number;
  readonly sigma: number;
}

/** Where a rating was at a time. */
export interface Point extends Belief {
  readonly at: number;
}

const pageSize = 1_000;
/** Rows that two pages share: rows are ordered by their place in the ledger, not strictly by time. */
const shared = 20;

/**
 * Reads a player's history, newest first, page by page. The pages are of time, and the rows of the ledger nearly in its order, so
 * pages overlap and rows count once.
 *
 * @param most rows; Infinity: all
 */
export async function readHistory(
  operator: OperatorClient,
  pool: string,
  playerId: string,
  most: number,
  signal?: AbortSignal,
): Promise<readonly Change[]> {
  const found = new Map<string, Change>();
  let to: number | undefined;
  for (;;) {
    const limit = Math.min(pageSize, most);
    const query = { limit, ...(to === undefined ? {} : { to }) };
    const { changes } = await operator.ratingHistory(pool, playerId, query, signal ? { signal } : {});
    const known = found.size;
    for (const change of changes) found.set(keyOf(change), change);
    if (changes.length < limit || found.size >= most) break;
    const next = Math.max(...changes.slice(-shared).map(({ at }) => at)) + 1;
    // As many changes as a page holds within one moment: what is older than the moment follows.
    to = found.size > known && next !== to ? next : Math.min(...changes.map(({ at }) => at));
  }
  return [...found.values()].toSorted((a, b) => b.sequence - a.sequence);
}

/** A key of a row: a correction has the place of the change that it follows. */
export const keyOf = ({ kind, sequence, eventId }: Change): string => `${kind} ${sequence} ${eventId}`;

/** The rating in a row; null: the row has none, as before a player's first match. */
export function beliefOf(stored: unknown): Belief | null {
  if (typeof stored !== 'object' || stored === null || !('mu' in stored) || !('sigma' in stored)) return null;
  const { mu, sigma } = stored;
  return typeof mu === 'number' && typeof sigma === 'number' ? { mu, sigma } : null;
}

/**
 * The course of a rating, oldest first, by the ledger that is in force. Times rise strictly, as a chart demands: what is recorded
 * later than it was played is drawn where the ledger has it.
 */
export function courseOf(changes: readonly Change[]): readonly Point[] {
  const points: Point[] = [];
  for (const { kind, at, after } of changes.toReversed()) {
    // These say what was before another ledger; its changes are the other rows.
    if (kind === 'void' || kind === 'rebuild') continue;
    const belief = beliefOf(after);
    if (!belief) continue;
    const least = (points.at(-1)?.at ?? -Infinity) + 1;
    points.push({ at: Math.max(at, least), ...belief });
  }
  return points;
}

/** Parts of the time that a long course is drawn in. */
const drawnParts = 250;
/** Of each part, so many points are kept. */
const keptOfPart = 4;

/**
 * A long course with fewer points, drawn the same: of each of equal parts of the time the first point, the lowest, the highest and
 * the last. No peak is lost.
 */
export function thinned(course: readonly Point[], parts = drawnParts): readonly Point[] {
  const [first] = course;
  const last = course.at(-1);
  if (!first || !last || course.length <= parts * keptOfPart) return course;
  const partOf = ({ at }: Point): number =>
    Math.min(parts - 1, Math.floor((parts * (at - first.at)) / (last.at - first.at)));
  const kept: Point[] = [];
  let begin = 0;
  for (let i = 1; i <= course.length; i++) {
    const next = course[i];
    const here = course[begin];
    if (next && here && partOf(next) === partOf(here)) continue;
    kept.push(...extremesOf(course.slice(begin, i)));
    begin = i;
  }
  return kept;
}

function extremesOf(part: readonly Point[]): readonly Point[] {
  if (part.length <= keptOfPart) return part;
  let lowest = 0;
  let highest = 0;
  for (const [i, { mu }] of part.entries()) {
    if (mu < (part[lowest]?.mu ?? mu)) lowest = i;
    if (mu > (part[highest]?.mu ?? mu)) highest = i;
  }
  const kept = new Set([0, lowest, highest, part.length - 1]);
  return part.filter((_, i) => kept.has(i));
}

/** Changes that no match made. */
export const otherThanMatches = (changes: readonly Change[]): readonly Change[] =>
  changes.filter(({ kind }) => kind !== 'match');
