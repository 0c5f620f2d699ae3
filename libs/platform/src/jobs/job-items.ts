import { createHash } from 'node:crypto';
import { z } from 'zod';

/** One piece of work. Its id is that of its dead letter. */
export interface JobItem {
  readonly jobId: string;
  readonly payload: unknown;
}

/**
 * The trace that an item continues, in its payload: a job of several has items of several traces, and the release before
 * ignores it there.
 */
export const traceIn = (payload: unknown): string | undefined => textIn(payload, 'trace');

/** The match that an item is about. */
export const matchIdIn = (payload: unknown): string | undefined => textIn(payload, 'matchId');

function textIn(payload: unknown, name: 'trace' | 'matchId'): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const value: unknown = Reflect.get(payload, name);
  return typeof value === 'string' ? value : undefined;
}

/** The fields of a log line about an item outside of its work. */
export function traceFieldsIn(payload: unknown): { traceId?: string; matchId?: string } {
  return { traceId: traceIn(payload)?.split('-')[1], matchId: matchIdIn(payload) };
}

/** The largest job of several items. */
export interface JobLimits {
  readonly items: number;
  /** Length of the payloads as JSON. A larger item is a job of its own. */
  readonly characters: number;
}

export const jobLimits: JobLimits = { items: 32, characters: 256 * 1024 };

/**
 * A job of several items as it is stored. A job of one item stores the payload alone, as every release does. Strict, so
 * that no payload is taken for it.
 */
const Several = z.strictObject({
  items: z.array(z.strictObject({ jobId: z.string(), payload: z.unknown() })).min(1),
});

/** @returns the items of a job of several; null for a job of one item, whose data is the payload */
export function severalOf(data: unknown): readonly JobItem[] | null {
  if (typeof data !== 'object' || data === null || !('items' in data)) return null;
  const several = Several.safeParse(data);
  return several.success ? several.data.items : null;
}

/** A job as BullMQ stores it. */
export interface StoredJob {
  readonly jobId: string;
  readonly data: unknown;
}

/** A job of one item. */
export const single = ({ jobId, payload }: JobItem): StoredJob => ({ jobId, data: payload });

/**
 * Divides items into as few jobs as the limits allow, in order. The id of a job of several derives from those of its
 * items, so that the same items sent again are the same job.
 */
export function together(items: readonly JobItem[], limits: JobLimits = jobLimits): StoredJob[] {
  if (items.length === 1) return items.map(single);
  const groups: JobItem[][] = [];
  let group: JobItem[] = [];
  let characters = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (group.length > 0 && (group.length >= limits.items || characters + size > limits.characters)) {
      groups.push(group);
      [group, characters] = [[], 0];
    }
    group.push(item);
    characters += size;
  }
  if (group.length > 0) groups.push(group);
  return groups.map(jobOf);
}

function jobOf(group: readonly JobItem[]): StoredJob {
  const [only, ...more] = group;
  if (only !== undefined && more.length === 0) return single(only);
  const ids = JSON.stringify(group.map(({ jobId }) => jobId));
  const jobId = `items-${createHash('sha256').update(ids).digest('hex').slice(0, 32)}`;
  return { jobId, data: { items: group.map((item) => ({ jobId: item.jobId, payload: item.payload })) } };
}
