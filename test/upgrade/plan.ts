import type { Part } from './rolling-system.js';

/** One part changes its release, one process after the other. */
export interface Step {
  readonly part: Part;
  readonly to: 'new' | 'old';
}

const documented: readonly Part[] = ['rating', 'assignment', 'allocator', 'queue', 'edge'];
/** Every service meets every other one of the other release, in both directions. */
const other: readonly Part[] = ['edge', 'queue', 'allocator', 'assignment', 'rating'];

const roll = (parts: readonly Part[], to: Step['to']): Step[] => parts.map((part) => ({ part, to }));

/** Forward in the documented order. */
export const shortPlan: readonly Step[] = roll(documented, 'new');

/** Forward, back, and forward again in the other order. */
export const plan: readonly Step[] = [
  ...roll(documented, 'new'),
  ...roll(documented.toReversed(), 'old'),
  ...roll(other, 'new'),
];
