import type { QueueRules } from '@muster/domain/schemas';
import { pathText } from './document.js';

/** One value that differs. */
export interface Difference {
  /** Such as `5v5.skillWindow[1].limit`. */
  readonly path: string;
  /** undefined if absent. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Differing values, in the order of the fields; an added or removed list or object counts as one. */
export function differencesBetween(before: QueueRules, after: QueueRules): Difference[] {
  return differ([after.name], before, after);
}

function differ(path: readonly (string | number)[], before: unknown, after: unknown): Difference[] {
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const [old, fresh] = [new Map(entriesOf(before)), new Map(entriesOf(after))];
    return [...new Set([...fresh.keys(), ...old.keys()])].flatMap((key) =>
      differ([...path, key], old.get(key), fresh.get(key)),
    );
  }
  return before === after ? [] : [{ path: pathText(path), before, after }];
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function entriesOf(branch: object): [string | number, unknown][] {
  return Array.isArray(branch) ? [...branch.entries()] : Object.entries(branch);
}

/** `5v5.skillWindow[1].limit: 8 -> 6`. */
export function differenceText({ path, before, after }: Difference): string {
  return `${path}: ${differingText(before)} -> ${differingText(after)}`;
}

/** One side of a difference; `none` if absent. */
export function differingText(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
