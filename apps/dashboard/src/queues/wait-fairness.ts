import type { AnswerOf } from '@muster/contracts';
import { medianOf } from './waiting-rules.js';

type Match = AnswerOf<'listMatches'>['matches'][number];

/** A match: how long its longest waiting ticket waited, and how far its favourite was ahead. */
export interface WaitAndLead {
  readonly waitedMs: number;
  /** The favourite's chance less an even one, 0 to 1. */
  readonly lead: number;
}

/** Matches of the queue, shortest wait first. Those without a prediction, or that nobody waited for, are left out. */
export function waitsAndLeads(matches: readonly Match[]): WaitAndLead[] {
  return matches
    .flatMap(({ prediction, players }) => {
      const waits = players.flatMap(({ waitedMs, joinedAt }) => (joinedAt === null ? (waitedMs ?? []) : []));
      if (waits.length === 0 || prediction.length < 2) return [];
      return [{ waitedMs: Math.max(...waits), lead: Math.max(...prediction) - 1 / prediction.length }];
    })
    .toSorted((a, b) => a.waitedMs - b.waitedMs);
}

const mostGroups = 8;
const leastOfGroup = 5;

/** The median of groups of neighbours, of equally many matches each. @param sorted shortest wait first */
export function mediansOf(sorted: readonly WaitAndLead[]): WaitAndLead[] {
  const groups = Math.min(mostGroups, Math.floor(sorted.length / leastOfGroup));
  return Array.from({ length: groups }, (_, i) => {
    const group = sorted.slice(
      Math.floor((i * sorted.length) / groups),
      Math.floor(((i + 1) * sorted.length) / groups),
    );
    return {
      waitedMs: medianOf(group.map(({ waitedMs }) => waitedMs)),
      lead: medianOf(group.map(({ lead }) => lead)),
    };
  });
}

/** Matches and medians as series over one axis, in seconds and percentage points. */
export function seriesOf(sorted: readonly WaitAndLead[]): {
  readonly x: readonly number[];
  readonly leads: readonly (number | null)[];
  readonly medians: readonly (number | null)[];
} {
  const points = [
    ...sorted.map((match) => ({ ...match, isMedian: false })),
    ...mediansOf(sorted).map((median) => ({ ...median, isMedian: true })),
  ].toSorted((a, b) => a.waitedMs - b.waitedMs);
  return {
    x: points.map(({ waitedMs }) => waitedMs / 1_000),
    leads: points.map(({ lead, isMedian }) => (isMedian ? null : 100 * lead)),
    medians: points.map(({ lead, isMedian }) => (isMedian ? 100 * lead : null)),
  };
}
